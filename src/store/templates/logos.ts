import { and, eq, isNull } from "drizzle-orm";
import { catalogue, isAmong } from "../catalogue.ts";
import { logos } from "../schema/workspaces.ts";

/** The columns of a logo that are needed to draw it. */
export type LogoRow = Pick<typeof logos.$inferSelect, "id" | "mediaType" | "size">;

/** Identifies a logo, with the workspace it belongs to. */
export interface LogoId {
  readonly workspaceId: string;
  readonly id: string;
}

/**
 * Stores a logo's row; its file is to be written afterwards. The same file has the same id. A logo that is there already
 * counts as unused from now on, until the sweep finds it in use.
 * @param bytes of the file
 * @param now epoch milliseconds
 * @returns `refused` when the workspace already has `cap` other logos, or is suspended; `removing` while the sweep deletes
 *   this one
 */
export async function saveLogoRow(
  db: D1Database,
  workspaceId: string,
  { id, mediaType, size }: LogoRow,
  bytes: number,
  now: number,
  cap: number,
): Promise<"saved" | "refused" | "removing"> {
  const [saved, existing] = await db.batch([
    db
      .prepare(
        `INSERT INTO logos (workspace_id, id, media_type, size, bytes, created_at, checked_at, unused_since)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6
         WHERE ((SELECT count(*) FROM logos WHERE workspace_id = ?1) < ?7
             AND EXISTS (SELECT 1 FROM workspaces WHERE id = ?1 AND suspended IS NULL))
           OR EXISTS (SELECT 1 FROM logos WHERE workspace_id = ?1 AND id = ?2)
         ON CONFLICT DO UPDATE SET checked_at = ?6, unused_since = ?6 WHERE removing_at IS NULL
         RETURNING id`,
      )
      .bind(workspaceId, id, mediaType, JSON.stringify(size), bytes, now, cap),
    db.prepare("SELECT 1 FROM logos WHERE workspace_id = ? AND id = ?").bind(workspaceId, id),
  ]);
  if (saved?.results.length === 1) return "saved";
  return existing?.results.length === 1 ? "removing" : "refused";
}

/**
 * Those of the ids that are logos of the workspace, and not being removed. They count as unused from now on, until the sweep finds
 * them in use, so that what is about to refer to them can be stored.
 */
export async function keepLogos(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await catalogue(db)
    .update(logos)
    .set({ checkedAt: now, unusedSince: now })
    .where(and(eq(logos.workspaceId, workspaceId), isAmong(logos.id, ids), isNull(logos.removingAt)))
    .returning({ id: logos.id });
  return new Set(rows.map(({ id }) => id));
}

/** Returns a logo of the workspace, without its file. */
export async function findLogo(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<LogoRow | undefined> {
  const [row] = await catalogue(db)
    .select({ id: logos.id, mediaType: logos.mediaType, size: logos.size })
    .from(logos)
    .where(and(eq(logos.workspaceId, workspaceId), eq(logos.id, id)));
  return row;
}
