import type { QrData } from "../../../contract/resources/qr-data.ts";
import type { Qr } from "../../../contract/resources/qr.ts";
import { toLocalTime } from "../../../lib/time/local-time.ts";
import type { Zone } from "../../../lib/time/zone.ts";
import { colorsOf } from "../../design/colors.ts";
import { dataFields } from "./data-fields.ts";
import { utmFields } from "./fields.ts";

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

/** Fields that a further code of a series has of its own. */
const isOwn = (name: string): boolean => ["name", "status"].includes(name) || name.startsWith("data.");

/** The fields of a form for a further code with the same settings: tags, folder, design, times, campaign. */
export const settingsOf = (qr: Qr, zone: Zone): URLSearchParams =>
  new URLSearchParams([...valuesOf(qr, zone)].filter(([name]) => !isOwn(name)));
