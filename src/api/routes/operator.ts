import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { changePlan } from "../../domain/workspaces/plan.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function operatorRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.changePlan, ({ deps, params, body }) => changePlan(deps, params.id, body));
}
