import type { QrType } from "../../../contract/resources/enums.ts";
import { enteredFields } from "../../../contract/resources/qr-fields.ts";
import { findLabels } from "../../choices/sources.ts";
import { dataFields } from "./data-fields.ts";

/** The fields that the forms of all types have. */
export const commonFields = enteredFields.filter(({ field }) => field !== "data" && field !== "qrType");

/** The campaign parameters. */
export const utmFields = commonFields.filter(({ field }) => field === "utm");

/** A map link, from which a code's place is read. */
export const mapLinkField = "mapLink";

/** Returns the labels of all fields of a type's form, by name. */
export const labelsOf = (type: QrType): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(dataFields[type].map(({ name, label }) => [name, label])),
  ...(type === "location" ? { [mapLinkField]: "Map link" } : {}),
  ...findLabels,
  ...Object.fromEntries(commonFields.map(({ path, label }) => [path, label])),
});

/** Returns whether campaign parameters make sense for a type. */
export const hasUtm = (type: QrType): boolean => type === "url" || type === "applink";
