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

const mainColor = "colorConfig.dotsColor";

/** Removes the other colours of a preset from a form, because they belong to the main colour that the preset has. */
function dropPresetColors(form: URLSearchParams): void {
  for (const { colorConfig, advanced } of presets) {
    for (const name of ["gradient", "eyeGradient"] as const) {
      const { type, to } = advanced[name] ?? {};
      const isOfPreset = to !== undefined && form.get(`advanced.${name}.to`) === to;
      if (isOfPreset && form.get(`advanced.${name}.type`) === type) form.set(`advanced.${name}.type`, "");
    }
    const { cornerColor } = colorConfig;
    if (cornerColor !== undefined && form.get("colorConfig.cornerColor") === cornerColor) {
      form.set("colorConfig.cornerColor", "");
    }
  }
}

/** Returns a form after its button has filled in fields. Scripts do the same without a request. */
export function filled(form: URLSearchParams): URLSearchParams {
  const change = form.get("change") ?? "";
  if (!change.startsWith(prefix)) return form;
  const result = new URLSearchParams(form);
  const values = new URLSearchParams(change.slice(prefix.length));
  if (values.has(mainColor) && values.size === 1) dropPresetColors(result);
  for (const [name, value] of values) {
    const text = form.get(name) ?? "";
    const isOwnText = name === "advanced.frame.text" && text !== "" && !offeredTexts.includes(text);
    if (isFilled(name) && !isOwnText) result.set(name, value);
  }
  return result;
}
