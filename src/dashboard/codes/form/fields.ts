import { enteredFields, qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import { logoField, logoLabel } from "../../brand/upload.ts";
import { findLabels } from "../../choices/sources.ts";
import { designLabels } from "../../design/fields.ts";
import { type DataField, dataFields } from "./data-fields.ts";

/** Fields with controls of their own: the data of each type, and the design. */
const ownControls: readonly string[] = ["data", "qrType", "shape", "colorConfig", "templateId"];

/** The fields that the forms of all types have, and that hold what they show. */
export const commonFields = enteredFields.filter(({ field }) => !ownControls.includes(field));

/** The campaign parameters. */
export const utmFields = commonFields.filter(({ field }) => field === "utm");

/** A map link, from which a code's place is read. */
export const mapLinkField = "mapLink";

/** Returns the field that is changed on the page of a code. */
export const mainField = (type: QrType): Pick<DataField, "label" | "kind"> & { readonly name: string } =>
  dataFields[type].find(({ main }) => main === true) ?? {
    name: mapLinkField,
    label: "Map link",
    kind: "address",
  };

/** Returns the labels of all fields of a type's form, by name. */
export const labelsOf = (type: QrType): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(dataFields[type].map(({ name, label }) => [name, label])),
  ...(type === "location" ? { [mapLinkField]: "Map link" } : {}),
  ...findLabels,
  ...Object.fromEntries(commonFields.map(({ path, label }) => [path, label])),
  templateId: qrFields.templateId.label,
  [logoField]: logoLabel,
  ...designLabels,
});

/** Returns whether campaign parameters make sense for a type. */
export const hasUtm = (type: QrType): boolean => type === "url" || type === "applink";
