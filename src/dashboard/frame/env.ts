import type { Context } from "hono";
import type { Deps } from "../../domain/deps.ts";
import type { ActorRequest } from "../../protocol/history.ts";
import type { DocumentBase } from "../../ui/document.tsx";

/** Passed to the dashboard's handlers by Hono, since its routes are built once for all dependencies. */
export interface DashboardEnv {
  Bindings: { deps: Deps; base: DocumentBase };
  Variables: { requestId: string };
}

/** Returns what a request says about the actor of its changes. */
export const actorRequest = <E extends DashboardEnv>(c: Context<E>): ActorRequest => ({
  via: "dashboard",
  requestId: c.get("requestId"),
});
