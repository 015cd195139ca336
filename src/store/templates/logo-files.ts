import type { LogoId } from "./logos.ts";

/** The files of logos in R2. The key contains the workspace, so that equal files of two workspaces are two objects. */
const fileKey = ({ workspaceId, id }: LogoId): string => `logos/${workspaceId}/${id}`;

/** Writes the file of a logo. Its bytes follow from its id, so writing it again changes nothing. */
export async function writeLogoFile(files: R2Bucket, logo: LogoId, bytes: Uint8Array): Promise<void> {
  await files.put(fileKey(logo), bytes);
}

/** The file of a logo; null if it is missing. */
export async function readLogoFile(files: R2Bucket, logo: LogoId): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await files.get(fileKey(logo));
  return object && new Uint8Array(await object.arrayBuffer());
}

/** Deletes the files of logos, at most 1000 at a time. */
export async function deleteLogoFiles(files: R2Bucket, logos: readonly LogoId[]): Promise<void> {
  await files.delete(logos.map(fileKey));
}
