import type { Qr } from "../../../contract/resources/codes/qr.ts";
import type { QrData } from "../../../contract/resources/codes/qr-data.ts";
import type { Entered } from "../../../contract/resources/codes/qr-fields.ts";
import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { valueAt } from "../../../lib/field-path.ts";
import { toLocalTime } from "../../../lib/time/local-time.ts";
import { type Zone, zoneOf } from "../../../lib/time/zone.ts";
import { canonicalTimeZone } from "../../../lib/time/zone-name.ts";
import { designValues } from "../../design/fields.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import { dataFields } from "./data-fields.ts";
import { ownStyle } from "./design.ts";
import { commonFields } from "./fields.ts";
import { phoneLines } from "./phone-lines.ts";

/** Returns the zone in which a submitted form showed its times; that of the workspace if the form names none. */
export async function zoneOfForm({ form, timeZone }: DashboardRequest): Promise<Zone> {
  const shown = canonicalTimeZone(form.get("timeZone") ?? "");
  return zoneOf(shown ?? (await timeZone()));
}

/** The fields of a form that shows a code. @param zone of its times */
export function codeFormValues(edited: Pick<VersionedQr, "qr" | "logoId">, zone: Zone): URLSearchParams {
  const { qr } = edited;
  const values = new URLSearchParams(designValues(ownStyle(edited)));
  values.set("templateId", qr.templateId ?? "");
  for (const entered of commonFields) {
    if (entered.set === "always") values.set(entered.path, fieldText(qr, entered, zone));
  }
  for (const [name, text] of dataValues(qr.data)) values.set(name, text);
  return values;
}

function fieldText(qr: Qr, { path, kind }: Entered, zone: Zone): string {
  const value = valueAt(qr, path) ?? "";
  if (Array.isArray(value)) return value.join(path === "aliases" ? "\n" : ", ");
  return kind === "time" && value !== "" ? toLocalTime(Date.parse(String(value)), zone) : String(value);
}

function dataValues(data: QrData): [string, string][] {
  return dataFields[data.type].map(({ name, kind }) => {
    const value = kind === "phones" && data.type === "vcard" ? phoneLines(data) : valueAt({ data }, name);
    return [name, Array.isArray(value) ? value.join("\n") : String(value ?? "")];
  });
}

/** Returns whether a field differs between the codes of a series. */
const isOwn = (name: string): boolean => ["name", "status"].includes(name) || name.startsWith("data.");

/**
 * The fields of a form for a further code with the same settings: tags, folder, design, times, campaign. Its options are those
 * of the code, which may differ from those of its template.
 */
export const settingsOf = (edited: VersionedQr, zone: Zone): URLSearchParams =>
  new URLSearchParams([...copyOf(edited, zone)].filter(([name]) => !isOwn(name)));

/** The fields of a form for a copy of a code. */
export function copyOf(edited: VersionedQr, zone: Zone): URLSearchParams {
  const values = codeFormValues(edited, zone);
  values.set("applied", edited.qr.templateId ?? "");
  // An address leads to one code.
  values.delete("aliases");
  return values;
}
