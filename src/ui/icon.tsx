import { raw } from "hono/html";
import { createContext, type PropsWithChildren, useContext } from "hono/jsx";
import type { IconNode } from "lucide";
import { type IconName, icons } from "./icons.ts";

export type { IconName } from "./icons.ts";

const draw = (node: IconNode): string =>
  node
    .map(([element, attributes]) => {
      const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
      return `<${element}${text.join("")}/>`;
    })
    .join("");

const drawings = Object.fromEntries(
  Object.entries(icons).map(([name, node]) => [name, draw(node)]),
) as Readonly<Record<IconName, string>>;

interface Props {
  readonly name: IconName;
  /** Pixels: 16 in controls, 18 in navigation, 20 on tiles. */
  readonly size?: 16 | 18 | 20;
}

/** The icons that a page has shown so far. A part of a page, which may be put into another one, has none. */
const Shown = createContext<Set<IconName> | null>(null);

/** Draws its children with icons that refer to the page's `Sprite`. */
export const WithSprite = ({
  icons,
  children,
}: PropsWithChildren<{ readonly icons: Set<IconName> | null }>) => (
  <Shown.Provider value={icons}>{children}</Shown.Provider>
);

const viewBox = "0 0 24 24";

/** An icon in the colour of the text. Decorative, since the text beside it or its control's label says the same. */
export function Icon({ name, size = 16 }: Props) {
  const icons = useContext(Shown);
  icons?.add(name);
  const sides = size === 16 ? "" : ` width="${size}" height="${size}"`;
  const drawing =
    icons === null ? `<svg viewBox="${viewBox}">${drawings[name]}</svg>` : `<use href="#i-${name}"/>`;
  // Raw, because a list has hundreds of them.
  return raw(`<svg class="icon"${sides} aria-hidden="true">${drawing}</svg>`);
}

/** The drawings of a page's icons, each one once. @param icons those that the page has shown */
export const Sprite = ({ icons }: { readonly icons: ReadonlySet<IconName> }) => (
  <svg hidden aria-hidden="true">
    {Array.from(icons, (name) => (
      <symbol id={`i-${name}`} viewBox={viewBox}>
        {raw(drawings[name])}
      </symbol>
    ))}
  </svg>
);
