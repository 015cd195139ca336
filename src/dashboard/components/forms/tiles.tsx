import type { Child } from "hono/jsx";
import { Finder } from "../finder.tsx";

interface Tile {
  readonly value: string;
  readonly text: string;
  readonly picture: Child;
  /** Whether it can be looked at, but not used. */
  readonly isLacking?: boolean;
}

interface Props {
  readonly name: string;
  readonly label: string;
  readonly chosen: string;
  readonly tiles: readonly Tile[];
  /** Whether they stay on one line on phones, which a finger moves. */
  readonly isLine?: boolean;
  /** Attributes of htmx. */
  readonly request?: Readonly<Record<`hx-${string}`, string>>;
}

/** A choice of pictures: radios in disguise. The one that is chosen has the finder. */
export const Tiles = ({ name, label, chosen, tiles, isLine = false, request = {} }: Props) => (
  <fieldset class="field" {...request}>
    <legend>{label}</legend>
    <div class={isLine ? "tiles line" : "tiles"}>
      {tiles.map(({ value, text, picture, isLacking }) => (
        <label class={isLacking === true ? "tile lacking" : "tile"}>
          <input type="radio" name={name} value={value} checked={value === chosen} />
          {picture}
          <span>{text}</span>
          <Finder />
        </label>
      ))}
    </div>
  </fieldset>
);
