import { raw } from "hono/html";
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

/**
 * An icon in the colour of the text. Decorative, since the text beside it or its control's label says the same. It
 * refers to its drawing, which `drawOnce` or `drawEach` adds.
 */
export const Icon = ({ name, size = 16 }: Props) => {
  const sides = size === 16 ? "" : ` width="${size}" height="${size}"`;
  return raw(`<svg class="icon"${sides} aria-hidden="true"><use href="#i-${name}"/></svg>`);
};

const references = /<use href="#i-([a-z0-9-]+)"\/>/g;
const viewBox = 'viewBox="0 0 24 24"';

/** Adds the drawings of a page's icons at its end, each one once. @param page HTML */
export function drawOnce(page: string): string {
  const names = new Set(Array.from(page.matchAll(references), ([, name]) => name as IconName));
  if (names.size === 0) return page;
  const symbols = Array.from(names, (name) => `<symbol id="i-${name}" ${viewBox}>${drawings[name]}</symbol>`);
  const end = page.lastIndexOf("</body>");
  return `${page.slice(0, end)}<svg hidden>${symbols.join("")}</svg>${page.slice(end)}`;
}

/** Inserts the drawing into each icon of a fragment, which may be placed in a page without it. @param part HTML */
export const drawEach = (part: string): string =>
  part.replace(references, (_, name: IconName) => `<svg ${viewBox}>${drawings[name]}</svg>`);
