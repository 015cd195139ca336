import { presets } from "../../contract/presets.ts";
import { begunText, designLabels } from "./fields.ts";

/** Begins the value of a button that fills in fields, whose names and values follow as those of an address do. */
const prefix = "fill?";

/** The value of a button, named `change`, that fills in fields of a design. */
export const fillValue = (values: Readonly<Record<string, string>>): string =>
  `${prefix}${new URLSearchParams(values)}`;

/** Fields of a design that a button can fill in. */
const isFilled = (name: string): boolean => Object.hasOwn(designLabels, name) || name === "transparent";

/** Texts of frames that nobody wrote, which those of presets replace. */
export const offeredTexts: readonly string[] = [
  ...new Set([begunText, ...presets.flatMap(({ advanced }) => advanced.frame?.text ?? [])]),
];

/** A form with what its button fills in. Scripts do the same without a request. */
export function filled(form: URLSearchParams): URLSearchParams {
  const change = form.get("change") ?? "";
  if (!change.startsWith(prefix)) return form;
  const result = new URLSearchParams(form);
  for (const [name, value] of new URLSearchParams(change.slice(prefix.length))) {
    const text = form.get(name) ?? "";
    const isOwnText = name === "advanced.frame.text" && text !== "" && !offeredTexts.includes(text);
    if (isFilled(name) && !isOwnText) result.set(name, value);
  }
  return result;
}
