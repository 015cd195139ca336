import type { QrStatus, QrType } from "../contract/resources/enums.ts";
import type { PageContent } from "../contract/resources/pages.ts";
import type { QrData } from "../contract/resources/qr-data.ts";

/**
 * What the catalogue knows of a route. Both reads ask the primary database, because a lagging replica would not know a
 * code created a second ago, and neither takes an owner, because a scan has none. Plain SQL and no drizzle: the
 * redirect loads this module and must start fast.
 */

/** The columns of a code that make its route. */
export interface CodeSource {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly qrType: QrType;
  readonly status: QrStatus;
  readonly data: QrData;
  readonly deletedAt: number | null;
}

/** The code with this hash, deleted or not; null when no code ever had it. */
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

/** The columns of a hosted page that make its route. */
export interface PageSource {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly content: PageContent;
  readonly deletedAt: number | null;
}

/** The hosted page with this id, deleted or not; null when there never was one. */
export async function findPageById(db: D1Database, id: string): Promise<PageSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT id, workspace_id AS workspaceId, version, content, deleted_at AS deletedAt FROM pages WHERE id = ?`,
    )
    .bind(id)
    .first<Omit<PageSource, "content"> & { content: string }>();
  return row && { ...row, content: JSON.parse(row.content) as PageContent };
}
