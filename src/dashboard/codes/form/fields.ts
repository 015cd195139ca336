import type { QrType } from "../../../contract/resources/enums.ts";
import { designLabels } from "../../design/colors.ts";
import { findLabels } from "../../choices/sources.ts";
import { dataFields } from "./data-fields.ts";

/** The campaign parameters. */
export const utmFields = [
  ["utm.source", "Source"],
  ["utm.medium", "Medium"],
  ["utm.campaign", "Campaign"],
  ["utm.term", "Term"],
  ["utm.content", "Content"],
] as const;

/** The labels of the fields that codes of all types have, by name. */
export const commonLabels = {
  name: "Name",
  status: "State",
  folderId: "Folder",
  ...findLabels,
  tags: "Tags",
  hash: "Short name",
  startsAt: "Start",
  expiresAt: "End",
  fallbackUrl: "Address outside that time",
  templateId: "Template",
  ...designLabels,
} as const;

/** The labels of all fields of a type's form, by name. */
export const labelsOf = (type: QrType): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(dataFields[type].map(({ name, label }) => [name, label])),
  ...commonLabels,
  ...Object.fromEntries(utmFields),
});

/** Whether campaign parameters make sense for a type. */
export const hasUtm = (type: QrType): boolean => type === "url" || type === "applink";
