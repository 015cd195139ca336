import { and, desc, eq, isNull, lt, ne, sql } from "drizzle-orm";
import type { Page, PageContent } from "../contract/resources/pages.ts";
import { foldCase } from "../lib/text/fold-case.ts";
import { catalogue } from "./catalogue.ts";
import { insertRecord, type NewRecord } from "./idempotency.ts";
import { filterOwnedIds } from "./owned-ids.ts";
import { pages, qrCodes } from "./schema/workspaces.ts";

export type PageRow = typeof pages.$inferSelect;

/** The page as a resource of the API. */
export function presentPage(row: PageRow, scanOrigin: string): Page {
  const { id, content, formClosed, createdAt, updatedAt, suspended } = row;
  return {
    id,
    title: content.title,
    intro: content.intro,
    blocks: content.blocks,
    form: content.form,
    formClosed,
    header: content.header,
    colors: content.colors,
    look: content.look,
    scheme: content.scheme,
    language: content.language,
    url: `${scanOrigin}/pages/${id}`,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    suspended,
  };
}

/**
 * Stores a page, with the response to its request if that has a key.
 * @param cap pages of the workspace, deleted ones that can be restored included
 * @returns false at the cap, and in a suspended workspace
 */
export async function insertPage(
  db: D1Database,
  row: PageRow,
  cap: number,
  record: NewRecord | undefined,
): Promise<boolean> {
  const { id, workspaceId, version, content, createdAt, updatedAt, titleFolded } = row;
  const insert = db
    .prepare(
      `INSERT INTO pages (id, workspace_id, version, content, created_at, updated_at, title_folded)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?8
       WHERE (SELECT count(*) FROM pages WHERE workspace_id = ?2 AND erased_at IS NULL) < ?7
         AND EXISTS (SELECT 1 FROM workspaces WHERE id = ?2 AND suspended IS NULL)
       RETURNING id`,
    )
    .bind(id, workspaceId, version, JSON.stringify(content), createdAt, updatedAt, cap, titleFolded);
  const records = record === undefined ? [] : insertRecord(db, workspaceId, { ...record, pageId: id });
  const [inserted] = await db.batch([insert, ...records]);
  return inserted?.results.length === 1;
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

/** A page by its title, where no more of it is needed. */
export interface TitledPage {
  readonly id: string;
  readonly name: string;
}

/** Pages of the workspace whose titles have all of the words, newest first. */
export async function searchPages(
  db: D1Database,
  workspaceId: string,
  words: readonly string[],
  limit: number,
): Promise<TitledPage[]> {
  const { results } = await db
    .prepare(
      `SELECT p.id, p.content->>'title' AS name
       FROM (SELECT id FROM pages WHERE workspace_id = ?1 AND deleted_at IS NULL AND NOT EXISTS (
               SELECT 1 FROM json_each(?2) w WHERE instr(title_folded, w.value) = 0)
             ORDER BY id DESC LIMIT ?3) found
       CROSS JOIN pages p ON p.id = found.id`,
    )
    .bind(workspaceId, JSON.stringify(words.map(foldCase)), limit)
    .all<TitledPage>();
  return results;
}

/** A page of the workspace; a deleted one only with `deleted: "shown"`. */
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

/** Those of the ids that are pages of the workspace and not deleted. */
export const filterOwnedPageIds = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> => filterOwnedIds(db, pages, workspaceId, ids, isNull(pages.deletedAt));

/** Updates a page. @returns the new row; undefined when the page has changed since `before` was read */
export async function updatePage(
  db: D1Database,
  before: PageRow,
  content: PageContent,
  now: number,
): Promise<PageRow | undefined> {
  const [row] = await catalogue(db)
    .update(pages)
    .set({ content, titleFolded: foldCase(content.title), version: before.version + 1, updatedAt: now })
    .where(isUnchanged(before))
    .returning();
  return row;
}

/** Closes or opens the form of a page. @returns the new row; undefined when there was nothing to change */
export async function setFormClosed(
  db: D1Database,
  workspaceId: string,
  id: string,
  formClosed: boolean,
): Promise<PageRow | undefined> {
  const [row] = await catalogue(db)
    .update(pages)
    .set({ formClosed, version: sql`${pages.version} + 1` })
    .where(
      and(
        eq(pages.id, id),
        eq(pages.workspaceId, workspaceId),
        ne(pages.formClosed, formClosed),
        isNull(pages.deletedAt),
      ),
    )
    .returning();
  return row;
}

/**
 * Deletes a page.
 * @returns the new row; undefined when the page has changed since `before` was read, or codes link to it
 */
export async function deletePage(db: D1Database, before: PageRow, now: number): Promise<PageRow | undefined> {
  const [row] = await catalogue(db)
    .update(pages)
    .set({ version: before.version + 1, updatedAt: now, deletedAt: now })
    .where(and(isUnchanged(before), sql`NOT EXISTS (SELECT 1 FROM qr_codes WHERE ${linksTo(before.id)})`))
    .returning();
  return row;
}

/** How many codes of the workspace link to a page, without deleted codes. */
export async function countCodesLinkingTo(
  db: D1Database,
  workspaceId: string,
  pageId: string,
): Promise<number> {
  // The + keeps SQLite from choosing an index of workspace_id, which would read all of the workspace's pages.
  return catalogue(db).$count(qrCodes, sql`${linksTo(pageId)} AND +workspace_id = ${workspaceId}`);
}

/** How many codes of the workspace link to each page, without deleted codes. Pages without any are missing. */
export async function countCodesOfPages(
  db: D1Database,
  workspaceId: string,
  pageIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await catalogue(db).all<{ pageId: string; codes: number }>(sql`
    SELECT data->>'pageId' AS pageId, count(*) AS codes FROM qr_codes
    WHERE qr_type = 'servicepage' AND deleted_at IS NULL AND +workspace_id = ${workspaceId}
      AND data->>'pageId' IN (SELECT value FROM json_each(${JSON.stringify(pageIds)}))
    GROUP BY 1`);
  return new Map(rows.map(({ pageId, codes }) => [pageId, codes]));
}

/** A code that links to a page. */
export interface LinkingCode {
  readonly id: string;
  readonly name: string | null;
  readonly hash: string;
}

/** The codes of the workspace that link to a page, without deleted codes. @param limit codes at most */
export const codesLinkingTo = (
  db: D1Database,
  workspaceId: string,
  pageId: string,
  limit: number,
): Promise<LinkingCode[]> =>
  catalogue(db).all<LinkingCode>(sql`
    SELECT id, name, hash FROM qr_codes WHERE ${linksTo(pageId)} AND +workspace_id = ${workspaceId} LIMIT ${limit}`);

const isUnchanged = ({ id, workspaceId, version }: PageRow) =>
  and(
    eq(pages.id, id),
    eq(pages.workspaceId, workspaceId),
    eq(pages.version, version),
    isNull(pages.deletedAt),
  );

/** The condition of the index qr_codes_page. */
const linksTo = (pageId: string) =>
  sql`qr_type = 'servicepage' AND deleted_at IS NULL AND data->>'pageId' = ${pageId}`;
