import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { findCodeReport, workspaceReport } from "../../domain/analytics/reports.ts";
import { changeReporting, getReporting } from "../../domain/analytics/settings.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function analyticsRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.codeAnalytics, ({ deps, caller, params, query }) =>
    findCodeReport(deps, caller, params.id, query),
  );
  bind(app, endpoints.workspaceAnalytics, ({ deps, caller, query }) => workspaceReport(deps, caller, query));
  bind(app, endpoints.getReporting, ({ deps, caller }) => getReporting(deps, caller));
  bind(app, endpoints.changeReporting, ({ deps, caller, body }) => changeReporting(deps, caller, body));
}
