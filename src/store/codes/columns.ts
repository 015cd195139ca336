import type { Qr } from "../../contract/resources/codes/qr.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { originAt } from "../../lib/web/origin.ts";
import { isAddition, isSet, resourceKind, type Use } from "../resources/kind.ts";
import { qrCodes } from "../schema/workspaces.ts";
import { shownData } from "./stored-data.ts";

/** A row of the table. */
type StoredQr = typeof qrCodes.$inferSelect;

export type QrRow = StoredQr & {
  /** The code's domain while codes answer there; null for the scan origin. */
  readonly activeDomain: string | null;
};

/** The use of a column, and how the resource shows those that it has. */
type CodeUse<Key extends keyof StoredQr> = Use & {
  readonly erased: Exclude<Use["erased"], undefined>;
} & (Key extends keyof Omit<Qr, "scanOriginOnly">
    ? {
        readonly shown: QrRow[Key] extends Qr[Key]
          ? "value"
          : QrRow[Key] extends number | null
            ? "time"
            : "list";
      }
    : { readonly shown?: never });

/**
 * Every column of a code, in the order of the resource. Reader, insertion, resource, staged row and erasure are derived
 * from it. SQLite's triggers have their own lists, which a test compares with it.
 */
const codeColumns = {
  id: { shown: "value", erased: "kept" },
  workspaceId: { erased: "kept" },
  hash: { shown: "value", erased: "kept" },
  hashFolded: { erased: "kept" },
  version: { erased: "kept" },
  qrType: { shown: "value", erased: "kept" },
  name: { shown: "value", counted: true, erased: null },
  nameFolded: { counted: true, erased: null, reported: null },
  externalId: { shown: "value", counted: true, erased: null },
  folderId: { shown: "value", erased: null },
  deletedFolderId: { erased: null, reported: null },
  tags: { shown: "value", counted: true, erased: "[]" },
  status: { shown: "value", route: true, initial: "active", erased: "kept" },
  data: { shown: "value", route: true, counted: true, erased: "{}" },
  shape: { shown: "value", erased: null },
  colorConfig: { shown: "value", counted: true, erased: null },
  templateId: { shown: "value", erased: null },
  logoId: { erased: null, reported: "logo" },
  advanced: { shown: "value", counted: true, erased: null },
  startsAt: { shown: "time", route: true, erased: null },
  expiresAt: { shown: "time", route: true, erased: null },
  fallbackUrl: { shown: "value", route: true, counted: true, erased: null },
  utm: { shown: "value", route: true, counted: true, erased: null },
  query: { shown: "value", route: true, initial: "off", erased: "off" },
  domain: { shown: "value", counted: true, erased: null },
  aliases: { shown: "list", counted: true, erased: null },
  aliasAddresses: { route: true, counted: true, erased: null, reported: null },
  scanOriginOnly: { route: true, erased: "kept", reported: null },
  createdAt: { shown: "time", erased: "kept" },
  updatedAt: { shown: "time", erased: "kept" },
  deletedAt: { route: true, counted: true, erased: "kept" },
  erasedAt: { erased: "kept" },
  suspended: { shown: "value", route: true, erased: null },
  readable: { erased: null, reported: null },
  measureAt: { erased: null, reported: null },
} as const satisfies { readonly [Key in keyof StoredQr]: CodeUse<Key> };

/** A column that the code's own route depends on. Aliases have routes of their own. */
export type RouteColumn = {
  [Key in Exclude<keyof typeof codeColumns, "aliasAddresses">]: (typeof codeColumns)[Key] extends {
    readonly route: true;
  }
    ? Key
    : never;
}[Exclude<keyof typeof codeColumns, "aliasAddresses">];

/** SQL for the host of a code's short link while it answers there. */
export const activeDomain = (code: string): string =>
  `iif(${code}.domain IS NULL, NULL, (SELECT d.host FROM domains d WHERE d.workspace_id = ${code}.workspace_id
     AND d.host = ${code}.domain AND d.deleted_at IS NULL AND d.status = 'active' AND d.suspended IS NULL))`;

