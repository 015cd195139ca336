import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { mark } from "../../lib/web/service-style.ts";
import { type DocumentBase, htmlDocument } from "../../ui/document.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Icon, type IconName, WithSprite } from "../../ui/icon.tsx";
import { MenuDivider, MenuLink } from "../../ui/menu.tsx";
import { TopRow, withHeading } from "../../ui/top-row.tsx";
import type { Flash } from "../frame/flash.ts";
import { Toasts } from "../frame/toasts.tsx";

interface Area {
  readonly name: string;
  readonly path: string;
  readonly icon: IconName;
}

/** The areas of the operator's pages. The phone's bottom bar has the first ones, its menu the others. */
const areas: readonly Area[] = [
  { name: "Overview", path: "/operator", icon: "layout-dashboard" },
  { name: "Workspaces", path: "/operator/workspaces", icon: "building" },
  { name: "Reports", path: "/operator/reports", icon: "flag" },
  { name: "Health", path: "/operator/health", icon: "activity" },
  { name: "Suspensions", path: "/operator/suspensions", icon: "circle-pause" },
  { name: "Blocked hosts", path: "/operator/blocked-hosts", icon: "ban" },
  { name: "Dead letters", path: "/operator/dead-letters", icon: "inbox" },
];

const barred = 4;

interface Page {
  readonly title: string;
  readonly content: Child;
  readonly pathname: string;
  readonly flash: Flash | undefined;
}

/** A page for the operator: its content, surrounded by navigation, in the frame of the dashboard. */
export async function operatorDocument(base: DocumentBase, { title, content, pathname, flash }: Page) {
  const icons = new Set<IconName>();
  const { words, main } = await withHeading(<WithSprite icons={icons}>{content}</WithSprite>);
  const body = (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <p class="visually-hidden" id="live" role="status" />
      <TopRow
        words={words}
        mark={
          <a class="brand" href="/operator" aria-label="Operator, overview">
            {raw(mark)}
          </a>
        }
      />
      <div class="frame">
        <nav class="side" aria-label="Operator">
          <div>
            <div class="side-head">
              <a class="brand" href="/operator" aria-label="Operator, overview">
                {raw(mark)}
                <span>Operator</span>
              </a>
            </div>
            <ul class="plain">
              {areas.map((area) => (
                <li>
                  <AreaLink area={area} pathname={pathname} size={18} />
                </li>
              ))}
            </ul>
            <div class="foot">
              <ul class="plain">
                <li>
                  <a href="/dashboard">
                    <Icon name="qr-code" size={18} />
                    <span>Dashboard</span>
                  </a>
                </li>
                <li>
                  <SignOut size={18} />
                </li>
              </ul>
            </div>
          </div>
        </nav>
        <main class="page" id="main" tabindex={-1}>
          {main}
        </main>
      </div>
      <BottomBar pathname={pathname} />
      <Toasts flash={flash} />
    </>
  );
  return htmlDocument(base, `${title} – Operator`, body, { icons });
}

const isCurrent = ({ path }: Area, pathname: string): boolean =>
  pathname === path || (path !== "/operator" && pathname.startsWith(`${path}/`));

interface AreaProps {
  readonly area: Area;
  readonly pathname: string;
  readonly size: 18 | 20;
}

const AreaLink = ({ area, pathname, size }: AreaProps) => (
  <a href={area.path} aria-current={isCurrent(area, pathname) ? "page" : undefined}>
    <Icon name={area.icon} size={size} />
    <span>{area.name}</span>
  </a>
);

/** The navigation on phones. */
function BottomBar({ pathname }: { pathname: string }) {
  const others = areas.slice(barred);
  const isOther = others.some((area) => isCurrent(area, pathname));
  return (
    <nav class="bottom" aria-label="Areas">
      {areas.slice(0, barred).map((area) => (
        <AreaLink area={area} pathname={pathname} size={20} />
      ))}
      <details class="menu above" name="menu" data-menu="">
        <summary aria-current={isOther ? "true" : undefined}>
          <Icon name="menu" size={20} />
          <span>More</span>
        </summary>
        <div class="menu-panel">
          {others.map((area) => (
            <MenuLink href={area.path} icon={area.icon} current={isCurrent(area, pathname)}>
              {area.name}
            </MenuLink>
          ))}
          {others.length > 0 && <MenuDivider />}
          <SignOut kind="menu-item" size={16} />
        </div>
      </details>
    </nav>
  );
}

const SignOut = ({ kind, size }: { kind?: "menu-item"; size: 16 | 18 }) => (
  <PostForm action="/operator/sign-out">
    <button class={kind} type="submit">
      <Icon name="log-out" size={size} />
      <span>Sign out</span>
    </button>
  </PostForm>
);
