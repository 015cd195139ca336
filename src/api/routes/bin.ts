import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { listBin } from "../../domain/bin.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function binRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listBin, ({ deps, caller, query }) => listBin(deps, caller, query));
}
