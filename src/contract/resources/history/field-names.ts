import { qrFields } from "../codes/qr-fields.ts";
import type { HistoryKind } from "./history.ts";

/** The names of fields that aren't those of a form. */
const otherLabels: Readonly<Record<string, string>> = {
  logo: "Logo",
  suspended: "Suspension",
  qrType: "Type",
  colors: "Colours",
  formClosed: "Form closed",
  keepScansDays: "Days that scans are kept",
  requestsPerMinute: "Requests a minute",
  storedBytes: "Storage in bytes",
  url: "URL",
  alertUrl: "Address for alerts",
  alertSecret: "Secret of alerts",
  qrId: "Code",
  folderId: "Folder",
  eraseAt: "Data is erased from",
  pausedReason: "Reason",
  addTags: "Tags added",
  removeTags: "Tags removed",
  isDefault: "Default for new codes",
  rootUrl: "Home link",
  unknownUrl: "Link for unknown paths",
  query: "Extra parameters",
};

type Described = { readonly label: string; readonly group?: string } | null | undefined;

const describedField = (kind: HistoryKind, field: string): Described =>
  kind === "code" ? (qrFields as Readonly<Record<string, Described>>)[field] : undefined;

/** Returns a field's name, as in the form where it is entered. */
export const fieldLabel = (kind: HistoryKind, field: string): string =>
  describedField(kind, field)?.label ?? otherLabels[field] ?? inWords(field);

/** Returns the word for a field in a sentence, where several are one thing to a reader. */
export const fieldWord = (kind: HistoryKind, field: string): string =>
  describedField(kind, field)?.group ??
  (designFields.has(field) ? "design" : lowerFirst(fieldLabel(kind, field)));

/** The fields of templates' design; a code's says so itself. */
const designFields: ReadonlySet<string> = new Set(["shape", "colorConfig", "advanced", "logo"]);

/** Returns the words of a name in camel case, such as `Keep scans days`. */
const inWords = (name: string): string => {
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
