import type { Entered } from "../../../contract/resources/codes/qr-fields.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import type { VersionedQr } from "../../../domain/codes/codes.ts";
import type { CodeStyle } from "../../../domain/templates/styles.ts";
import { setAt } from "../../../lib/field-path.ts";
import { readDecimal } from "../../../lib/text/digits.ts";
import { linesOf } from "../../../lib/text/words.ts";
import { fromLocalTime } from "../../../lib/time/local-time.ts";
import type { Zone } from "../../../lib/time/zone.ts";
import { readMapLink } from "../../../lib/web/pasted.js";
import { withoutNullColors } from "../../design/fields.ts";
import type { Rejection } from "../../frame/submit-form.ts";
import { type DataField, dataFields } from "./data-fields.ts";
import { readStyle } from "./design.ts";
import { commonFields, hasUtm, mapLinkField, utmFields } from "./fields.ts";
import { readPhoneLine } from "./phone-lines.ts";
import { codeFormValues } from "./values.ts";

/** Returns a form's fields, replacing the place with that of a map link, if given. */
export function withPlace(
  form: URLSearchParams,
  type: QrType,
): { readonly form: URLSearchParams } | { readonly rejection: Rejection } {
  const link = filledText(form, mapLinkField);
  if (type !== "location" || link === null) return { form };
  const place = readMapLink(link);
  if (place === null) {
    const problem = "has no coordinates. Open it in a browser, and paste the address that it leads to.";
    return { rejection: { problems: { [mapLinkField]: problem }, status: 400 } };
  }
  const entries = new URLSearchParams(form);
  entries.delete(mapLinkField);
  entries.set("data.latitude", place.latitude);
  entries.set("data.longitude", place.longitude);
  if (place.label !== undefined && filledText(form, "data.label") === null) {
    entries.set("data.label", place.label);
  }
  return { form: entries };
}

/** Returns a field's text; null if it is empty or missing. */
function filledText(form: URLSearchParams, name: string): string | null {
  const text = form.get(name) ?? "";
  return text.trim() === "" ? null : text;
}

/** Reads a form's data in the contract's form. Omits empty fields, so that the schema words the problem. */
export function readData(form: URLSearchParams, type: QrType): object {
  const data = { type };
  for (const { name, kind } of dataFields[type]) {
    const text = filledText(form, name);
    if (text !== null) setAt({ data }, name, readValue(text, kind));
  }
  return data;
}

function readValue(text: string, kind: DataField["kind"]): unknown {
  if (kind === "number") return readDecimal(text.replace(/°\s*$/, ""));
  if (kind === "phones") return linesOf(text).map(readPhoneLine);
  return kind === "lines" ? linesOf(text) : text;
}

const readTags = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** Reads a time in the contract's form. Keeps invalid text, for the schema to reject. */
function readTime(form: URLSearchParams, name: string, zone: Zone): string | null {
  const text = filledText(form, name);
  if (text === null) return null;
  const time = fromLocalTime(text, zone);
  return time === null ? text : new Date(time).toISOString();
}

/** Returns a field's value in the contract's form; null if it is empty. */
function readField(form: URLSearchParams, { path, kind }: Entered, zone: Zone): unknown {
  // A path can contain a comma.
  if (path === "aliases") return linesOf(form.get(path) ?? "");
  if (kind === "list") return readTags(form.get(path) ?? "");
  return kind === "time" ? readTime(form, path, zone) : filledText(form, path);
}

/** Returns the form's values that are whole fields of a code. */
const readPlain = (form: URLSearchParams, zone: Zone, fields: readonly Entered[]): object =>
  Object.fromEntries(
    fields.flatMap((field) => (field.part === undefined ? [[field.path, readField(form, field, zone)]] : [])),
  );

const readUtm = (form: URLSearchParams) =>
  Object.fromEntries(utmFields.map(({ part = "", path }) => [part, filledText(form, path)]));

/** A form carries the query's choice along while its type has no place for it. */
const withoutQuery = commonFields.filter(({ field }) => field !== "query");

/** Removes empty fields. */
const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The input of a new code, for its schema to check. @param base the style that its options began with */
export function readNewCode(form: URLSearchParams, type: QrType, zone: Zone, base: CodeStyle): object {
  const { templateId, ...changes } = readStyle(form, base, null);
  return {
    ...withoutEmpty(readPlain(form, zone, hasUtm(type) ? commonFields : withoutQuery)),
    // Without one, the code would get the default domain.
    ...(form.get("domain") === "" && { domain: null }),
    qrType: type,
    data: readData(form, type),
    ...(hasUtm(type) ? { utm: withoutEmpty(readUtm(form)) } : {}),
    ...(templateId === undefined ? {} : { templateId }),
    ...withoutNullColors(changes, form),
  };
}

/**
 * The changes of a code, for their schema to check. What the form can't show exactly is left out unless it changed.
 * @param base the style that the form's options began with
 */
export function readCodeForm(
  form: URLSearchParams,
  edited: VersionedQr,
  zone: Zone,
  base: CodeStyle,
): object {
  const { qr } = edited;
  const shown = codeFormValues(edited, zone);
  return {
    ...readPlain(
      form,
      zone,
      commonFields.filter(({ set, path }) => set === "always" && isChanged(form, path, shown.get(path))),
    ),
    data: readData(form, qr.qrType),
    ...(hasUtm(qr.qrType) ? { utm: readUtm(form) } : {}),
    ...readStyle(form, base, qr.templateId),
  };
}

/** Whether a form has a field, with another text than it showed at first. */
const isChanged = (form: URLSearchParams, name: string, shown: string | null): boolean =>
  form.has(name) && form.get(name) !== (shown ?? "");
