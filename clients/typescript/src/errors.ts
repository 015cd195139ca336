/** Any failure of a request. */
export class QrCodesError extends Error {
  override name = "QrCodesError";
}

/** The service couldn't be reached, or the connection broke. `message` names its origin and why; `cause` says more. */
export class ConnectionError extends QrCodesError {
  override name = "ConnectionError";
}

/**
 * Returns the error of a connection.
 * @param what happened to the origin, without a full stop
 * @param url of the request; of this, only the origin is named
 */
export function connectionError(what: string, url: string, cause: unknown): ConnectionError {
  const { origin } = new URL(url);
  // Some runtimes name the whole address, with the query.
  const reason = reasonOf(cause).replaceAll(url, origin).replace(/\.$/, "");
  return new ConnectionError(`${what} ${origin}: ${reason}.`, { cause });
}

/** Returns the words of the innermost cause: those of Node's own error are only "fetch failed". */
function reasonOf(error: unknown): string {
  let innermost = error;
  for (let depth = 0; depth < 5 && innermost instanceof Error && innermost.cause !== undefined; depth += 1) {
    innermost = innermost.cause;
  }
  if (!(innermost instanceof Error)) return String(innermost);
  const { message } = innermost;
  const code = "code" in innermost && typeof innermost.code === "string" ? innermost.code : "";
  if (message === "") return code || innermost.name;
  return code === "" || message.includes(code) ? message : `${message} (${code})`;
}

/** An attempt took longer than its `timeout`. */
export class TimeoutError extends QrCodesError {
  override name = "TimeoutError";
}

/** The parts of an answer that reports an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, if it is JSON. */
  readonly body: unknown;
}

/** The service refused a request. `message` says why and names the field. */
export class ApiError extends QrCodesError {
  override name = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** As in `invalid_input`; undefined if the answer isn't one of the service. */
  readonly code: string | undefined;
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before another attempt; undefined if the service doesn't say. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, headers, body }: ErrorAnswer) {
    super(message);
    this.status = status;
    this.code = textOf(body, "code");
    this.requestId = headers.get("x-request-id") ?? undefined;
    const seconds = headers.get("retry-after");
    this.retryAfter = seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  }
}

/** A field of the request is not valid (400, 413, 415), or something else has to be done first (409). */
export class InvalidInputError extends ApiError {
  override name = "InvalidInputError";
}

/** The key is unknown, revoked or expired (401). */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
}

/** The plan doesn't include this, or no more of it (402; 403 for a bulk job). */
export class PlanLimitError extends ApiError {
  override name = "PlanLimitError";
}

/** The key may not do this: its scope, its type, or a suspended workspace (403). */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}

/** Nothing is there (404). */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** It has changed since you read it, or exists already (412). */
export class VersionError extends ApiError {
  override name = "VersionError";
  /** As it is now; undefined if there is none. */
  readonly current: unknown;
  /** The version of `current`, for `ifMatch`. */
  readonly version: string | undefined;

  constructor(message: string, answer: ErrorAnswer) {
    super(message, answer);
    this.current = (answer.body as { current?: unknown } | undefined)?.current;
    this.version = answer.headers.get("etag") ?? undefined;
  }
}

/** Too many requests in this minute, and still after the retries (429). */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** Something went wrong in the service, or it is unavailable for a time (5xx). */
export class ServiceError extends ApiError {
  override name = "ServiceError";
}

/** A webhook's signature is missing, wrong or too old. Answer with 400, and do nothing else. */
export class SignatureError extends QrCodesError {
  override name = "SignatureError";
}

const byCode: Readonly<Record<string, typeof ApiError>> = {
  plan_limit: PlanLimitError,
};

const byStatus: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidInputError,
  401: UnauthorizedError,
  402: PlanLimitError,
  403: ForbiddenError,
  404: NotFoundError,
  405: InvalidInputError,
  409: InvalidInputError,
  412: VersionError,
  413: InvalidInputError,
  415: InvalidInputError,
  429: RateLimitError,
};

/** Returns the error of an answer that is not a success. Reads its body. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.json().catch(() => undefined);
  const answer = { status, headers, body };
  // A browser hides where a redirect leads, and its status.
  if (status < 400) {
    const to = headers.get("location");
    return new ApiError(`Redirected${to === null ? "" : ` to ${to}`}. Is baseUrl right?`, answer);
  }
  const error =
    byCode[textOf(body, "code") ?? ""] ?? byStatus[status] ?? (status >= 500 ? ServiceError : ApiError);
  return new error(textOf(body, "error") ?? `HTTP ${status}, without an error of the service.`, answer);
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === "string" ? value : undefined;
}
