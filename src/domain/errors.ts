import { type ErrorCode, httpStatusOf, rateLimitExceeded } from "../contract/error-codes.ts";
import { limits } from "../contract/limits.ts";
import { asSentence } from "../contract/sentences.ts";
import { isQuotaUsedUp } from "../lib/daily-quota.ts";
import { JsonError } from "../lib/text/json.ts";
import { isFailureOfObject, isRefused, isStorageFull } from "../store/database-errors.ts";

/**
 * An error that clients see. Its message is written for them and names the field. All other errors are answered with a
 * fixed text.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The invalid field, and words that follow its name, so that forms can show the problem beside it. */
  readonly invalid: InvalidField | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { status?: number; headers?: Record<string, string>; invalid?: InvalidField } = {},
  ) {
    super(message);
    this.code = code;
    this.status = options.status ?? httpStatusOf[code];
    this.headers = options.headers ?? {};
    this.invalid = options.invalid;
  }
}

/** A field by its path, such as `data.url`, and its problem. */
export interface InvalidField {
  readonly field: string;
  readonly problem: string;
}

/** Creates the error for an invalid field. @param problem as in `asSentence` */
export const invalid = (field: string, problem: string, status = 400) =>
  new ServiceError("invalid_input", asSentence(field, problem), { status, invalid: { field, problem } });

/** Creates the error for reaching a limit that is the same on every plan. @param remedy a sentence */
export const limitReached = (limit: number, resources: string, remedy: string) =>
  new ServiceError("invalid_input", `A workspace can have at most ${limit} ${resources}. ${remedy}`);

/** Creates the error for a missing or rejected credential. */
export const unauthorized = (message: string) =>
  new ServiceError("unauthorized", message, { headers: { "www-authenticate": "Bearer" } });

/** Creates the error for an unknown id. It is the same for a malformed or deleted id and another workspace's. */
export const notFound = (resource: string) => new ServiceError("not_found", `${resource} not found.`);

/** Said where something has ended with its workspace, also once the deletion is cancelled. */
export const workspaceDeleted = "The deletion of the workspace was requested";

/** Requires that an address has few parameters, before they are read. @throws invalid_input */
export function requireFewParameters(address: string): void {
  const count = address.includes("?") ? address.split("&").length : 0;
  if (count > limits.parameters) throw invalid("query", `can have at most ${limits.parameters} parameters`);
}

/** Versions of a resource that a change may be based on; undefined for any. */
export type Versions = readonly number[] | undefined;

/** Requires that a request is based on a resource's version. @throws invalid_input (412) if it isn't */
export function requireVersion({ version }: { readonly version: number }, versions: Versions): void {
  if (versions === undefined || versions.includes(version)) return;
  const message = `The version is "${version}", which If-Match doesn't name. Apply your change to \`current\`.`;
  throw new ServiceError("invalid_input", message, { status: 412 });
}

/** Returns a value that was looked up. @throws not_found if it is undefined */
export function requireFound<T>(value: T | undefined, resource: string): T {
  if (value === undefined) throw notFound(resource);
  return value;
}

/** Returns what `work` finds; undefined if it isn't there. */
export async function ifFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Creates the error for a workspace without space. */
export const storageFull = (status = 402) =>
  new ServiceError(
    "plan_limit",
    `Your workspace has reached the storage limit of its plan. Upgrade, or delete what you no longer need, which frees space within ${limits.deletedDays} days.`,
    { status },
  );

/** Seconds after which a client may retry what a part of the service refused. */
export const unavailableSeconds = 10;

/** Creates the error for a failure that isn't the client's, whose text clients never see. */
export const internalError = () =>
  new ServiceError("internal", "Something went wrong on our side. Try again.");

/** Creates the error for a part of the service that doesn't work now. */
export const unavailable = () =>
  new ServiceError("internal", "The service is temporarily unavailable. Try again.", {
    status: 503,
    headers: { "retry-after": String(unavailableSeconds) },
  });

/** Creates the error for a used-up quota of Cloudflare's plan, which begins anew at midnight UTC. */
const quotaUsedUp = () =>
  new ServiceError(
    "internal",
    "This service has used up its Cloudflare plan's quota for today. Codes still work. Try again after midnight UTC.",
    { status: 503, headers: { "retry-after": "3600" } },
  );

/** Returns the error's response, if it isn't our fault or a retry may succeed. */
export function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (error instanceof JsonError) {
    return new ServiceError("invalid_input", error.message, { status: error.status });
  }
  if (isStorageFull(error)) return storageFull();
  if (isQuotaUsedUp(error)) return quotaUsedUp();
  return isRefused(error) || isFailureOfObject(error) ? unavailable() : undefined;
}

/** Creates the error for too many requests. @param retryAfter seconds until the next one is accepted */
export const rateLimited = (retryAfter: number) =>
  new ServiceError("rate_limited", rateLimitExceeded, {
    headers: { "retry-after": String(retryAfter) },
  });
