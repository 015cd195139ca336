import { createMiddleware } from "hono/factory";
import { noteRequest, patternOf } from "../../lib/web/request-line.ts";
import type { DashboardEnv } from "./env.ts";

/** Sets `x-request-id` on every response, and notes it with the page's route for the request's line in the log. */
export const noteInLog = createMiddleware<DashboardEnv>(async (c, next) => {
  const requestId = crypto.randomUUID();
  c.set("requestId", requestId);
  c.header("x-request-id", requestId);
  await next();
  noteRequest(c.req.raw, { requestId, route: patternOf(c) });
});
