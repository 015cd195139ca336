import { and, eq } from "drizzle-orm";
import { catalogue } from "./catalogue.ts";
import { logos } from "./schema.ts";

/** A logo without its bytes. */
export type LogoRow = Pick<typeof logos.$inferSelect, "id" | "mediaType" | "size">;

/**
 * Stores a logo unless it is stored already: the same bytes have the same id.
 * @param createdAt epoch milliseconds
 * @returns false when the workspace already has `cap` other logos
 */
export async function insertLogo(
  db: D1Database,
  workspaceId: string,
  { id, mediaType, size }: LogoRow,
  bytes: Uint8Array,
  createdAt: number,
  cap: number,
): Promise<boolean> {
  const [, stored] = await db.batch([
    db
      .prepare(
        `INSERT INTO logos (workspace_id, id, media_type, bytes, size, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE (SELECT count(*) FROM logos WHERE workspace_id = ?1) < ?7
         ON CONFLICT DO NOTHING`,
      )
      .bind(workspaceId, id, mediaType, bytes, JSON.stringify(size), createdAt, cap),
    db.prepare("SELECT 1 FROM logos WHERE workspace_id = ? AND id = ?").bind(workspaceId, id),
  ]);
  return stored?.results.length === 1;
}

/** A logo of the workspace, without its bytes. */
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

/** The bytes of a logo of the workspace. @throws Error for an unknown id: logos are never deleted */
export async function readLogoBytes(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const row = await db
    .prepare("SELECT bytes FROM logos WHERE workspace_id = ? AND id = ?")
    .bind(workspaceId, id)
    .first<{ bytes: number[] }>();
  if (row === null) throw new Error(`workspace ${workspaceId} has no logo ${id}`);
  return new Uint8Array(row.bytes);
}
