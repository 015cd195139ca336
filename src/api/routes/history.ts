import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { listQrHistory } from "../../domain/codes/codes.ts";
import { exportHistory, listHistory } from "../../domain/history/history.ts";
import { revertChange } from "../../domain/undo.ts";
import { bind, bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import { exported } from "../streams.ts";

export function historyRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listQrHistory, ({ deps, caller, params, query }) =>
    listQrHistory(deps, caller, params.id, query),
  );
  bind(app, endpoints.listHistory, ({ deps, caller, query }) => listHistory(deps, caller, query));
  bindStream(app, endpoints.exportHistory, async ({ deps, caller, query }) =>
    exported("history", "ndjson", await exportHistory(deps, caller, query)),
  );
  bind(app, endpoints.revertChange, ({ deps, caller, params, query }) =>
    revertChange(deps, caller, params.id, query),
  );
}
