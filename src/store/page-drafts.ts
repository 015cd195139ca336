import { and, eq } from "drizzle-orm";
import { catalogue, isAmong } from "./catalogue.ts";
import { users } from "./schema/identity.ts";
import { type PageDraftContent, pageDrafts } from "./schema/page-drafts.ts";

export type { PageDraftContent };

/** The draft of a page. Times are epoch milliseconds. */
export type PageDraftRow = typeof pageDrafts.$inferSelect;

/** A draft, and the name of the person who saved it last; null if the account is gone. */
export interface SavedDraft extends PageDraftRow {
  readonly savedBy: string | null;
}

/** Returns the draft of a page of the workspace. */
export async function findPageDraft(
  db: D1Database,
  workspaceId: string,
  pageId: string,
): Promise<SavedDraft | undefined> {
  const [found] = await catalogue(db)
    .select({ draft: pageDrafts, userId: users.id, name: users.name, email: users.email })
    .from(pageDrafts)
    .leftJoin(users, eq(users.id, pageDrafts.updatedBy))
    .where(and(eq(pageDrafts.pageId, pageId), eq(pageDrafts.workspaceId, workspaceId)));
  if (found === undefined) return undefined;
  const { draft, userId, name, email } = found;
  return { ...draft, savedBy: userId === null ? null : (name ?? email ?? "Someone") };
}

/** Returns which of the workspace's pages have a draft. */
export async function filterPagesWithDraft(
  db: D1Database,
  workspaceId: string,
  pageIds: readonly string[],
): Promise<Set<string>> {
  if (pageIds.length === 0) return new Set();
  const rows = await catalogue(db)
    .select({ pageId: pageDrafts.pageId })
    .from(pageDrafts)
    .where(and(isAmong(pageDrafts.pageId, pageIds), eq(pageDrafts.workspaceId, workspaceId)));
  return new Set(rows.map(({ pageId }) => pageId));
}

/**
 * Stores the draft of a page that isn't deleted, unless another one was saved in the meantime.
 * @param draft with its version: one more than that of the draft it replaces, so 1 for the first
 * @returns whether it was stored
 */
export async function savePageDraft(db: D1Database, draft: PageDraftRow): Promise<boolean> {
  const { pageId, workspaceId, version, content, baseVersion, updatedAt, updatedBy } = draft;
  const isLive = "EXISTS (SELECT 1 FROM pages WHERE id = ?1 AND workspace_id = ?2 AND deleted_at IS NULL)";
  const saved = await db
    .prepare(
      version === 1
        ? `INSERT INTO page_drafts (page_id, workspace_id, version, content, base_version, updated_at, updated_by)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ${isLive} ON CONFLICT DO NOTHING RETURNING version`
        : `UPDATE page_drafts SET version = ?3, content = ?4, base_version = ?5, updated_at = ?6, updated_by = ?7
           WHERE page_id = ?1 AND workspace_id = ?2 AND version = ?3 - 1 AND ${isLive} RETURNING version`,
    )
    .bind(pageId, workspaceId, version, JSON.stringify(content), baseVersion, updatedAt, updatedBy)
    .first();
  return saved !== null;
}

/** Deletes a version of a page's draft. @returns whether the draft had this version */
export async function deletePageDraft(
  db: D1Database,
  { workspaceId, pageId, version }: Pick<PageDraftRow, "workspaceId" | "pageId" | "version">,
): Promise<boolean> {
  const { meta } = await db
    .prepare("DELETE FROM page_drafts WHERE page_id = ? AND workspace_id = ? AND version = ?")
    .bind(pageId, workspaceId, version)
    .run();
  return meta.changes > 0;
}
