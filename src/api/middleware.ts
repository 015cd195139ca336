import type { MiddlewareHandler } from "hono";
import { bodyLimit as limitBody } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { ServiceError } from "../domain/errors.ts";
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

/** Refuses a body of more bytes before it is read whole, whether or not it says how large it is. */
export const bodyLimit = (maxSize: number): MiddlewareHandler<ApiEnv> =>
  limitBody({
    maxSize,
    onError: () => {
      throw new ServiceError("invalid_input", `The body must be at most ${maxSize} bytes`, { status: 413 });
    },
  });
