import { type ErrorCode, statusOf } from "../contract/errors.ts";

/**
 * What a verb throws when the client is to be told. The message is written for them and names the field;
 * everything else that is thrown is answered with fixed words.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = options.status ?? statusOf[code];
    this.headers = options.headers ?? {};
  }
}

/** A field that is not as it must be. @param problem words that follow the field's name */
export const invalid = (field: string, problem: string) =>
  new ServiceError("invalid_input", `${field}: ${problem}`);

/** The one answer for an id that is malformed, foreign or deleted. */
export const notFound = (what: string) => new ServiceError("not_found", `${what} not found`);

/** The one answer for whoever asked too often. @param seconds until they may again */
export const tooMany = (seconds: number) =>
  new ServiceError("rate_limited", "Rate limit exceeded", { headers: { "retry-after": String(seconds) } });
