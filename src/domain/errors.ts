import { type ErrorCode, httpStatusOf } from "../contract/errors.ts";
import { asSentence } from "../contract/issues.ts";
import { limits } from "../contract/limits.ts";
import { isRefused, isStorageFull } from "../store/database-errors.ts";

/**
 * An error that is answered to the client. Its message is written for clients and names the field; any other error
 * is answered with a fixed text.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The field that is invalid, and words that follow its name: for forms, which show the problem beside the field. */
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

/** A field by its path, such as `data.url`, and what is wrong with it. */
export interface InvalidField {
  readonly field: string;
  readonly problem: string;
}

/** An invalid field. @param problem as in `asSentence` */
export const invalid = (field: string, problem: string) =>
  new ServiceError("invalid_input", asSentence(field, problem), { invalid: { field, problem } });

/** A workspace has reached a limit that is the same on every plan. @param remedy a sentence */
export const limitReached = (limit: number, resources: string, remedy: string) =>
  new ServiceError("invalid_input", `A workspace can have at most ${limit} ${resources}. ${remedy}`);

/** A missing or rejected credential. */
export const unauthorized = (message: string) =>
  new ServiceError("unauthorized", message, { headers: { "www-authenticate": "Bearer" } });

/** The same answer for an id that is malformed, deleted, or another workspace's. */
export const notFound = (resource: string) => new ServiceError("not_found", `${resource} not found.`);

/** The stored version is not the one that a change was made for. */
export const changedMeanwhile = (resource: string) =>
  new ServiceError(
    "invalid_input",
    `The ${resource} has changed since you read it. Read it again, then repeat your change.`,
    { status: 409 },
  );

/** A value that was looked up. @throws not_found when it is undefined */
export function requireFound<T>(value: T | undefined, resource: string): T {
  if (value === undefined) throw notFound(resource);
  return value;
}

/** The workspace has no space for what would be stored. */
export const storageFull = (status = 402) =>
  new ServiceError(
    "plan_limit",
    `Your workspace has reached the storage limit of its plan. Upgrade, or delete what you no longer need, which frees space within ${limits.deletedDays} days.`,
    { status },
  );

/** Seconds after which a client may ask again what a part of the service refused. */
export const unavailableSeconds = 10;

/** The answer to an error, if it has one: it is no fault of ours, or may be gone when the request is sent again. */
export function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (isStorageFull(error)) return storageFull();
  if (!isRefused(error)) return undefined;
  return new ServiceError("internal", "The service is temporarily unavailable. Try again.", {
    status: 503,
    headers: { "retry-after": String(unavailableSeconds) },
  });
}

/** Too many requests. @param retryAfter seconds until the next one is accepted */
export const rateLimited = (retryAfter: number) =>
  new ServiceError("rate_limited", "Rate limit exceeded.", {
    headers: { "retry-after": String(retryAfter) },
  });
