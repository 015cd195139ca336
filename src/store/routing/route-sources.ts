import type { QrStatus, QrType } from "../../contract/resources/enums.ts";
import type { PageContent } from "../../contract/resources/pages.ts";
import type { Utm } from "../../contract/resources/qr.ts";
import type { QrData } from "../../contract/resources/qr-data.ts";
import type { Suspension } from "../../contract/resources/suspension.ts";

/**
 * The catalogue's rows that routes are computed from. All reads use the primary database, because a replica may lag
 * behind and lack a code created a second ago. They take no workspace, because a scan has none. Plain SQL instead of
 * drizzle keeps the start-up of the redirect fast.
 */

/** The columns of a code that its route is computed from. */
export interface CodeSource {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly qrType: QrType;
  readonly status: QrStatus;
  readonly data: QrData;
  readonly deletedAt: number | null;
  readonly suspended: Suspension | null;
  readonly startsAt: number | null;
  readonly expiresAt: number | null;
  readonly fallbackUrl: string | null;
  readonly utm: Utm | null;
}

/** The columns of a code in SQL. @param alias of qr_codes */
export const codeSourceColumns = (alias: string): string =>
  `${alias}.id, ${alias}.workspace_id AS workspaceId, ${alias}.version, ${alias}.qr_type AS qrType, ${alias}.status,
   ${alias}.data, ${alias}.deleted_at AS deletedAt, ${alias}.suspended, ${alias}.starts_at AS startsAt,
   ${alias}.expires_at AS expiresAt, ${alias}.fallback_url AS fallbackUrl, ${alias}.utm`;

/** A row of these columns, in which JSON is text. */
export interface CodeSourceRow extends Omit<CodeSource, "data" | "suspended" | "utm"> {
  readonly data: string;
  readonly utm: string | null;
  readonly suspended: string | null;
}

/** Parses the JSON of a row. */
export const readCodeSource = <Row extends CodeSourceRow>(row: Row) => ({
  ...row,
  data: JSON.parse(row.data) as QrData,
  suspended: readSuspension(row.suspended),
  utm: row.utm === null ? null : (JSON.parse(row.utm) as Utm),
});

/** A suspension from its column. */
export const readSuspension = (text: string | null): Suspension | null =>
  text === null ? null : (JSON.parse(text) as Suspension);

/** The code with this hash, deleted or not; null for an unknown hash. */
export async function findCodeByHash(db: D1Database, hash: string): Promise<CodeSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(`SELECT ${codeSourceColumns("c")} FROM qr_codes c WHERE c.hash = ?`)
    .bind(hash)
    .first<CodeSourceRow>();
  return row && readCodeSource(row);
}

/** The hash of the code whose folded hash this is, deleted or not; null if there is none. */
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

/** The hosted page with this id, deleted or not; null for an unknown id. */
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
}

/** The workspace with this id; null for an unknown id. */
export async function findWorkspaceById(db: D1Database, id: string): Promise<WorkspaceSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare("SELECT suspension_version AS version, suspended FROM workspaces WHERE id = ?")
    .bind(id)
    .first<{ version: number; suspended: string | null }>();
  return row && { ...row, suspended: readSuspension(row.suspended) };
}
