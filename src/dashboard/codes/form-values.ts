import type { QrData } from "../../contract/resources/qr-data.ts";
import type { Qr } from "../../contract/resources/qr.ts";
import { readColor } from "../../lib/image/color.ts";
import { toLocalTime } from "../../lib/time/local-time.ts";
import type { Zone } from "../../lib/time/zone.ts";
import { dataFields } from "./data-fields.ts";
import { defaultColors, utmFields } from "./form-fields.ts";

/** The value at a path such as `data.address.city`. */
const valueAt = (object: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);

/** The fields of a form that shows a code. @param zone of its times */
export function valuesOf(qr: Qr, zone: Zone): URLSearchParams {
  const values = new URLSearchParams({
    name: qr.name ?? "",
    status: qr.status,
    folderId: qr.folderId ?? "",
    tags: qr.tags.join(", "),
    startsAt: localTime(qr.startsAt, zone),
    expiresAt: localTime(qr.expiresAt, zone),
    fallbackUrl: qr.fallbackUrl ?? "",
    templateId: qr.templateId ?? "",
    shape: qr.shape ?? "",
    ...colorsOf(qr),
  });
  for (const [name, text] of dataValues(qr.data)) values.set(name, text);
  for (const [name] of utmFields) values.set(name, String(valueAt(qr, name) ?? ""));
  return values;
}

export const localTime = (time: string | null, zone: Zone): string =>
  time === null ? "" : toLocalTime(Date.parse(time), zone);

function dataValues(data: QrData): [string, string][] {
  return dataFields[data.type].map(({ name }) => {
    const value = valueAt({ data }, name);
    return [name, Array.isArray(value) ? value.join("\n") : String(value ?? "")];
  });
}

/** The colours of a code as its form shows them: in hex, since browsers choose no others. */
export function colorsOf({ colorConfig }: Pick<Qr, "colorConfig">): Record<string, string> {
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

/** Fields that a further code of a series has of its own. */
const isOwn = (name: string): boolean => ["name", "status"].includes(name) || name.startsWith("data.");

/** The fields of a form for a further code with the same settings: tags, folder, design, times, campaign. */
export const settingsOf = (qr: Qr, zone: Zone): URLSearchParams =>
  new URLSearchParams([...valuesOf(qr, zone)].filter(([name]) => !isOwn(name)));
