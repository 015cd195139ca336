import { and, eq } from "drizzle-orm";
import type { PageImageType } from "../contract/resources/enums.ts";
import { catalogue, isNotSuspended } from "./catalogue.ts";
import { rowReader } from "./rows.ts";
import { pageImages } from "./schema/page-images.ts";

/** A row of the table. Times are epoch milliseconds. */
export type PageImageRow = typeof pageImages.$inferSelect;

/** Identifies an image, with the workspace it belongs to. */
export type PageImageId = Pick<PageImageRow, "workspaceId" | "id">;

const rows = rowReader(pageImages);

/** The key in R2 contains the workspace, so two workspaces with equal files have two objects. */
const fileKey = ({ workspaceId, id }: PageImageId): string => `page-images/${workspaceId}/${id}`;

/** Writes an image's file. Writing it again has no effect, since the id is a hash of the bytes. */
export async function writePageImageFile(
  files: R2Bucket,
  image: PageImageId,
  mediaType: PageImageType,
  bytes: Uint8Array,
): Promise<void> {
  await files.put(fileKey(image), bytes, { httpMetadata: { contentType: mediaType } });
}

/** Opens an image's file; null if it is missing. */
export const openPageImageFile = (files: R2Bucket, image: PageImageId): Promise<R2ObjectBody | null> =>
  files.get(fileKey(image));

/** Deletes images' files, at most 1000 at a time. */
export const deletePageImageFiles = (files: R2Bucket, images: readonly PageImageId[]): Promise<void> =>
  files.delete(images.map(fileKey));

/** How many different images a workspace may have, and the bytes of all. */
interface Caps {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Stores an image's row; the caller then writes its file. An existing image counts as used from now on.
 * @returns the image; `refused` if the workspace is at a limit or suspended; `removing` while the sweep deletes this image
 */
export async function savePageImageRow(
  db: D1Database,
  { workspaceId, id, mediaType, bytes }: Pick<PageImageRow, "workspaceId" | "id" | "mediaType" | "bytes">,
  now: number,
  caps: Caps,
): Promise<PageImageRow | "refused" | "removing"> {
  const others = "FROM page_images WHERE workspace_id = ?1 AND id <> ?2";
  const [saved, found] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `INSERT INTO page_images (workspace_id, id, media_type, bytes, created_at, used_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?5
         WHERE ${isNotSuspended("?1")} AND (SELECT count(*) < ?6 AND coalesce(sum(bytes), 0) + ?4 <= ?7 ${others})
         ON CONFLICT DO UPDATE SET used_at = ?5 WHERE removing_at IS NULL
         RETURNING *`,
      )
      .bind(workspaceId, id, mediaType, bytes, now, caps.count, caps.bytes),
    db
      .prepare("SELECT 1 FROM page_images WHERE workspace_id = ? AND id = ? AND removing_at IS NOT NULL")
      .bind(workspaceId, id),
  ]);
  const [row] = saved?.results ?? [];
  if (row !== undefined) return rows.read(row);
  return found?.results.length === 0 ? "refused" : "removing";
}

/**
 * Keeps images of the workspace, which count as used from now on, so that rows about to refer to them can be stored.
 * @returns the ids of those that are stored
 */
export async function keepPageImages(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { results } = await db
    .prepare(
      `UPDATE page_images SET used_at = ?3
       WHERE workspace_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND removing_at IS NULL RETURNING id`,
    )
    .bind(workspaceId, JSON.stringify(ids), now)
    .all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
}

/** Returns an image of the workspace. */
export async function findPageImage(
  db: D1Database,
  { workspaceId, id }: PageImageId,
): Promise<PageImageRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(pageImages)
    .where(and(eq(pageImages.workspaceId, workspaceId), eq(pageImages.id, id)));
  return row;
}

/** SQL for whether a page or a draft contains the image `i`. Deleted pages count until they are erased. */
const isUsed = `EXISTS (SELECT 1 FROM page_image_uses u WHERE u.workspace_id = i.workspace_id AND u.image_id = i.id)`;

/**
 * Takes the images that were last used at `before` or earlier, longest ago first, of all workspaces, and marks those that
 * no page contains as being removed. A marked image can't be added or used again until its row is deleted, so
 * that deleting its file can't affect a new one.
 * @returns the marked images, including those whose removal was interrupted
 */
export async function markUnusedPageImages(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<PageImageId[]> {
  const due = `(i.workspace_id, i.id) IN
    (SELECT workspace_id, id FROM page_images WHERE used_at <= ?1 ORDER BY used_at LIMIT ?3)`;
  const [marked] = await db.batch<PageImageId>([
    db
      .prepare(
        `UPDATE page_images AS i SET removing_at = ?2 WHERE ${due} AND (removing_at IS NOT NULL OR NOT ${isUsed})
         RETURNING workspace_id AS workspaceId, id`,
      )
      .bind(before, now, limit),
    db
      .prepare(`UPDATE page_images AS i SET used_at = ?2 WHERE ${due} AND removing_at IS NULL`)
      .bind(before, now, limit),
  ]);
  return marked?.results ?? [];
}
