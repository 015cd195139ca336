import { presets } from "../../contract/presets.ts";
import { begunText, designLabels } from "./fields.ts";

/** The prefix of a button's value that fills in fields. Names and values follow as in a query. */
const prefix = "fill?";

/** Returns the value of a button named `change` that fills in fields of a design. */
export const fillValue = (values: Readonly<Record<string, string>>): string =>
  `${prefix}${new URLSearchParams(values)}`;

/** Returns whether a button may fill in the field. */
const isFilled = (name: string): boolean => Object.hasOwn(designLabels, name) || name === "transparent";

/** Texts of frames that nobody wrote, so presets may replace them. */
export const offeredTexts: readonly string[] = [
  ...new Set([begunText, ...presets.flatMap(({ advanced }) => advanced.frame?.text ?? [])]),
];

/** Returns a form after its button has filled in fields. Scripts do the same without a request. */
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
