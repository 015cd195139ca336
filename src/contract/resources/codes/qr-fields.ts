import type { QrType } from "../enums.ts";
import type { Qr, QrCreateInput, QrUpdateInput } from "./qr.ts";

/** A property of an object field: its label in a form, and its column in a table. */
interface Part {
  readonly label: string;
  readonly column: string;
  /** If it differs from the form's label, which stands below a heading. */
  readonly columnLabel?: string;
}

/** The names of an object's properties, except those that clients choose. */
type Known<Value> = keyof { [Name in keyof Value as string extends Name ? never : Name]: Name };

/** How a field is entered: in a table's cell, and in a form. */
type Entry<Name, Value> = Name extends "data"
  ? { readonly kind: "data"; readonly parts: { readonly url: Part } }
  : Name extends "advanced"
    ? // The design editor enters it as a whole.
      { readonly kind: "merged"; readonly parts: Readonly<Record<never, Part>> }
    : Value extends readonly string[]
      ? { readonly kind: "list" }
      : Value extends string
        ? { readonly kind: "text" | "time" }
        : { readonly kind: "merged"; readonly parts: Readonly<Record<Known<Value>, Part>> };

/** The icons of fields, by their names in Lucide. */
type FieldIcon =
  | "qr-code"
  | "link"
  | "globe"
  | "tag"
  | "folder"
  | "palette"
  | "calendar"
  | "corner-down-right";

type Field<Name extends keyof Qr> =
  Name extends Exclude<keyof QrCreateInput, "scanUrl">
    ? {
        /** When clients can set it. */
        readonly set: Name extends keyof QrUpdateInput ? "always" | "creation" : "creation";
        readonly label: string;
        /** The icon that stands for it. */
        readonly icon?: FieldIcon;
        /** The group of fields to which it belongs, named in sentences that sum up changes. */
        readonly group?: "design" | "schedule" | "campaign";
        /** Whether it is a web address that scans can lead to. */
        readonly address?: true;
        /** The types of codes that can have it; all by default. */
        readonly types?: readonly QrType[];
      } & Entry<Name, NonNullable<Qr[Name]>>
    : null;

/**
 * Every field of a code, in the order of a CSV's columns; null for one that clients can't set. CSV columns, failed
 * rows, the dashboard's form, its labels and its comparisons of codes are derived from it, and the compiler checks it
 * against the schemas. `store/codes/columns.ts` describes the columns that hold the fields.
 *
 * Fields of kind `text`, `list` and `time` are entered as a single text. A PATCH merges the properties of a `merged`
 * field.
 */
export const qrFields = {
  id: null,
  name: { set: "always", kind: "text", label: "Name", icon: "qr-code" },
  data: {
    set: "always",
    kind: "data",
    label: "Destination",
    icon: "link",
    parts: { url: { label: "Destination", column: "url" } },
  },
  qrType: { set: "creation", kind: "text", label: "Type" },
  externalId: { set: "always", kind: "text", label: "Own ID" },
  hash: { set: "creation", kind: "text", label: "Short name" },
  folderId: { set: "always", kind: "text", label: "Folder", icon: "folder" },
  tags: { set: "always", kind: "list", label: "Tags", icon: "tag" },
  shape: { set: "always", kind: "text", label: "Shape", group: "design" },
  colorConfig: {
    set: "always",
    kind: "merged",
    label: "Colours",
    icon: "palette",
    group: "design",
    parts: {
      dotsColor: { label: "Colour of the code", column: "dotsColor" },
      backgroundColor: { label: "Background", column: "backgroundColor" },
      cornerColor: { label: "Colour of the corners", column: "cornerColor" },
    },
  },
  templateId: { set: "always", kind: "text", label: "Template", icon: "palette", group: "design" },
  status: { set: "always", kind: "text", label: "Status" },
  startsAt: { set: "always", kind: "time", label: "Start", icon: "calendar", group: "schedule" },
  expiresAt: { set: "always", kind: "time", label: "End", icon: "calendar", group: "schedule" },
  fallbackUrl: {
    set: "always",
    kind: "text",
    label: "Fallback link",
    icon: "corner-down-right",
    address: true,
  },
  utm: {
    set: "always",
    kind: "merged",
    label: "Campaign",
    group: "campaign",
    types: ["url", "applink"],
    parts: {
      source: { label: "Source", column: "utmSource", columnLabel: "UTM source" },
      medium: { label: "Medium", column: "utmMedium", columnLabel: "UTM medium" },
      campaign: { label: "Campaign", column: "utmCampaign", columnLabel: "UTM campaign" },
      term: { label: "Term", column: "utmTerm", columnLabel: "UTM term" },
      content: { label: "Content", column: "utmContent", columnLabel: "UTM content" },
    },
  },
  query: {
    set: "always",
    kind: "text",
    label: "Extra parameters",
    group: "campaign",
    types: ["url", "applink"],
  },
  domain: { set: "always", kind: "text", label: "Domain", icon: "globe" },
  aliases: { set: "always", kind: "list", label: "Other addresses", icon: "link" },
  advanced: { set: "always", kind: "merged", label: "Design", group: "design", parts: {} },
  scanUrl: null,
  createdAt: null,
  updatedAt: null,
  suspended: null,
  readability: null,
  scanOriginOnly: null,
} as const satisfies { readonly [Name in keyof Qr]: Field<Name> };

