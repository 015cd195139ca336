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

/** An icon in the colour of the text. Decorative: the text beside it, or its control's label, says the same. */
export const Icon = ({ name, size = 16 }: Props) => (
  <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    {raw(drawings[name])}
  </svg>
);
