import type { Deps } from "./deps.ts";
import { ServiceError } from "./errors.ts";

/**
 * Returns the bucket of files.
 * @param what needs it, to begin a sentence with
 * @param instead a sentence about an alternative that works without it
 * @throws internal (503) if no bucket is bound
 */
export function requireFiles({ files }: Deps, what: string, instead: string): R2Bucket {
  if (files !== undefined) return files;
  throw new ServiceError("internal", `${what} need file storage (R2), which isn't set up here. ${instead}`, {
    status: 503,
  });
}