/** Codes as resources. */
export const codes = resourceKind<typeof qrCodes, Pick<QrRow, "activeDomain">>(
  qrCodes,
  codeColumns,
  {
    publicationKey: "c.hash",
    conditions: {
      room: {
        of: (change) => (isAddition(change) ? 1 : undefined),
        // Changes before it may create or restore, too. If they don't, it is refused too early, and tried again without them.
        sql: () => `(w.suspended IS NULL AND s.key < ${remainingCodes})`,
      },
      folder: {
        of: (change) => (isSet(change, "folderId") || isAddition(change) ? change.after.folderId : undefined),
        sql: (id) => folderIs("IS NULL", id),
      },
      deletedFolder: {
        of: (change) => (isSet(change, "deletedFolderId") ? change.after.deletedFolderId : undefined),
        sql: (id) => folderIs("IS NOT NULL", id),
      },
      externalId: {
        of: (change) => (isSet(change, "externalId") ? change.after.externalId : undefined),
        sql: (id) =>
          `NOT EXISTS (SELECT 1 FROM qr_codes o WHERE o.workspace_id = w.id AND o.external_id = ${id}
           AND o.id <> s.value->>'id')`,
      },
      alias: {
        of: (change) => {
          const { aliasAddresses } = change.after;
          return isSet(change, "aliasAddresses") && aliasAddresses !== null
            ? JSON.stringify(aliasAddresses)
            : undefined;
        },
        sql: (addresses) =>
          `NOT EXISTS (SELECT 1 FROM json_each(${addresses}) j CROSS JOIN aliases a
           ON a.workspace_id = w.id AND a.address = j.value->>0 AND a.qr_id <> s.value->>'id'
             AND a.qr_id <> coalesce(s.value->>'$.requires.id', ''))
         AND NOT EXISTS (SELECT 1 FROM json_each(${addresses}) j CROSS JOIN qr_codes o
           ON o.hash_folded = j.value->>1 AND o.workspace_id = w.id)`,
      },
      // A new code must not look like an alias.
      hash: {
        of: (change) => (change.before === null ? change.after.hashFolded : undefined),
        sql: (folded) =>
          `(w.alias_version = 0 OR NOT EXISTS (SELECT 1 FROM aliases a WHERE a.workspace_id = w.id AND a.folded = ${folded}))`,
      },
      page: {
        of: (change) => {
          const { data } = change.after;
          return isSet(change, "data") && data.type === "servicepage" ? data.pageId : undefined;
        },
        sql: (id) =>
          `EXISTS (SELECT 1 FROM pages f WHERE f.id = ${id} AND f.workspace_id = w.id AND f.deleted_at IS NULL)`,
      },
    },
  },
  { activeDomain },
);

/** The caps of a plan that apply to codes, by the names that the condition `room` uses. Null for no cap. */
export interface CodeCaps {
  readonly liveCodes: number | null;
  readonly creationsPerDay: number;
}

/** SQL for how many more codes the workspace may create at the time of a change; negative after a downgrade. */
const remainingCodes = `min(
  coalesce(p.caps->>'liveCodes' - w.live_codes, p.caps->>'creationsPerDay'),
  p.caps->>'creationsPerDay' - iif(w.creations_day < s.value->>'at' / ${dayLength}, 0, w.creations))`;

/** Returns the condition that a folder of the workspace has such a time of deletion. */
const folderIs = (deleted: string, id: string): string =>
  `EXISTS (SELECT 1 FROM folders f WHERE f.id = ${id} AND f.workspace_id = w.id AND f.deleted_at ${deleted})`;

/** The columns of codes in SQL, and a reader of their rows. */
export const qrRows = codes.rows;

/** A code has a design of its own if one of these columns has a value, or if its modules are round. */
const designColumns = ["colorConfig", "advanced", "logoId"] as const;

/** The condition that the design of a code of the table `c` has to be measured, worded as in the index of such codes. */
export const isUnmeasured = `c.readable IS NULL AND c.deleted_at IS NULL AND (${[
  ...designColumns.map((key) => `c.${qrCodes[key].name} IS NOT NULL`),
  "c.shape = 'circle'",
].join(" OR ")})`;

function readability(row: QrRow): Qr["readability"] {
  if (row.readable !== null) return row.readable ? null : "unreadable";
  const isDesigned = row.shape === "circle" || designColumns.some((key) => row[key] !== null);
  return isDesigned ? "unmeasured" : null;
}

const shownColumns = codes.columns.filter(({ shown }) => shown !== undefined);

