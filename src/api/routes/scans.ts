import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { exportScans } from "../../domain/scans/export.ts";
import { listScans } from "../../domain/scans/list.ts";
import { bind, bindStream, exported } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function scanRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listScans, ({ deps, caller, id, query }) => listScans(deps, caller, id, query));
  bindStream(app, endpoints.exportScans, async ({ deps, caller, query }) =>
    exported("scans", query.format, await exportScans(deps, caller, query)),
  );
}
