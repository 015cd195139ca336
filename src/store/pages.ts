import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Page } from "../contract/resources/pages.ts";
import { foldCase } from "../lib/text/fold-case.ts";
import { pageKey } from "../protocol/routes.ts";
import { catalogue } from "./catalogue.ts";
import { type Query, query } from "./queries.ts";
import { isSet, resourceKind, roomFor } from "./resources/kind.ts";
import { pages, qrCodes } from "./schema/workspaces.ts";

export type PageRow = typeof pages.$inferSelect;

/** Pages as resources. Those that can be restored count towards the cap. */
export const pageKind = resourceKind(
  pages,
  {
    ...{ id: {}, workspaceId: {}, version: {}, createdAt: {}, updatedAt: {}, erasedAt: {}, titleFolded: {} },
    content: { route: true },
    formClosed: { route: true },
    deletedAt: { route: true },
    suspended: { route: true },
  },
  {
    publicationKey: `'${pageKey("")}' || c.id`,
    conditions: {
      room: roomFor<PageRow>("pages", "erased_at IS NULL", 0),
      // Printed codes can't be recalled.
      unlinked: {
        of: (change) => (isSet(change, "deletedAt") && change.after.deletedAt !== null ? 1 : undefined),
        sql: () =>
          "NOT EXISTS (SELECT 1 FROM qr_codes WHERE qr_type = 'servicepage' AND deleted_at IS NULL AND data->>'pageId' = c.id)",
      },
    },
  },
);

/** Converts a row to the API's resource. */
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

/** Returns the workspace's pages, newest first, after the id `after`. */
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

/** A page with only its title. */
export interface TitledPage {
  readonly id: string;
  readonly name: string;
}

/** Returns the workspace's pages whose titles contain all of the words, newest first. */
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

/** Returns titles of the workspace's pages by id, including deleted pages. */
export async function findPageTitles(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { results } = await db
    .prepare(
      `SELECT p.id, p.content->>'title' AS name FROM json_each(?1) i CROSS JOIN pages p ON p.id = i.value
       WHERE p.workspace_id = ?2`,
    )
    .bind(JSON.stringify(ids), workspaceId)
    .all<TitledPage>();
  return new Map(results.map(({ id, name }) => [id, name]));
}

/** Returns a page of the workspace; a deleted one only with `deleted: "shown"`. */
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

/** Asks for the ids of pages of the workspace that aren't deleted. */
export const pageIdsQuery = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Query<ReadonlySet<string>> =>
  query(
    db
      .prepare(
        `SELECT p.id FROM json_each(?2) i
         CROSS JOIN pages p ON p.id = i.value AND p.workspace_id = ?1 AND p.deleted_at IS NULL`,
      )
      .bind(workspaceId, JSON.stringify(ids)),
    (rows: readonly Pick<PageRow, "id">[]) => new Set(rows.map(({ id }) => id)),
  );

/** Counts the workspace's codes that link to a page, excluding deleted ones. */
export async function countCodesLinkingTo(
  db: D1Database,
  workspaceId: string,
  pageId: string,
): Promise<number> {
  // The + keeps SQLite from using an index of workspace_id, which would read all of the workspace's pages.
  return catalogue(db).$count(qrCodes, sql`${linksTo(pageId)} AND +workspace_id = ${workspaceId}`);
}

/** Counts, for each page, the workspace's codes that link to it, excluding deleted ones. Omits pages without codes. */
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

/** Returns the workspace's codes that link to pages, each with its page, excluding deleted ones. */
export async function listCodesOfPages(
  db: D1Database,
  workspaceId: string,
  pageIds: readonly string[],
  limit: number,
): Promise<{ group: string; id: string }[]> {
  return catalogue(db).all<{ group: string; id: string }>(sql`
    SELECT data->>'pageId' AS "group", id FROM qr_codes
    WHERE qr_type = 'servicepage' AND deleted_at IS NULL AND +workspace_id = ${workspaceId}
      AND data->>'pageId' IN (SELECT value FROM json_each(${JSON.stringify(pageIds)})) LIMIT ${limit}`);
}

/**
 * Returns ids of the workspace's codes that link to a page, excluding deleted ones. @param limit maximum number of
 * codes
 */
export async function listCodesLinkingTo(
  db: D1Database,
  workspaceId: string,
  pageId: string,
  limit: number,
): Promise<string[]> {
  const rows = await catalogue(db).all<{ id: string }>(sql`
    SELECT id FROM qr_codes WHERE ${linksTo(pageId)} AND +workspace_id = ${workspaceId} LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/** Must match the condition of the index qr_codes_page. */
const linksTo = (pageId: string) =>
  sql`qr_type = 'servicepage' AND deleted_at IS NULL AND data->>'pageId' = ${pageId}`;
