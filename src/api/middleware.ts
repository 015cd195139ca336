import type { MiddlewareHandler } from "hono";
import { bodyLimit as limitBody } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { forwardEvents } from "../domain/webhooks/events.ts";
import { ServiceError } from "../domain/errors.ts";
import { describeError, log } from "../lib/log.ts";
import type { ApiEnv } from "./context.ts";

/** A request id the client may choose itself: something a log can hold. */
const saneRequestId = /^[\w.:=+/-]{1,128}$/;

/** `x-request-id` on every answer: the client's own if it is sane, else a new one. */
export const requestId = createMiddleware<ApiEnv>(async (c, next) => {
  const given = c.req.header("x-request-id");
  const id = given !== undefined && saneRequestId.test(given) ? given : crypto.randomUUID();
  c.set("requestId", id);
  c.header("x-request-id", id);
  await next();
});

/** Answers are for the caller alone, now. */
export const privateAnswer = createMiddleware<ApiEnv>(async (c, next) => {
  c.header("cache-control", "no-store");
  c.header("x-content-type-options", "nosniff");
  await next();
});

/** After a change, hands its events on: nobody waits for that. */
export const handOnEvents = createMiddleware<ApiEnv>(async (c, next) => {
  await next();
  const { caller } = c.get("admitted");
  if (c.req.method === "GET" || !c.res.ok || caller === null) return;
  const { workspaceId } = caller;
  const handOn = async () => {
    try {
      await forwardEvents(c.get("deps"), workspaceId);
    } catch (error) {
      log("error", "events not handed on; the sweep will", { workspaceId, error: describeError(error) });
    }
  };
  c.executionCtx.waitUntil(handOn());
});

/** Refuses a body of more bytes before it is read whole, whether or not it says how large it is. */
export const bodyLimit = (maxSize: number): MiddlewareHandler<ApiEnv> =>
  limitBody({
    maxSize,
    onError: () => {
      throw new ServiceError("invalid_input", `The body must be at most ${maxSize} bytes`, { status: 413 });
    },
  });
