import type { Child, PropsWithChildren } from "hono/jsx";
import { HiddenFields } from "./forms/hidden.tsx";
import { PostForm } from "./forms/post-form.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface MenuProps {
  /** The button's name, if it only shows an icon. */
  readonly label?: string;
  /** The text of its tooltip, if shorter than the name. */
  readonly tip?: string;
  readonly text?: Child;
  readonly icon?: IconName;
  /** The classes of its button. */
  readonly button?: string;
  /** Where it opens; by default below its button, aligned with its end. */
  readonly align?: "start" | "above";
  /** The template of its items, in which scripts replace the names of values in braces. Until then, it has its children. */
  readonly template?: { readonly id: string; readonly values: Readonly<Record<string, string>> };
}

/**
 * A button that opens a list of links and actions. Scripts close it on Escape or a click elsewhere, and support arrow
 * keys.
 */
export function Menu({
  label,
  tip = label,
  text,
  icon,
  button = "button",
  align,
  template,
  children,
}: PropsWithChildren<MenuProps>) {
  return (
    <details
      class={align === undefined ? "menu" : `menu ${align}`}
      name="menu"
      data-menu=""
      data-template={template?.id}
      data-values={template && JSON.stringify(template.values)}
    >
      <summary class={button} aria-label={label} data-tip={text === undefined ? tip : undefined}>
        {icon !== undefined && <Icon name={icon} />}
        {text}
        {text !== undefined && (
          <span class="chevron">
            <Icon name="chevron-down" />
          </span>
        )}
      </summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}

interface ItemProps {
  readonly icon?: IconName | undefined;
  readonly danger?: boolean;
  /** Shown at the end, such as a size or a key. */
  readonly hint?: string | undefined;
}

const Inside = ({ icon, hint, children }: PropsWithChildren<ItemProps>) => (
  <>
    {icon !== undefined && <Icon name={icon} />}
    <span>{children}</span>
    {hint !== undefined && <span class="hint quiet">{hint}</span>}
  </>
);

const classOf = ({ danger }: ItemProps): string => (danger === true ? "menu-item danger" : "menu-item");

interface LinkProps extends ItemProps {
  readonly href: string;
  readonly current?: boolean | undefined;
  /** For a file: the name under which to save it; `""` leaves that to the server. */
  readonly download?: string | undefined;
}

/** A link in a menu. */
export const MenuLink = ({ href, current, download, ...item }: PropsWithChildren<LinkProps>) => (
  <a
    class={classOf(item)}
    href={href}
    download={download}
    aria-current={current === true ? "true" : undefined}
  >
    <Inside {...item} />
  </a>
);

/** A link of a menu, in short. One with a bin deletes what the menu is about. */
type MenuItem = readonly [text: string, icon: IconName, href: string];

interface ItemsProps {
  /** False for those that aren't offered. */
  readonly items: readonly (MenuItem | "divider" | false)[];
}

/** Links of a menu. */
export const MenuLinks = ({ items }: ItemsProps) => (
  <>
    {items.map((item) =>
      item === "divider" ? (
        <MenuDivider />
      ) : (
        item !== false && (
          <MenuLink href={item[2]} icon={item[1]} danger={item[1] === "trash"}>
            {item[0]}
          </MenuLink>
        )
      ),
    )}
  </>
);

/** The menu of a row in a list. @param name of what is in the row @param children items after the links */
export const RowMenu = ({
  name,
  items = [],
  children,
}: PropsWithChildren<Partial<ItemsProps> & { readonly name: string }>) => (
  <Menu label={`Actions for ${name}`} tip="Actions" icon="ellipsis" button="button plain">
    <MenuLinks items={items} />
    {children}
  </Menu>
);

interface ActionProps extends ItemProps {
  readonly path: string;
  /** Hidden values that are submitted, by name. */
  readonly values?: Readonly<Record<string, string>>;
}

/** An item that makes a change, submitted to its path. */
export const MenuAction = ({ path, values = {}, ...item }: PropsWithChildren<ActionProps>) => (
  <PostForm action={path}>
    <HiddenFields values={Object.entries(values)} />
    <button class={classOf(item)} type="submit">
      <Inside {...item} />
    </button>
  </PostForm>
);

/** An item that copies a text, by script. */
export const MenuCopy = ({ text, ...item }: PropsWithChildren<ItemProps & { readonly text: string }>) => (
  <button class={classOf(item)} type="button" data-copy={text} data-copied="Copied" data-script="" hidden>
    <Inside {...item} />
  </button>
);

export const MenuDivider = () => <div class="menu-divider" />;

/** A heading for the following items. */
export const MenuTitle = ({ children }: PropsWithChildren) => <div class="menu-title">{children}</div>;
