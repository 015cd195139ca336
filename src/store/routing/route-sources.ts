import type { PageContent } from "../../contract/resources/pages.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import type { QrRow, RouteColumn } from "../codes/columns.ts";

/**
 * Reads the rows that routes are computed from. Always uses the primary database, because a lagging replica may not
 * have a code created a second ago. Takes no workspace, because a scan has none. Plain SQL instead of drizzle keeps the
 * redirect's start-up fast.
 */

/** The columns of a code that its route is computed from. */
export type CodeSource = Readonly<Pick<QrRow, "id" | "workspaceId" | "version" | "qrType" | RouteColumn>>;

/** Whether each column is JSON. */
const isJson = {
  id: false,
  workspaceId: false,
  version: false,
  qrType: false,
  status: false,
  data: true,
  deletedAt: false,
  suspended: true,
  startsAt: false,
  expiresAt: false,
  fallbackUrl: false,
  utm: true,
  query: false,
} as const satisfies Record<keyof CodeSource, boolean>;

type JsonColumn = {
  [Key in keyof CodeSource]: (typeof isJson)[Key] extends true ? Key : never;
}[keyof CodeSource];

const selected = Object.keys(isJson).map((key) => {
  const column = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${column} AS ${key}`;
});

/** Returns the columns of a code in SQL. @param alias of qr_codes */
export const codeSourceColumns = (alias: string): string =>
  selected.map((column) => `${alias}.${column}`).join(", ");

/** A row of these columns, with JSON as text. */
export type CodeSourceRow = Omit<CodeSource, JsonColumn> & { readonly [Key in JsonColumn]: string | null };

/** Parses a row's JSON. */
export function readCodeSource<Row extends CodeSourceRow>(row: Row) {
  const values = Object.entries<unknown>(row).map(([key, value]) => [
    key,
    isJson[key as keyof CodeSource] && value !== null ? JSON.parse(String(value)) : value,
  ]);
  return Object.fromEntries(values) as Omit<Row, JsonColumn> & Pick<CodeSource, JsonColumn>;
}

/** Parses a suspension. */
export const readSuspension = (text: string | null): Suspension | null =>
  text === null ? null : (JSON.parse(text) as Suspension);

/** Returns the code with this hash, deleted or not; null for an unknown hash. */
export async function findCodeByHash(db: D1Database, hash: string): Promise<CodeSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(`SELECT ${codeSourceColumns("c")} FROM qr_codes c WHERE c.hash = ?`)
    .bind(hash)
    .first<CodeSourceRow>();
  return row && readCodeSource(row);
}

/** Returns the hash of the code with this folded hash, deleted or not; null if there is none. */
export const findHashByFolded = (db: D1Database, folded: string): Promise<string | null> =>
  db
    .withSession("first-primary")
    .prepare("SELECT c.hash FROM qr_codes c WHERE c.hash_folded = ?")
    .bind(folded)
    .first<string>("hash");

/** The columns of a hosted page that its route is computed from. */
export interface PageSource {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly content: PageContent;
  readonly formClosed: boolean;
  readonly deletedAt: number | null;
  readonly suspended: Suspension | null;
}

/** Returns the hosted page with this id, deleted or not; null for an unknown id. */
export async function findPageById(db: D1Database, id: string): Promise<PageSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT id, workspace_id AS workspaceId, version, content, form_closed AS formClosed,
         deleted_at AS deletedAt, suspended FROM pages WHERE id = ?`,
    )
    .bind(id)
    .first<PageSourceRow>();
  return (
    row && {
      ...row,
      content: JSON.parse(row.content) as PageContent,
      formClosed: row.formClosed === 1,
      suspended: readSuspension(row.suspended),
    }
  );
}

interface PageSourceRow extends Omit<PageSource, "content" | "formClosed" | "suspended"> {
  readonly content: string;
  readonly formClosed: number;
  readonly suspended: string | null;
}

/** The columns of a workspace that its route is computed from. */
export interface WorkspaceSource {
  readonly version: number;
  readonly suspended: Suspension | null;
  /** Whether its codes and pages stopped, because it is being deleted. */
  readonly closed: boolean;
}

/** Returns the workspace with this id; null for an unknown id. */
export async function findWorkspaceById(db: D1Database, id: string): Promise<WorkspaceSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT suspension_version AS version, suspended, coalesce(deletion->>'codes' = 'stop', 0) AS closed
       FROM workspaces WHERE id = ?`,
    )
    .bind(id)
    .first<{ version: number; suspended: string | null; closed: number }>();
  return row && { ...row, suspended: readSuspension(row.suspended), closed: row.closed === 1 };
}
