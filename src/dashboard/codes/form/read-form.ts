import type { QrType } from "../../../contract/resources/enums.ts";
import type { ColorChanges, Qr } from "../../../contract/resources/qr.ts";
import { fromLocalTime } from "../../../lib/time/local-time.ts";
import type { Zone } from "../../../lib/time/zone.ts";
import { colorChanges, readColors } from "../../design/colors.ts";
import { type DataField, dataFields } from "./data-fields.ts";
import { hasUtm, utmFields } from "./fields.ts";
import { localTime } from "./values.ts";

/** A field's text; null if it is empty or missing. */
function textOf(form: URLSearchParams, name: string): string | null {
  const text = form.get(name) ?? "";
  return text.trim() === "" ? null : text;
}

/** The data of a form as the contract has it. Fields left empty are missing, so that the schema words what is wrong. */
function readData(form: URLSearchParams, type: QrType): object {
  const data: Record<string, unknown> = { type };
  for (const { name, kind } of dataFields[type]) {
    const text = textOf(form, name);
    if (text !== null) setAt(data, name.split(".").slice(1), readValue(text, kind));
  }
  return data;
}

function readValue(text: string, kind: DataField["kind"]): unknown {
  if (kind === "number") return Number(text);
  if (kind !== "lines") return text;
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function setAt(
  object: Record<string, unknown>,
  [key = "", ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  object[key] ??= {};
  setAt(object[key] as Record<string, unknown>, rest, value);
}

const readTags = (form: URLSearchParams): string[] =>
  (form.get("tags") ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** A time as the contract has it. Text of another form stays, for the schema to refuse. */
function readTime(form: URLSearchParams, name: string, zone: Zone): string | null {
  const text = textOf(form, name);
  if (text === null) return null;
  const time = fromLocalTime(text, zone);
  return time === null ? text : new Date(time).toISOString();
}

/** What the fields that all types have say. Null stands for none. */
const readCommon = (form: URLSearchParams, zone: Zone) => ({
  name: textOf(form, "name"),
  folderId: textOf(form, "folderId"),
  tags: readTags(form),
  startsAt: readTime(form, "startsAt", zone),
  expiresAt: readTime(form, "expiresAt", zone),
  fallbackUrl: textOf(form, "fallbackUrl"),
});

const readUtm = (form: URLSearchParams) =>
  Object.fromEntries(utmFields.map(([name]) => [name.slice("utm.".length), textOf(form, name)]));

/** Fields that are not empty. */
const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The input of a new code, for its schema to check. */
export function readNewCode(form: URLSearchParams, type: QrType, zone: Zone): object {
  return {
    ...withoutNulls(readCommon(form, zone)),
    qrType: type,
    data: readData(form, type),
    ...withoutNulls({
      hash: textOf(form, "hash"),
      templateId: textOf(form, "templateId"),
      shape: textOf(form, "shape"),
    }),
    ...(hasUtm(type) ? { utm: withoutNulls(readUtm(form)) } : {}),
    ...(readColors(form) === undefined ? {} : { colorConfig: readColors(form) }),
  };
}

/** The changes of a code, for their schema to check. What the form can't show exactly is left out unless it changed. */
export function readChanges(form: URLSearchParams, qr: Qr, zone: Zone): object {
  const { startsAt, expiresAt, ...common } = readCommon(form, zone);
  const isSameTime = (name: "startsAt" | "expiresAt") => (form.get(name) ?? "") === localTime(qr[name], zone);
  return {
    ...common,
    ...(form.has("status") ? { status: form.get("status") } : {}),
    ...(isSameTime("startsAt") ? {} : { startsAt }),
    ...(isSameTime("expiresAt") ? {} : { expiresAt }),
    data: readData(form, qr.qrType),
    ...(hasUtm(qr.qrType) ? { utm: readUtm(form) } : {}),
    ...designChanges(form, qr),
  };
}

/** The changes of a code's design. */
interface DesignChanges {
  readonly templateId?: string | null;
  /** Not checked. */
  readonly shape?: string | null;
  readonly colorConfig?: ColorChanges;
}

/** What a form changes of a code's design. Values that it does not change are left to the template, if it applies one. */
export function designChanges(form: URLSearchParams, qr: Qr): DesignChanges {
  const templateId = textOf(form, "templateId");
  const shape = textOf(form, "shape");
  const colorConfig = colorChanges(form, qr);
  return {
    // A plan without templates has no such field.
    ...(templateId === qr.templateId || !form.has("templateId") ? {} : { templateId }),
    ...(shape === qr.shape ? {} : { shape }),
    ...(colorConfig === undefined ? {} : { colorConfig }),
  };
}
