import type { Child } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { QrData } from "../../contract/resources/codes/qr-data.ts";
import { enteredFields, type PlainField } from "../../contract/resources/codes/qr-fields.ts";
import { valueAt } from "../../lib/field-path.ts";
import { formatPhone } from "../../lib/text/phone.ts";
import { dataFields } from "./form/data-fields.ts";
import { phoneLines } from "./form/phone-lines.ts";

/** Returns the facts in a code's data, labelled as in its form. */
export function dataFacts(data: QrData): (readonly [label: string, value: Child])[] {
  if (data.type === "servicepage") return [];
  return dataFields[data.type].flatMap(({ name, label, kind }) => {
    const value = valueAt({ data }, name);
    if (value === undefined) return [];
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    const text =
      kind === "phones" && data.type === "vcard"
        ? phoneLines(data, formatPhone).join("\n")
        : (kind === "phone" ? texts.map(formatPhone) : texts).join("\n");
    return [[label, <Value text={text} />] as const];
  });
}

/** Fields shown elsewhere on a code's page: in its title, its image and its first facts. */
const shownElsewhere: readonly PlainField[] = ["name", "qrType", "hash", "status", "shape", "templateId"];

/** How to display fields that aren't shown as they are. */
type Shown = { readonly [Name in PlainField]?: (value: NonNullable<Qr[Name]>) => Child | undefined };

/** Returns the facts in the other fields, except empty ones. */
export const fieldFacts = (qr: Qr, shown: Shown): (readonly [label: string, value: Child])[] =>
  enteredFields.flatMap(({ field, part, label }) => {
    const name = field as PlainField;
    const value = qr[name];
    if (part !== undefined || shownElsewhere.includes(name) || value === null || value.length === 0)
      return [];
    const show = shown[name] as ((value: Qr[PlainField]) => Child | undefined) | undefined;
    const fact = show === undefined ? String(value) : show(value);
    return fact === undefined ? [] : [[label, fact] as const];
  });

/** A text; an address as a link. */
function Value({ text }: { text: string }) {
  if (!/^https?:\/\/\S+$/.test(text)) return <>{text}</>;
  return (
    <a href={text} rel="noreferrer">
      {text}
    </a>
  );
}
