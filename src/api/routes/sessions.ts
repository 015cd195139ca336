import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { endOwnSession, listSessions } from "../../domain/identity/sessions.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function sessionRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listSessions, ({ deps, caller }) => listSessions(deps, caller));
  bind(app, endpoints.endSession, ({ deps, caller, params }) => endOwnSession(deps, caller, params.id));
}
