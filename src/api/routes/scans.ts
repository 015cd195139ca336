import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { exportScans } from "../../domain/scans/export.ts";
import { listScans } from "../../domain/scans/list.ts";
import { bind, bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import { exported } from "../streams.ts";

export function scanRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listScans, ({ deps, caller, params, query }) =>
    listScans(deps, caller, params.id, query),
  );
  bindStream(app, endpoints.exportScans, async ({ deps, caller, query }) =>
    exported("scans", query.format, await exportScans(deps, caller, query)),
  );
}
