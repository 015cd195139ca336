import { QrType } from "../../../contract/resources/enums.ts";
import { readPasted } from "../../../lib/web/pasted.js";
import { type DataField, dataFields } from "./data-fields.ts";
import { mainField, mapLinkField } from "./fields.ts";
import { withPlace } from "./read-form.ts";

/** The field at the top of a form: the first of a contact, for others the one that says where a scan leads. */
export type TopField = Omit<DataField, "name"> & { readonly name: string };

const anything =
  "Paste anything: a link, a phone number, an email address, a map link, an @name. You can change it after printing.";

const place: TopField = {
  name: mapLinkField,
  label: "Map link or coordinates",
  hint: "From Google Maps, Apple Maps or OpenStreetMap, such as 38.7071, -9.1455",
  kind: "address",
};

/** @param isNew whether its type can still change */
export function topField(type: QrType, isNew: boolean): TopField {
  if (type === "location") return place;
  const { name } = type === "vcard" ? { name: "data.firstName" } : mainField(type);
  const field = dataFields[type].find((each) => each.name === name) ?? place;
  return type === "url" && isNew ? { ...field, label: "Where should it lead?", hint: anything } : field;
}

/** The names of all fields at the top. */
const names = [...new Set(QrType.options.map((type) => topField(type, true).name))];

/** The types that take a pasted text. */
const taking = (types: readonly string[], type: QrType): boolean => types.includes(type);

/** Returns a form after another type was chosen: the top field's text goes along to the new type if that takes it. */
export function withTypeChosen(form: URLSearchParams, type: QrType): URLSearchParams {
  const { name: to } = topField(type, true);
  if ((form.get(to) ?? "").trim() !== "") return form;
  for (const name of names) {
    const pasted = readPasted(form.get(name) ?? "");
    if (pasted === null || !taking(pasted.types, type)) continue;
    const result = new URLSearchParams(form);
    result.delete(name);
    result.set(to, pasted.text);
    const placed = withPlace(result, type);
    return "form" in placed ? placed.form : result;
  }
  return form;
}

/** Returns the type that a new code's form means: another than a link, where it was given what can't be one. */
export function meantType(form: URLSearchParams, type: QrType): QrType {
  const pasted = type === "url" ? readPasted(form.get("data.url") ?? "") : null;
  return pasted === null || taking(pasted.types, type) ? type : pasted.types[0];
}
