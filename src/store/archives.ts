import { gunzipLines } from "../lib/web/gzip-lines.ts";
import type { ArchiveFile } from "../protocol/archives.ts";

/** Reads the lines of a file of archived scans, some at a time; null if the file is missing. */
export async function openArchive(
  files: R2Bucket,
  { key }: ArchiveFile,
): Promise<AsyncGenerator<string[]> | null> {
  const object = await files.get(key);
  return object && gunzipLines(object.body);
}
