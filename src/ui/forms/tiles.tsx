import type { Child } from "hono/jsx";
import { Finder } from "../finder.tsx";
import { FieldTexts } from "./field.tsx";
import { type FormState, problemOf } from "./form.ts";

interface Tile {
  readonly value: string;
  readonly text: string;
  readonly picture?: Child;
  /** Whether the plan lacks it. Choosing it only shows what it is. */
  readonly isLacking?: boolean;
}

interface Props {
  readonly name: string;
  readonly label: string;
  readonly chosen: string;
  readonly tiles: readonly Tile[];
  /** On one line, which scrolls on phones. */
  readonly kind?: "line";
  /** Whether the label stands beside them where there is room. */
  readonly isRow?: boolean;
  /** The form whose problem is shown below them. */
  readonly form?: FormState;
  /** Shown below them, in a form. */
  readonly hint?: string;
  /** Attributes of htmx and for scripts. */
  readonly request?: Readonly<Record<`${"hx" | "data"}-${string}`, string>>;
}

/** A choice of pictures: radios in disguise. The one that is chosen has the finder. */
export const Tiles = ({ name, label, chosen, tiles, kind, isRow, form, hint, request = {} }: Props) => (
  <fieldset
    class={classes("field", isRow === true && "row", form && problemOf(form, name) !== undefined && "wrong")}
    id={name}
    {...request}
  >
    <legend>{label}</legend>
    <div class={classes("tiles", kind)}>
      {tiles.map(({ value, text, picture, isLacking }) => (
        <label class={classes("tile", isLacking === true && "lacking", picture === undefined && "words")}>
          <input class="covered" type="radio" name={name} value={value} checked={value === chosen} />
          {picture}
          <span dir="auto">{text}</span>
          <Finder />
        </label>
      ))}
    </div>
    {form && <FieldTexts form={form} name={name} label={label} hint={hint} />}
  </fieldset>
);

const classes = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(" ");