type Fields = typeof qrFields;
type Named<Condition> = {
  [Name in keyof Fields]: Fields[Name] extends Condition ? Name : never;
}[keyof Fields];

/** A field that clients can set. */
export type SettableField = Named<{ readonly set: string }>;
/** A field that a PATCH can change. */
export type ChangeableField = Named<{ readonly set: "always" }>;
/** A field entered as a single text. */
export type PlainField = Named<{ readonly kind: "text" | "list" | "time" }>;
/** A field that is a web address. */
export type AddressField = Named<{ readonly address: true }>;
/** A field whose properties a PATCH merges. */
export type MergedField = Named<{ readonly kind: "merged" }>;

type ColumnOf<Described> = Described extends { readonly column: infer Column } ? Column : never;
type PartOf<Described> = Described extends { readonly parts: infer Parts } ? Parts[keyof Parts] : never;

/** The name of a column of a bulk CSV. */
export type BulkColumn = PlainField | ColumnOf<PartOf<Fields[keyof Fields]>>;

/** A field, or a part of one, that is entered as a single text. */
export interface Entered {
  /** The path in the resource, such as `utm.source`. */
  readonly path: string;
  readonly field: SettableField;
  /** The part, if the field is an object. */
  readonly part: string | undefined;
  readonly kind: "text" | "list" | "time";
  readonly set: "always" | "creation";
  readonly label: string;
  readonly column: BulkColumn;
  readonly columnLabel: string;
  readonly icon: FieldIcon | undefined;
  readonly isAddress: boolean;
}

/** All entered fields, in the order of the columns. */
export const enteredFields: readonly Entered[] = Object.entries(qrFields).flatMap(
  ([name, described]): Entered[] => {
    if (described === null) return [];
    const field = name as SettableField;
    const { set, label } = described;
    const icon = "icon" in described ? described.icon : undefined;
    const isAddress = "address" in described || name === "data";
    if (!("parts" in described)) {
      const column = name as PlainField;
      const { kind } = described;
      const names = { column, label, columnLabel: label };
      return [{ path: name, field, part: undefined, kind, set, icon, isAddress, ...names }];
    }
    return Object.entries<Part>(described.parts).map(([part, { label, column, columnLabel = label }]) => ({
      ...{ path: `${name}.${part}`, field, part, kind: "text" as const, set, label },
      ...{ icon, isAddress, column: column as BulkColumn, columnLabel },
    }));
  },
);

/** The columns of a bulk CSV. Only `url` is required. */
export const bulkColumns = enteredFields.map(({ column }) => column);

/** A column of an export, or of a table that changes codes. */
/** The columns of an export with the codes' scans, last so that what reads by position stays right. */
export const scanColumns = ["scans", "scans30d", "lastScanAt"] as const;

type ExportedColumn = BulkColumn | "id" | "scanUrl" | "data" | "createdAt" | "updatedAt";
export type CodeColumn = ExportedColumn | (typeof scanColumns)[number];

/** The columns of an export of codes, in order. `data` is JSON, for types whose data isn't only a `url`. */
export const exportedColumns: readonly ExportedColumn[] = [
  ...(["id", "scanUrl"] as const),
  ...bulkColumns,
  ...(["data", "createdAt", "updatedAt"] as const),
];

/** All columns that a table of codes can have. Those of scans change nothing. */
export const codeColumns: readonly CodeColumn[] = [...exportedColumns, ...scanColumns];

/** The fields that are web addresses, besides those in `data`. */
export const addressFields = Object.entries(qrFields).flatMap(([name, described]) =>
  described !== null && "address" in described ? [name as AddressField] : [],
);
