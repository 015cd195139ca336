import { getTableColumns } from "drizzle-orm";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { Changes } from "../../protocol/history.ts";
import { sameJson } from "../../lib/text/json.ts";
import { type Fields, presenter, tableFields } from "./presenter.ts";
import { rowReader } from "../rows.ts";
import { qrCodes } from "../schema/workspaces.ts";

export type QrRow = typeof qrCodes.$inferSelect;

/** How the service uses a code's column, besides reading and storing it. */
type Use<Key extends keyof QrRow> = {
  /** Whether scans depend on it, so that changes are published. */
  readonly route?: true;
  /** Whether its length counts towards the workspace's storage. */
  readonly counted?: true;
  /** Its value in a new code that doesn't set it; null by default. */
  readonly initial?: string;
  /** Its value in a tombstone; `kept` leaves it as it is. */
  readonly erased: null | "{}" | "[]" | "kept";
  /** Its name among an event's changed fields, if different; null if changes aren't reported. */
  readonly reported?: string | null;
} & (Key extends keyof Qr
  ? {
      /** How the resource shows it: unchanged, or as an ISO 8601 time. */
      readonly shown: QrRow[Key] extends Qr[Key] ? "value" : "time";
    }
  : unknown);

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
  createdAt: { shown: "time", erased: "kept" },
  updatedAt: { shown: "time", erased: "kept" },
  deletedAt: { route: true, counted: true, erased: "kept" },
  erasedAt: { erased: "kept" },
  suspended: { shown: "value", route: true, erased: null },
  readable: { erased: null, reported: null },
  measureAt: { erased: null, reported: null },
} as const satisfies { readonly [Key in keyof Required<QrRow>]: Use<Key> };

/** A column that scans depend on. */
export type RouteColumn = {
  [Key in keyof typeof codeColumns]: (typeof codeColumns)[Key] extends { readonly route: true } ? Key : never;
}[keyof typeof codeColumns];

type AnyUse = Use<"version"> & { readonly shown?: "value" | "time" };

/** The same as a list, with each column's SQL name. */
export const listedColumns = Object.entries<AnyUse>(codeColumns).map(([key, use]) => {
  const { name, dataType } = getTableColumns(qrCodes)[key as keyof QrRow];
  return { ...use, key: key as keyof QrRow, name, isJson: dataType === "json" };
});

/** The columns of codes in SQL, and a reader of their rows. */
export const qrRows = rowReader(qrCodes);

const { value, time } = tableFields(qrCodes);

const scanUrl: Fields<QrRow, Qr>["scanUrl"] = {
  read: ({ hash }, origin) => `${origin}/${hash}`,
  sql: (alias, origin) => `${origin} || '/' || ${alias}.hash`,
};

/** Returns SQL for whether a code has a design of its own, worded as in the index of unmeasured ones. */
const hasDesign = (alias: string) =>
  `(${["color_config", "advanced", "logo_id"].map((name) => `${alias}.${name} IS NOT NULL`).join(" OR ")} OR ${alias}.shape = 'circle')`;

/** The condition that the design of a code of the table `c` has to be measured. */
export const isUnmeasured = `c.readable IS NULL AND c.deleted_at IS NULL AND ${hasDesign("c")}`;

const readability: Fields<QrRow, Qr>["readability"] = {
  read: ({ readable, colorConfig, advanced, logoId, shape }) => {
    if (readable !== null) return readable ? null : "unreadable";
    const isDesigned = colorConfig !== null || advanced !== null || logoId !== null || shape === "circle";
    return isDesigned ? "unmeasured" : null;
  },
  sql: (alias) => `CASE WHEN ${alias}.readable = 0 THEN 'unreadable'
    WHEN ${alias}.readable IS NULL AND ${hasDesign(alias)} THEN 'unmeasured' END`,
};

const fields = presenter<QrRow, Qr>({
  ...(Object.fromEntries(
    listedColumns.flatMap(({ key, shown }) => {
      const field = shown === undefined ? [] : [[key, shown === "time" ? time(key) : value(key)]];
      // The scan URL has no column. It follows the status, as in the specification.
      return key === "status" ? [...field, ["scanUrl", scanUrl]] : field;
    }),
  ) as Fields<QrRow, Qr>),
  readability,
});

/** Converts a row to the API's resource. @param origin the scan origin */
export const presentQr = fields.present;

/**
 * Returns an SQL expression for the same resource as JSON. @param alias of qr_codes; @param origin SQL for the scan
 * origin
 */
export const qrJson = fields.json;

/** Columns whose changes the history tells as actions, or that follow from others. */
const untold = new Set<keyof QrRow>(["version", "updatedAt", "deletedAt", "erasedAt"]);

/** The columns whose changes the history tells, by the names that events use. */
const toldColumns = new Map(
  listedColumns.flatMap((column) => {
    const { key, reported = key } = column;
    return reported === null || untold.has(key) ? [] : [[reported, column] as const];
  }),
);

type Column = (typeof listedColumns)[number];

