import { Advanced } from "../../contract/resources/images/design.ts";
import type { CodeStyle } from "../../domain/templates/styles.ts";
import { valueAt } from "../../lib/field-path.ts";
import { withHash } from "../../lib/image/color.ts";
import { readDecimal } from "../../lib/text/digits.ts";

/** The labels of the fields of a design, by name. */
export const designLabels = {
  "colorConfig.dotsColor": "Colour of the code",
  "colorConfig.backgroundColor": "Background",
  "colorConfig.cornerColor": "Colour of the eyes",
  "advanced.modules": "Modules",
  "advanced.eyeFrame": "Eyes",
  "advanced.eyeCenter": "Eye centres",
  "advanced.frame.style": "Frame",
  "advanced.frame.text": "Text",
  "advanced.frame.color": "Colour of the frame",
  "advanced.frame.textColor": "Colour of the text",
  "advanced.gradient.type": "Gradient of the modules",
  "advanced.gradient.to": "Second colour",
  "advanced.gradient.angle": "Angle",
  "advanced.eyeGradient.type": "Gradient of the eyes",
  "advanced.eyeGradient.to": "Second colour of the eyes",
  "advanced.eyeGradient.angle": "Angle of the eyes",
  "advanced.logo.id": "Logo",
  "advanced.logo.size": "Size of the logo",
  "advanced.logo.padding": "Space around the logo",
  "advanced.logo.cutout": "Cut-out",
  "advanced.backgroundRadius": "Round corners",
  "advanced.quietZone": "Quiet zone",
  "advanced.ecc": "Error correction",
  "advanced.compact": "Compact address",
  // A design that phones can't read is not the fault of a single field.
  advanced: "This combination",
} as const;

/** A field of `advanced`. Its name is its path. */
interface AdvancedField {
  readonly name: `advanced.${string}` & keyof typeof designLabels;
  /** Invalid values of the other kinds are sent as they are, for the schema to reject. */
  readonly kind: "text" | "number" | "percent" | "switch";
  /** Its text if the design doesn't have it. */
  readonly none: string;
}

const field = (
  name: AdvancedField["name"],
  kind: AdvancedField["kind"] = "text",
  none = "",
): AdvancedField => ({
  name,
  kind,
  none,
});

/** An initial second colour and text, so that choosing a gradient or frame shows one. */
const secondColor = "#1d4ed8";
export const begunText = "Scan me";

const plainFields = [
  field("advanced.eyeFrame", "text", "square"),
  field("advanced.eyeCenter", "text", "square"),
  field("advanced.backgroundRadius", "number"),
  field("advanced.logo.size", "percent"),
  field("advanced.logo.padding", "number"),
  field("advanced.logo.cutout", "text", "square"),
  field("advanced.quietZone", "number"),
  field("advanced.ecc"),
  field("advanced.compact", "switch"),
];

/** Objects that exist as a whole or not at all, depending on their first field. */
const wholes = [
  [
    "frame",
    "style",
    [field("advanced.frame.text"), field("advanced.frame.color"), field("advanced.frame.textColor")],
  ],
  ["gradient", "type", [field("advanced.gradient.to"), field("advanced.gradient.angle", "number")]],
  ["eyeGradient", "type", [field("advanced.eyeGradient.to"), field("advanced.eyeGradient.angle", "number")]],
] as const;

/** Initial texts of fields that are hidden until they matter. */
const begun: Readonly<Record<string, string>> = {
  "advanced.frame.text": begunText,
  "advanced.gradient.to": secondColor,
  "advanced.eyeGradient.to": secondColor,
};

/** Returns the fields of a form that shows a style, by name. */
export function designValues({ colorConfig, shape, advanced, logoId }: CodeStyle): Record<string, string> {
  const design = drawable(advanced);
  const textOf = ({ name, kind, none }: AdvancedField): string => {
    const value = valueAt({ advanced: design }, name) ?? none;
    if (kind === "switch") return value === true ? "on" : "";
    return kind === "percent" && typeof value === "number"
      ? String(Number((value * 100).toFixed(4)))
      : String(value);
  };
  const values: Record<string, string> = {
    ...colorValues(colorConfig),
    "advanced.logo.id": logoId ?? "",
    "advanced.modules": design.modules ?? (shape === "circle" ? "dots" : "square"),
  };
  for (const each of plainFields) values[each.name] = textOf(each);
  for (const [object, first, fields] of wholes) {
    const whole = design[object];
    values[`advanced.${object}.${first}`] = typeOf(object, design);
    for (const each of fields) {
      values[each.name] = whole === undefined ? (begun[each.name] ?? each.none) : textOf(each);
    }
  }
  return values;
}

/** Returns a frame's style or a gradient's type; empty for none. */
const typeOf = (object: (typeof wholes)[number][0], design: Advanced): string =>
  object === "frame"
    ? ((design.frame && (design.frame.style ?? "label")) ?? "")
    : (design[object]?.type ?? "");

/**
 * Returns the properties that are a valid design. Others are the client's own, or were stored before their names had a
 * meaning, and are kept.
 */
function drawable(advanced: Advanced | null): Advanced {
  const kept = { ...advanced };
  for (;;) {
    const [name] = Advanced.safeParse(kept).error?.issues[0]?.path ?? [];
    if (name === undefined || !(name in kept)) return kept;
    delete kept[String(name)];
  }
}