/**
 * Returns the origin of a code's short link: of its domain while codes answer there, with the scheme and port of the scan
 * origin, or else the scan origin.
 */
function originOf(
  { activeDomain: host = null }: Partial<Pick<QrRow, "activeDomain">>,
  scanOrigin: string,
): string {
  return host === null ? scanOrigin : originAt(host, scanOrigin);
}

/** Returns a code's short link, which its image contains. */
export const scanUrlOf = (
  row: Pick<QrRow, "hash"> & Partial<Pick<QrRow, "activeDomain">>,
  scanOrigin: string,
): string => `${originOf(row, scanOrigin)}/${row.hash}`;

/** Converts a row to the API's resource. @param origin the scan origin */
export function presentQr(row: QrRow, origin: string): Qr {
  const resource: Record<string, unknown> = {};
  for (const { key, shown } of shownColumns) {
    const value = row[key];
    resource[key] =
      shown === "time" && typeof value === "number"
        ? new Date(value).toISOString()
        : shown === "list"
          ? (value ?? [])
          : value;
    // The scan URL has no column. It follows the status, as in the specification.
    if (key === "status") resource.scanUrl = scanUrlOf(row, origin);
  }
  resource.data = shownData(row.data);
  resource.readability = readability(row);
  resource.scanOriginOnly = row.scanOriginOnly === true;
  return resource as Qr;
}

/** Columns that history leaves out: they are derived, or an action of their own. */
const unrecorded = new Set<keyof QrRow>(["version", "updatedAt", "deletedAt", "erasedAt"]);

/** The columns whose values the history records, by the names that events use. */
const recordedColumns = new Map(
  codes.columns.flatMap((column) => {
    const { key, reported = key } = column;
    return reported === null || unrecorded.has(key) ? [] : [[reported, column] as const];
  }),
);

/** Returns the fields of a code that its history records. A code outside its deleted folder counts as in it, since it may return. */
export const codeFields = (row: QrRow): Record<string, unknown> =>
  Object.fromEntries(
    [...recordedColumns].map(([name, { key, shown }]) => {
      const value =
        key === "folderId"
          ? (row.folderId ?? row.deletedFolderId)
          : key === "data"
            ? shownData(row.data)
            : row[key];
      return [name, shown === "time" && typeof value === "number" ? new Date(value).toISOString() : value];
    }),
  );

/** Returns the columns that have these values of fields. */
export const codeValues = (fields: Readonly<Record<string, unknown>>): Partial<QrRow> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const column = recordedColumns.get(name);
      if (column === undefined) return [];
      const isTime = column.shown === "time" && typeof value === "string";
      return [[column.key, isTime ? Date.parse(value) : value]];
    }),
  );

/** Columns that a new code gets when it is stored, rather than when its row is checked. */
const setOnCreation = ["workspaceId", "version", "createdAt", "updatedAt"] as const;

/** The values of a new code that a bulk job keeps until it creates the code: those that aren't initial. */
export type GivenValues = Pick<QrRow, "id" | "hash" | "hashFolded" | "qrType" | "data" | "tags"> &
  Partial<QrRow>;

/** Returns the values of a new code that a bulk job keeps. */
export function givenValues(row: QrRow): GivenValues {
  const values: Record<string, unknown> = {};
  for (const { key, initial = null } of keptColumns) if (row[key] !== initial) values[key] = row[key];
  if (row.activeDomain !== null) values.activeDomain = row.activeDomain;
  return values as GivenValues;
}

const keptColumns = codes.columns.filter(({ key }) => !setOnCreation.some((each) => each === key));

const initialRow: Partial<QrRow> = {
  ...Object.fromEntries(codes.columns.map(({ key, initial = null }) => [key, initial])),
  activeDomain: null,
};

/** Returns the new code whose values a bulk job kept. */
export const rowWith = (given: GivenValues, values: Pick<QrRow, (typeof setOnCreation)[number]>): QrRow => ({
  ...(initialRow as QrRow),
  ...given,
  ...values,
});

/** The SET clause that turns a code into a tombstone. */
export const erasedValues = codes.columns
  .flatMap(({ name, erased }) => (erased === "kept" ? [] : `${name} = ${erased && `'${erased}'`}`))
  .join(", ");
