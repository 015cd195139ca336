import type { LogoId } from "./logos.ts";

/** Where logo files are: the bucket, and the catalogue for those that were stored while there was none. */
export interface LogoStores {
  readonly files: R2Bucket | undefined;
  readonly db: D1Database;
}

/** The key in R2 contains the workspace, so two workspaces with equal files have two objects. */
const fileKey = ({ workspaceId, id }: LogoId): string => `logos/${workspaceId}/${id}`;

/** A logo's drawing is beside its file. */
const drawingKey = (logo: LogoId): string => `${fileKey(logo)}.drawing`;

/**
 * Writes a logo's file. Writing it again has no effect, since the id is a hash of the bytes. @param drawing of an SVG
 */
export async function writeLogoFile(
  { files, db }: LogoStores,
  logo: LogoId,
  bytes: Uint8Array,
  drawing: string | undefined,
): Promise<void> {
  if (files !== undefined) {
    await Promise.all([
      files.put(fileKey(logo), bytes),
      drawing === undefined ? undefined : files.put(drawingKey(logo), drawing),
    ]);
    return;
  }
  await db
    .prepare(
      `INSERT INTO logo_files (workspace_id, id, bytes, drawing) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET drawing = coalesce(excluded.drawing, drawing)`,
    )
    .bind(logo.workspaceId, logo.id, bytes, drawing ?? null)
    .run();
}

/** Writes the drawing of a logo beside its file. */
export async function writeLogoDrawing(
  { files, db }: LogoStores,
  logo: LogoId,
  drawing: string,
): Promise<void> {
  const { meta } = await db
    .prepare("UPDATE logo_files SET drawing = ?3 WHERE workspace_id = ?1 AND id = ?2")
    .bind(logo.workspaceId, logo.id, drawing)
    .run();
  if (meta.changes === 0) await files?.put(drawingKey(logo), drawing);
}

/** Returns a logo's drawing; null if it is missing. */
export async function readLogoDrawing({ files, db }: LogoStores, logo: LogoId): Promise<string | null> {
  const object = await files?.get(drawingKey(logo));
  if (object) return object.text();
  return db
    .prepare("SELECT drawing FROM logo_files WHERE workspace_id = ? AND id = ?")
    .bind(logo.workspaceId, logo.id)
    .first<string>("drawing");
}

/** Returns a logo's file; null if it is missing. */
export async function readLogoFile(
  { files, db }: LogoStores,
  logo: LogoId,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await files?.get(fileKey(logo));
  if (object) return new Uint8Array(await object.arrayBuffer());
  const bytes = await db
    .prepare("SELECT bytes FROM logo_files WHERE workspace_id = ? AND id = ?")
    .bind(logo.workspaceId, logo.id)
    .first<number[]>("bytes");
  return bytes && new Uint8Array(bytes);
}

/** Deletes logo files and their drawings, at most 500 at a time. */
export async function deleteLogoFiles({ files, db }: LogoStores, logos: readonly LogoId[]): Promise<void> {
  await files?.delete(logos.flatMap((logo) => [fileKey(logo), drawingKey(logo)]));
  await db
    .prepare(
      `DELETE FROM logo_files WHERE (workspace_id, id) IN
         (SELECT value->>'workspaceId', value->>'id' FROM json_each(?))`,
    )
    .bind(JSON.stringify(logos))
    .run();
}
