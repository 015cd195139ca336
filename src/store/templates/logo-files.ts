import type { LogoId } from "./logos.ts";

/** Where logo files are: the bucket, and the catalogue for those that were stored while there was none. */
export interface LogoStores {
  readonly files: R2Bucket | undefined;
  readonly db: D1Database;
}

/** The key in R2 contains the workspace, so two workspaces with equal files have two objects. */
const fileKey = ({ workspaceId, id }: LogoId): string => `logos/${workspaceId}/${id}`;

/** Writes a logo's file. Writing it again has no effect, since the id is a hash of the bytes. */
export async function writeLogoFile(
  { files, db }: LogoStores,
  logo: LogoId,
  bytes: Uint8Array,
): Promise<void> {
  if (files !== undefined) {
    await files.put(fileKey(logo), bytes);
    return;
  }
  await db
    .prepare("INSERT INTO logo_files (workspace_id, id, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    .bind(logo.workspaceId, logo.id, bytes)
    .run();
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

/** Deletes logo files, at most 1,000 at a time. */
export async function deleteLogoFiles({ files, db }: LogoStores, logos: readonly LogoId[]): Promise<void> {
  await files?.delete(logos.map(fileKey));
  await db
    .prepare(
      `DELETE FROM logo_files WHERE (workspace_id, id) IN
         (SELECT value->>'workspaceId', value->>'id' FROM json_each(?))`,
    )
    .bind(JSON.stringify(logos))
    .run();
}
