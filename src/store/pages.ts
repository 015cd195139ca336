import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Page, PageContent } from "../contract/resources/pages.ts";
import { catalogue } from "./catalogue.ts";
import { ownIds } from "./own-ids.ts";
import { pages, qrCodes } from "./schema.ts";

export type PageRow = typeof pages.$inferSelect;

/** The page as clients see it. */
export function presentPage({ id, content, createdAt, updatedAt }: PageRow, scanOrigin: string): Page {
  return {
    id,
    title: content.title,
    intro: content.intro,
    blocks: content.blocks,
    form: content.form,
    colors: content.colors,
    language: content.language,
    url: `${scanOrigin}/pages/${id}`,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** @returns whether there was room: a workspace has at most `cap` pages */
export async function insertPage(db: D1Database, row: PageRow, cap: number): Promise<boolean> {
  const { id, workspaceId, version, content, createdAt, updatedAt } = row;
  const rows = await catalogue(db).all<{ id: string }>(sql`
    INSERT INTO pages (id, workspace_id, version, content, created_at, updated_at)
    SELECT ${id}, ${workspaceId}, ${version}, ${JSON.stringify(content)}, ${createdAt}, ${updatedAt}
    WHERE (SELECT count(*) FROM pages WHERE workspace_id = ${workspaceId} AND deleted_at IS NULL) < ${cap}
    RETURNING id`);
  return rows.length === 1;
}

/** Pages of the workspace, newest first, after the id `after`. */
export async function listPages(
  db: D1Database,
  workspaceId: string,
  after: string | null,
  limit: number,
): Promise<PageRow[]> {
  return catalogue(db)
    .select()
    .from(pages)
    .where(
      and(
        eq(pages.workspaceId, workspaceId),
        isNull(pages.deletedAt),
        after === null ? undefined : lt(pages.id, after),
      ),
    )
    .orderBy(desc(pages.id))
    .limit(limit);
}

/** One page of the workspace, deleted ones only on request. */
export async function findPage(
  db: D1Database,
  workspaceId: string,
  id: string,
  { deleted }: { deleted: "hidden" | "shown" },
): Promise<PageRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(pages)
    .where(
      and(
        eq(pages.id, id),
        eq(pages.workspaceId, workspaceId),
        deleted === "hidden" ? isNull(pages.deletedAt) : undefined,
      ),
    );
  return row;
}

/** Which of these pages are the workspace's, and not deleted. */
export const ownPages = (db: D1Database, workspaceId: string, ids: readonly string[]): Promise<Set<string>> =>
  ownIds(db, pages, workspaceId, ids, isNull(pages.deletedAt));

/** Changes a page that is still as `before` says. @returns it as it is now; undefined when someone was first */
export async function updatePage(
  db: D1Database,
  before: PageRow,
  content: PageContent,
  now: number,
): Promise<PageRow | undefined> {
  const [row] = await catalogue(db)
    .update(pages)
    .set({ content, version: before.version + 1, updatedAt: now })
    .where(unchanged(before))
    .returning();
  return row;
}

/** Deletes a page that is still as `before` says, unless codes lead to it. @returns it, or undefined when it was not done */
export async function deletePage(db: D1Database, before: PageRow, now: number): Promise<PageRow | undefined> {
  const [row] = await catalogue(db)
    .update(pages)
    .set({ version: before.version + 1, updatedAt: now, deletedAt: now })
    .where(and(unchanged(before), sql`NOT EXISTS (SELECT 1 FROM qr_codes WHERE ${leadTo(before.id)})`))
    .returning();
  return row;
}

/** Codes, not deleted, that lead to a page. */
export async function countCodesOf(db: D1Database, pageId: string): Promise<number> {
  return catalogue(db).$count(qrCodes, leadTo(pageId));
}

const unchanged = ({ id, workspaceId, version }: PageRow) =>
  and(
    eq(pages.id, id),
    eq(pages.workspaceId, workspaceId),
    eq(pages.version, version),
    isNull(pages.deletedAt),
  );

/** As the index qr_codes_page has it. */
const leadTo = (pageId: string) =>
  sql`qr_type = 'servicepage' AND deleted_at IS NULL AND data->>'pageId' = ${pageId}`;
