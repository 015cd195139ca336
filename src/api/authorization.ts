import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Auth, KeyEndpoint, SessionEndpoint } from "../contract/endpoints/endpoint.ts";
import { ServiceError } from "../domain/errors.ts";
import { hasScope, requirePermission } from "../domain/context/permissions.ts";
import type { ApiEnv, Callers } from "./context.ts";

/** Returns the authenticated caller. @throws if the request was authenticated in another way, which is a bug */
export function callerOf<A extends Auth>(c: Context<ApiEnv>, auth: A): Callers[A] {
  const authenticated = c.get("authenticated");
  if (authenticated?.auth !== auth) throw new Error(`expected ${auth} authentication`);
  return authenticated.caller as Callers[A];
}

/**
 * Rejects keys that may not call the endpoint. A publishable key is public, so it may only call the endpoints marked in
 * the table, and only from its own origins.
 */
export const requireScope = ({ scope, publishable }: KeyEndpoint) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const caller = callerOf(c, "key");
    if (caller.keyType === "publishable") {
      if (!publishable) throw new ServiceError("forbidden", "A publishable key can only create QR codes.");
      if (!caller.origins.includes(c.req.header("origin") ?? "")) {
        throw new ServiceError("forbidden", "This publishable key doesn't work from this origin.");
      }
    } else if (scope !== null && !hasScope(caller, scope)) {
      throw new ServiceError("forbidden", `This key doesn't have the scope ${scope}.`);
    }
    await next();
  });

/** Rejects members whose role doesn't allow calling the endpoint, before anything is read. The domain checks it again. */
export const requireRole = ({ permission }: SessionEndpoint) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    requirePermission(callerOf(c, "session"), permission);
    await next();
  });
