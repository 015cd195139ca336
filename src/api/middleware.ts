import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { forwardInTurn } from "../domain/events/forwarding.ts";
import { noteRequest, patternOf } from "../lib/web/request-line.ts";
import type { ApiEnv } from "./context.ts";

/** A request id that clients may choose: short, and safe in a log line. */
const validRequestId = /^[\w.:=+/-]{1,128}$/;

/**
 * Sets `x-request-id` on every response: the client's own if it is valid, otherwise a new one. hono/request-id would
 * discard ids with a dot, colon or slash, which tracing systems use. Notes the request for its line in the log.
 */
export const requestId = createMiddleware<ApiEnv>(async (c, next) => {
  const given = c.req.header("x-request-id") ?? "";
  const id = validRequestId.test(given) ? given : crypto.randomUUID();
  c.set("requestId", id);
  c.header("x-request-id", id);
  // Reading the body may replace the request.
  const request = c.req.raw;
  await next();
  noteRequest(request, { requestId: id, route: patternOf(c), workspaceId: workspaceOf(c) });
});

/** Returns the workspace of an authenticated request. The operator has none. */
function workspaceOf(c: Context<ApiEnv>): string | undefined {
  const authenticated = c.get("authenticated");
  return authenticated?.auth === "operator" ? undefined : authenticated?.caller.workspaceId;
}

/** Responses are only for the caller and must not be cached. */
export const privateResponse = createMiddleware<ApiEnv>(async (c, next) => {
  c.header("cache-control", "no-store");
  c.header("x-content-type-options", "nosniff");
  await next();
});

/**
 * Forwards the events and history that a change has stored to the workspace's ledger, without delaying the response. A
 * refused request has stored none.
 */
export const forwardEventsAfterChange = createMiddleware<ApiEnv>(async (c, next) => {
  await next();
  const workspaceId = workspaceOf(c);
  const isRefused = c.res.status >= 400 && c.res.status < 500;
  if (workspaceId === undefined || ["GET", "HEAD"].includes(c.req.method) || isRefused) return;
  c.executionCtx.waitUntil(forwardInTurn(c.get("deps"), workspaceId));
});
