import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Auth, Endpoint } from "../contract/endpoints/endpoint.ts";
import type { Caller } from "../domain/context/context.ts";
import { onlyPeople, requirePermission, requireScope } from "../domain/context/permissions.ts";
import { ServiceError } from "../domain/errors.ts";
import type { ApiEnv, Callers } from "./context.ts";

/** Returns the authenticated caller. @throws if the request was authenticated in another way, which is a bug */
export function callerOf<A extends Auth>(c: Context<ApiEnv>, ...accepted: readonly A[]): Callers[A] {
  const authenticated = c.get("authenticated");
  if (authenticated === undefined || !accepted.some((auth) => auth === authenticated.auth)) {
    throw new Error(`expected ${accepted.join(" or ")} authentication`);
  }
  return authenticated.caller as Callers[A];
}

/**
 * Rejects callers who may not call the endpoint, before anything is read: keys without its scope, and members whose role
 * doesn't allow it. The domain checks permissions again.
 */
export const requireAllowed = (endpoint: Endpoint) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const authenticated = c.get("authenticated");
    if (authenticated?.auth === "key") {
      requireKeyAllowed(authenticated.caller, endpoint, c.req.header("origin"));
    } else if (authenticated?.auth === "session" && endpoint.auth === "session") {
      requirePermission(authenticated.caller, endpoint.permission);
    }
    await next();
  });

/**
 * A publishable key is public, so it may only call the endpoints marked in the table, and only from its own origins.
 * @throws forbidden
 */
function requireKeyAllowed(caller: Caller, endpoint: Endpoint, origin: string | undefined): void {
  const scope = endpoint.auth === "key" || endpoint.auth === "session" ? endpoint.scope : undefined;
  if (scope === undefined) throw onlyPeople();
  if (caller.keyType === "secret") {
    if (scope !== null) requireScope(caller, scope);
    // Files for printing are made and removed, but nothing that scans or people see.
    if (caller.personConfirms && endpoint.method !== "get" && endpoint.tag !== "Printing") {
      throw new ServiceError(
        "forbidden",
        "A person confirms each change of this key, so it changes nothing by this API. Propose the change at /mcp.",
      );
    }
    return;
  }
  if (endpoint.auth !== "key" || endpoint.publishable === undefined) {
    throw new ServiceError("forbidden", "A publishable key can only create QR codes.");
  }
  if (!caller.origins.includes(origin ?? "")) {
    throw new ServiceError("forbidden", "This publishable key doesn't work from this origin.");
  }
}
