import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { listWaitingItems } from "../../domain/workspaces/waiting.ts";
import { getMe, getWorkspace, updateWorkspace } from "../../domain/workspaces/workspace.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function workspaceRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.getMe, ({ deps, caller }) => getMe(deps, caller));
  bind(app, endpoints.getWorkspace, ({ deps, caller }) => getWorkspace(deps, caller));
  bind(app, endpoints.listWaiting, ({ deps, caller }) => listWaitingItems(deps, caller));
  bind(app, endpoints.updateWorkspace, ({ deps, caller, body }) => updateWorkspace(deps, caller, body));
}
