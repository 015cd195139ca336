import type { QrStatus, QrType } from "../contract/resources/enums.ts";
import type { PageContent } from "../contract/resources/pages.ts";
import type { QrData } from "../contract/resources/qr-data.ts";

/**
 * The catalogue's rows that routes are computed from. Both reads use the primary database, because a replica may lag
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
}

/** The code with this hash, deleted or not; null for an unknown hash. */
export async function findCodeByHash(db: D1Database, hash: string): Promise<CodeSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT id, workspace_id AS workspaceId, version, qr_type AS qrType, status, data, deleted_at AS deletedAt
       FROM qr_codes WHERE hash = ?`,
    )
    .bind(hash)
    .first<Omit<CodeSource, "data"> & { data: string }>();
  return row && { ...row, data: JSON.parse(row.data) as QrData };
}

/** The columns of a hosted page that its route is computed from. */
export interface PageSource {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly content: PageContent;
  readonly formClosed: boolean;
  readonly deletedAt: number | null;
}

/** The hosted page with this id, deleted or not; null for an unknown id. */
export async function findPageById(db: D1Database, id: string): Promise<PageSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT id, workspace_id AS workspaceId, version, content, form_closed AS formClosed,
         deleted_at AS deletedAt FROM pages WHERE id = ?`,
    )
    .bind(id)
    .first<Omit<PageSource, "content" | "formClosed"> & { content: string; formClosed: number }>();
  return row && { ...row, content: JSON.parse(row.content) as PageContent, formClosed: row.formClosed === 1 };
}
