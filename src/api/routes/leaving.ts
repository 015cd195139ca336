import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { deleteAccount } from "../../domain/workspaces/account-deletion.ts";
import { cancelDeletion, deleteWorkspace, getDeletion } from "../../domain/workspaces/deletion.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function leavingRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.deleteWorkspace, ({ deps, caller, body }) => deleteWorkspace(deps, caller, body));
  bind(app, endpoints.getWorkspaceDeletion, async ({ caller }) => getDeletion(caller));
  bind(app, endpoints.cancelWorkspaceDeletion, ({ deps, caller }) => cancelDeletion(deps, caller));
  bind(app, endpoints.deleteAccount, ({ deps, caller, body }) => deleteAccount(deps, caller, body));
}
