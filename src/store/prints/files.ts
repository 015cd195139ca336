import type { ExpiredPrint } from "./removal.ts";

/**
 * A print job's objects in R2. Each has a unique name, so that two workers that believe each other dead never write the
 * same object.
 */
const prefixOf = ({ workspaceId, id }: ExpiredPrint): string => `prints/${workspaceId}/${id}/`;

/** Returns a new name for an object of the job. */
export const newPrintKey = (job: ExpiredPrint): string => `${prefixOf(job)}${crypto.randomUUID()}`;

/** Returns the key of the list of the job's codes. */
const listKey = (job: ExpiredPrint): string => `${prefixOf(job)}codes.json`;

/** The contents of a part, which are put together at the end. */
const indexKey = (part: string): string => `${part}.json`;

/** A code of a job, as it was when the job began, and the name of its file. */
export type PrintedCode = readonly [id: string, hash: string, name: string | null, file: string];

export async function writePrintedCodes(
  files: R2Bucket,
  job: ExpiredPrint,
  codes: readonly PrintedCode[],
): Promise<void> {
  await files.put(listKey(job), JSON.stringify(codes));
}

export const readPrintedCodes = (files: R2Bucket, job: ExpiredPrint): Promise<PrintedCode[]> =>
  readJson(files, listKey(job));

/** Writes a part of a job's file, and its index. */
export async function writePrintPart(
  files: R2Bucket,
  key: string,
  bytes: Uint8Array,
  index: unknown,
): Promise<void> {
  await files.put(key, bytes);
  await files.put(indexKey(key), JSON.stringify(index));
}

/** The contents of a part. */
export const readPrintIndex = <Index>(files: R2Bucket, key: string): Promise<Index> =>
  readJson(files, indexKey(key));

async function readJson<T>(files: R2Bucket, key: string): Promise<T> {
  const object = await files.get(key);
  if (object === null) throw new Error(`the object ${key} is missing`);
  return object.json();
}

/** Returns whether a part exists. */
export const isPrintPart = async (files: R2Bucket, key: string): Promise<boolean> =>
  (await files.head(key)) !== null;

/** Returns the bytes of a part; null if it is missing. */
export const openPrintPart = async (
  files: R2Bucket,
  key: string,
): Promise<ReadableStream<Uint8Array> | null> => (await files.get(key))?.body ?? null;

/** Deletes a part that belongs to no job. */
export const deletePrintPart = (files: R2Bucket, key: string): Promise<void> =>
  files.delete([key, indexKey(key)]);

/** How many objects one call lists and deletes. */
const objectsPerPage = 1000;

/** Deletes all objects of a job. */
export async function deletePrintFiles(files: R2Bucket, job: ExpiredPrint): Promise<void> {
  for (;;) {
    const { objects, truncated } = await files.list({ prefix: prefixOf(job), limit: objectsPerPage });
    if (objects.length > 0) await files.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}
