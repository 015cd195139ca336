import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asServiceError, internalError, ServiceError } from "../domain/errors.ts";
import { describeError, log } from "../lib/log.ts";
import { routeOf } from "../lib/web/request-line.ts";
import type { ApiEnv } from "./context.ts";

/** Answers every error as `{error, code}`. Unexpected errors are logged, and their text is never sent to the client. */
export function answerError(error: unknown, c: Context<ApiEnv>): Response {
  const known = asServiceError(error) ?? ofHttp(error);
  if (known === undefined || known.status === 503) {
    log("error", known === undefined ? "request failed" : "request refused", {
      requestId: c.get("requestId"),
      route: routeOf(c),
      error: describeError(error),
    });
  }
  const { code, status, message, headers } = known ?? internalError();
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return c.json({ error: message, code }, status as ContentfulStatusCode);
}

/** Returns the error for a request that the router rejects. */
const ofHttp = (error: unknown): ServiceError | undefined =>
  error instanceof HTTPException && error.status < 500
    ? new ServiceError("invalid_input", error.message, { status: error.status })
    : undefined;
