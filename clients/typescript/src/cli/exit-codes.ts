import { ApiError } from "../index.ts";

/** Exit codes, as `qr --help` and the README list them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  someRowsFailed: 5,
  interrupted: 130,
} as const;

/** The command can't be understood, or lacks something. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Returns the exit code of an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (!(error instanceof ApiError)) return exitCodes.failed;
  if ([401, 402, 403].includes(error.status)) return exitCodes.notAllowed;
  return error.status === 404 ? exitCodes.notFound : exitCodes.failed;
}