/** The colours of a style that sets none. By default, eyes have the colour of the modules. */
const noColors = {
  "colorConfig.dotsColor": "#000000",
  "colorConfig.backgroundColor": "#ffffff",
  "colorConfig.cornerColor": "",
} as const;

function colorValues(colors: CodeStyle["colorConfig"]): Record<string, string> {
  const isTransparent = colors?.backgroundColor?.trim().toLowerCase() === "transparent";
  return {
    "colorConfig.dotsColor": colors?.dotsColor ?? noColors["colorConfig.dotsColor"],
    "colorConfig.backgroundColor":
      (isTransparent ? undefined : colors?.backgroundColor) ?? noColors["colorConfig.backgroundColor"],
    "colorConfig.cornerColor": colors?.cornerColor ?? noColors["colorConfig.cornerColor"],
    transparent: isTransparent ? "on" : "",
  };
}

/** The changes that a form makes to a style; null removes a property. */
export interface StyleChanges {
  readonly colorConfig?: Readonly<Record<string, string | null>>;
  readonly shape?: "square" | "circle";
  readonly advanced?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the changes that a form makes to the style its options began with. Fields that the form lacks change nothing.
 */
export function styleChanges(form: URLSearchParams, before: CodeStyle): StyleChanges {
  const shown = designValues(before);
  const given = (name: string): string => (form.get(name) ?? shown[name] ?? "").trim();
  const isChanged = (name: string): boolean => given(name) !== shown[name];
  const advanced = new Map<string, unknown>();
  const put = (name: string, value: unknown) => {
    const [, object = "", part] = name.split(".");
    advanced.set(object, part === undefined ? value : { ...(advanced.get(object) as object), [part]: value });
  };
  for (const each of plainFields) if (isChanged(each.name)) put(each.name, readValue(each, given(each.name)));
  for (const [object, first, fields] of wholes) {
    const name = `advanced.${object}.${first}`;
    const type = given(name);
    if (type === "") {
      if (shown[name] !== "") advanced.set(object, null);
      continue;
    }
    if (isChanged(name)) put(name, type);
    for (const each of fields) {
      const value = readValue(each, given(each.name));
      if (shown[name] === "" ? value !== null : isChanged(each.name)) put(each.name, value);
    }
  }
  const logo = "advanced.logo.id";
  if (isChanged(logo)) {
    if (given(logo) === "") advanced.set("logo", null);
    else put(logo, given(logo));
  }
  const modules = isChanged("advanced.modules") ? given("advanced.modules") : undefined;
  // Squares and dots are included in every plan, as shapes.
  const shape = modules === "dots" ? "circle" : modules === "square" ? "square" : undefined;
  if (shape === undefined && modules !== undefined) advanced.set("modules", modules);
  if (shape !== undefined && before.advanced?.modules !== undefined) advanced.set("modules", null);
  const colorConfig = colorChanges(form, shown);
  return {
    ...(colorConfig !== undefined && { colorConfig }),
    ...(shape !== undefined && shape !== (before.shape ?? "square") && { shape }),
    ...(advanced.size > 0 && { advanced: Object.fromEntries(advanced) }),
  };
}

function readValue({ kind, none }: AdvancedField, text: string): unknown {
  if (text === none) return null;
  if (kind === "switch") return text === "on";
  const number = readDecimal(text);
  if (kind === "text" || !Number.isFinite(number)) return text;
  return kind === "percent" ? number / 100 : number;
}

function colorChanges(
  form: URLSearchParams,
  shown: Readonly<Record<string, string>>,
): Record<string, string | null> | undefined {
  const changes = Object.entries(noColors).flatMap(([name, none]): [string, string | null][] => {
    if (!form.has(name)) return [];
    const isBackground = name === "colorConfig.backgroundColor";
    const colorOf = (texts: (name: string) => string) =>
      isBackground && texts("transparent") === "on" ? "transparent" : withHash(texts(name).trim());
    const [text, before] = [colorOf((each) => form.get(each) ?? ""), colorOf((each) => shown[each] ?? "")];
    if (text === before) return [];
    return [[name.replace("colorConfig.", ""), text === none || text === "" ? null : text]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Returns the changes in the form of a new code: removed colours become the defaults. */
export function withoutNullColors({ colorConfig, ...changes }: StyleChanges, form: URLSearchParams) {
  if (colorConfig === undefined) return changes;
  const none: Readonly<Record<string, string>> = {
    dotsColor: noColors["colorConfig.dotsColor"],
    backgroundColor: noColors["colorConfig.backgroundColor"],
    cornerColor: withHash(form.get("colorConfig.dotsColor") ?? "") || noColors["colorConfig.dotsColor"],
  };
  const colors = Object.entries(colorConfig).map(([name, value]) => [name, value ?? none[name] ?? ""]);
  return { ...changes, colorConfig: Object.fromEntries(colors) };
}

/**
 * Completes a form that lacks design fields with those of a style. An unticked checkbox isn't missing if the field
 * beside it is there.
 */
export function withDesign(form: URLSearchParams, style: CodeStyle): URLSearchParams {
  const result = new URLSearchParams(form);
  for (const [name, text] of Object.entries(designValues(style))) {
    const isThere = form.has(name === "transparent" ? "colorConfig.backgroundColor" : name);
    if (!isThere) result.set(name, text);
  }
  return result;
}
