import type { ColorChanges, ColorConfig } from "../../contract/resources/qr.ts";
import { qrFields } from "../../contract/resources/qr-fields.ts";
import { readColor } from "../../lib/image/color.ts";

const { dotsColor, backgroundColor, cornerColor } = qrFields.colorConfig.parts;

/** The labels of the fields of a design, by name. */
export const designLabels = {
  shape: qrFields.shape.label,
  "colorConfig.dotsColor": dotsColor.label,
  "colorConfig.backgroundColor": backgroundColor.label,
  "colorConfig.cornerColor": cornerColor.label,
} as const;

/** The colours of a form, and of a design that sets none. */
export const defaultColors = {
  "colorConfig.dotsColor": "#000000",
  "colorConfig.backgroundColor": "#ffffff",
} as const;

/** A code or a template, which have colours. */
interface Coloured {
  readonly colorConfig: ColorConfig | null;
}

/** Colours as a form shows them: in hex, since browsers choose no others. */
export function colorsOf({ colorConfig }: Coloured): Record<string, string> {
  const hex = (text: string | undefined, other: string) => {
    const color = text === undefined ? null : readColor(text);
    return color === null || color === "transparent" ? other : color;
  };
  const dots = hex(colorConfig?.dotsColor, defaultColors["colorConfig.dotsColor"]);
  return {
    "colorConfig.dotsColor": dots,
    "colorConfig.backgroundColor": hex(
      colorConfig?.backgroundColor,
      defaultColors["colorConfig.backgroundColor"],
    ),
    "colorConfig.cornerColor": hex(colorConfig?.cornerColor, dots),
    ownCorners: colorConfig?.cornerColor === undefined ? "" : "on",
    transparent: readColor(colorConfig?.backgroundColor ?? "") === "transparent" ? "on" : "",
  };
}

/** The colours of a form that differ from those of a design that sets none. */
export function readColors(form: URLSearchParams): ColorConfig | undefined {
  const dots = form.get("colorConfig.dotsColor") ?? defaultColors["colorConfig.dotsColor"];
  const background =
    form.get("transparent") === "on" ? "transparent" : form.get("colorConfig.backgroundColor");
  const corners = form.get("ownCorners") === "on" ? form.get("colorConfig.cornerColor") : null;
  const colors = {
    ...(dots === defaultColors["colorConfig.dotsColor"] ? {} : { dotsColor: dots }),
    ...(background === null || background === defaultColors["colorConfig.backgroundColor"]
      ? {}
      : { backgroundColor: background }),
    ...(corners === null ? {} : { cornerColor: corners }),
  };
  return Object.keys(colors).length === 0 ? undefined : colors;
}

const colorFields = ["dotsColor", "backgroundColor", "cornerColor"] as const;

/** The colours that differ from those the form showed at first, null where one was removed; undefined for none. */
export function colorChanges(form: URLSearchParams, shown: Coloured): ColorChanges | undefined {
  const before = readColors(new URLSearchParams(colorsOf(shown))) ?? {};
  const given = readColors(form) ?? {};
  const changed = colorFields.filter(
    (field) => form.has(`colorConfig.${field}`) && given[field] !== before[field],
  );
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, given[field] ?? null]));
}
