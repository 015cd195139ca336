import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Endpoint } from "../contract/endpoints/endpoint.ts";
import { endpoints } from "../contract/endpoints/index.ts";
import { bearerOf } from "../lib/web/bearer.ts";
import { basePath } from "./authentication.ts";
import type { ApiEnv } from "./context.ts";

/** Request headers that a web page may send, and response headers that it may read. */
const requestHeaders = "authorization, content-type, idempotency-key";
const responseHeaders =
  "x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, idempotent-replayed, x-request-id, etag, x-ignored-fields, x-warnings, x-replaced-characters";

/** Endpoints that accept a publishable key, as `METHOD path`. */
const publishable: ReadonlySet<string> = new Set(
  Object.values<Endpoint>(endpoints)
    .filter((endpoint) => endpoint.auth === "key" && endpoint.publishable)
    .map(({ method, path }) => `${method.toUpperCase()} ${basePath}${path}`),
);

/**
 * Lets web pages call the endpoints that accept a publishable key. A browser's preflight request contains no key, so it
 * is answered for every origin.
 */
export const crossOrigin = createMiddleware<ApiEnv>(async (c, next) => {
  const origin = c.req.header("origin");
  if (origin === undefined) return next();
  const method = c.req.header("access-control-request-method") ?? "";
  if (c.req.method === "OPTIONS" && publishable.has(`${method} ${c.req.path}`)) {
    return c.body(null, 204, {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": method,
      "access-control-allow-headers": requestHeaders,
      "access-control-max-age": "600",
      vary: "origin",
    });
  }
  await next();
  if (!isForKeysOrigin(c, origin) && !isReadableRefusal(c)) return;
  c.header("access-control-allow-origin", origin);
  c.header("access-control-expose-headers", responseHeaders);
  c.header("vary", "origin");
});

/** Returns whether the caller holds a publishable key for the origin. */
function isForKeysOrigin(c: Context<ApiEnv>, origin: string): boolean {
  const authenticated = c.get("authenticated");
  if (authenticated?.auth !== "key") return false;
  const { keyType, origins } = authenticated.caller;
  return keyType === "publishable" && origins.includes(origin);
}

/**
 * Returns whether pages of any origin may read the response, which applies to errors of endpoints that accept a
 * publishable key. Such an error only says why the credential was rejected (unknown, over its rate limit, wrong
 * origin), which the page needs to inform its visitor. Secret keys don't belong in pages, so responses to these, and to
 * anything that looks like one, stay unreadable.
 */
const isReadableRefusal = (c: Context<ApiEnv>): boolean =>
  !c.res.ok &&
  publishable.has(`${c.req.method} ${c.req.path}`) &&
  !bearerOf(c.req.header("authorization"))?.startsWith("sk_");
