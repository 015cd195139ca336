import { createMiddleware } from "hono/factory";
import { basePath } from "./authentication.ts";
import type { ApiEnv } from "./context.ts";

/** What a page may send, and read of the answer. */
const sent = "authorization, content-type, idempotency-key";
const read = "x-ratelimit-limit, x-ratelimit-remaining, retry-after, x-request-id";

/**
 * Lets web pages create codes with a publishable key. A browser asks first, without the key, so that question is
 * answered for any origin; the answer itself can be read by the key's own origins alone.
 */
export const crossOrigin = createMiddleware<ApiEnv>(async (c, next) => {
  const origin = c.req.header("origin");
  if (origin === undefined) return next();
  const asks = c.req.method === "OPTIONS" && c.req.header("access-control-request-method") === "POST";
  if (asks && c.req.path === `${basePath}/qr`) {
    return c.body(null, 204, {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": sent,
      "access-control-max-age": "600",
      vary: "origin",
    });
  }
  await next();
  const admitted = c.get("admitted") as ApiEnv["Variables"]["admitted"] | undefined;
  if (admitted?.auth !== "key" || admitted.caller.keyType !== "publishable") return;
  if (!admitted.caller.origins.includes(origin)) return;
  c.header("access-control-allow-origin", origin);
  c.header("access-control-expose-headers", read);
  c.header("vary", "origin");
});