/** Returns a value as the history tells it. A code outside its deleted folder counts as in it, since it may return. */
function toldValue(row: QrRow, { key, shown }: Column): unknown {
  const value = key === "folderId" ? (row.folderId ?? row.deletedFolderId) : row[key];
  return shown === "time" && typeof value === "number" ? new Date(value).toISOString() : value;
}

/** Returns the column `folderId` for that of the deleted folder, which the history tells in it, and else the column itself. */
const placeAsFolder = (column: Column): Column =>
  column.key === "deletedFolderId" ? (toldColumns.get("folderId") ?? column) : column;

/** Returns the changes between two versions of a code, by the names that events use. @param columns that differ */
export const codeChanges = (before: QrRow, after: QrRow, columns: readonly Column[]): Changes =>
  Object.fromEntries(
    columns.map(placeAsFolder).flatMap((column) => {
      const { key, reported = key } = column;
      if (reported === null || untold.has(key)) return [];
      const [then, now] = [toldValue(before, column), toldValue(after, column)];
      return sameJson(then, now) ? [] : [[reported, [then, now] as const]];
    }),
  );

/** Returns the names of fields that have other values than after these changes. */
export const changedSince = (row: QrRow, changes: Changes): string[] =>
  Object.entries(changes).flatMap(([name, [, after]]) => {
    const column = toldColumns.get(name);
    return column !== undefined && sameJson(toldValue(row, column), after) ? [] : [name];
  });

/** Returns the columns' values before these changes. */
export const valuesBefore = (changes: Changes): Partial<QrRow> =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([name, [before]]) => {
      const column = toldColumns.get(name);
      if (column === undefined) return [];
      const isTime = column.shown === "time" && typeof before === "string";
      return [[column.key, isTime ? Date.parse(before) : before]];
    }),
  );

/** The columns that say in which folder a code is. */
export const placeColumns = listedColumns.filter(
  ({ key }) => key === "folderId" || key === "deletedFolderId",
);

/** Columns whose values an insertion computes in SQL. */
const inserted: { readonly [Key in keyof QrRow]?: (code: string, at: string) => string } = {
  workspaceId: () => "w.id",
  version: () => "1",
  createdAt: (_, at) => at,
  updatedAt: (_, at) => at,
};

/**
 * Returns the INSERT and SELECT clauses of a statement that creates codes. The caller appends a FROM clause in which
 * `w` is the codes' workspace, and the conditions `referencesExist`.
 * @param code SQL for the code as JSON, with the names of QrRow; missing values are initial
 * @param at SQL for the time of creation, epoch milliseconds
 */
export function insertNewCodes(code: string, at: string): string {
  const values = listedColumns.map(({ key, isJson, initial }) => {
    const given = isJson ? `nullif(${code}->'${key}', 'null')` : `${code}->>'${key}'`;
    return inserted[key]?.(code, at) ?? (initial === undefined ? given : `coalesce(${given}, '${initial}')`);
  });
  const names = listedColumns.map(({ name }) => name);
  return `INSERT INTO qr_codes (${names.join(", ")}) SELECT ${values.join(", ")}`;
}

/**
 * Returns the condition that a code's folder exists. @param workspace SQL for the workspace's id; @param id SQL for the
 * folder's
 */
export const folderExists = (workspace: string, id: string): string =>
  `EXISTS (SELECT 1 FROM folders f WHERE f.id = ${id} AND f.workspace_id = ${workspace} AND f.deleted_at IS NULL)`;

/** Returns the condition that a folder is deleted but not gone, so that codes can wait for it. @param id as above */
export const folderIsDeleted = (workspace: string, id: string): string =>
  `EXISTS (SELECT 1 FROM folders f WHERE f.id = ${id} AND f.workspace_id = ${workspace} AND f.deleted_at IS NOT NULL)`;

/** Returns the condition that the page shown by a code exists. */
export const pageExists = (workspace: string, id: string): string =>
  `EXISTS (SELECT 1 FROM pages p WHERE p.id = ${id} AND p.workspace_id = ${workspace} AND p.deleted_at IS NULL)`;

/** Returns the conditions that a new code's folder and page exist, or that it has none. @param code as above */
export const referencesExist = (workspace: string, code: string) => ({
  folderId: `(${code}->>'folderId' IS NULL OR ${folderExists(workspace, `${code}->>'folderId'`)})`,
  pageId: `(${code}->>'$.data.pageId' IS NULL OR ${pageExists(workspace, `${code}->>'$.data.pageId'`)})`,
});

/** Returns the values that a new code's insertion needs: those that are neither initial nor computed in SQL. */
export function givenValues(row: QrRow): GivenValues {
  const values: Record<string, unknown> = {};
  for (const { key, initial = null } of givenColumns) if (row[key] !== initial) values[key] = row[key];
  return values as GivenValues;
}

const givenColumns = listedColumns.filter(({ key }) => inserted[key] === undefined);

export type GivenValues = Pick<QrRow, "id" | "hash" | "hashFolded" | "qrType" | "data" | "tags"> &
  Partial<QrRow>;

/** The SET clause that turns a code into a tombstone. */
export const erasedValues = listedColumns
  .flatMap(({ name, erased }) => (erased === "kept" ? [] : `${name} = ${erased && `'${erased}'`}`))
  .join(", ");
