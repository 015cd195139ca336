import type { LogoId } from "./logos.ts";

/** Logo files in R2. The key contains the workspace, so two workspaces with equal files have two objects. */
const fileKey = ({ workspaceId, id }: LogoId): string => `logos/${workspaceId}/${id}`;

/** Writes a logo's file. Writing it again has no effect, since the id is a hash of the bytes. */
export async function writeLogoFile(files: R2Bucket, logo: LogoId, bytes: Uint8Array): Promise<void> {
  await files.put(fileKey(logo), bytes);
}

/** Returns a logo's file; null if it is missing. */
export async function readLogoFile(files: R2Bucket, logo: LogoId): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await files.get(fileKey(logo));
  return object && new Uint8Array(await object.arrayBuffer());
}

/** Deletes logo files, at most 1,000 at a time. */
export async function deleteLogoFiles(files: R2Bucket, logos: readonly LogoId[]): Promise<void> {
  await files.delete(logos.map(fileKey));
}
