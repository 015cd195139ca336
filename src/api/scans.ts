import type { Hono } from "hono";
import { endpoints } from "../contract/endpoints.ts";
import { listScans } from "../domain/scans.ts";
import { bind } from "./bind.ts";
import type { ApiEnv } from "./context.ts";

export function scanRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listScans, ({ deps, caller, id, query }) => listScans(deps, caller, id, query));
}
