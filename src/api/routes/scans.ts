import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { exportScans } from "../../domain/scans/export.ts";
import { listScans } from "../../domain/scans/list.ts";
import { watchScans } from "../../domain/scans/live.ts";
import { bind, bindEvents, bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import { exported } from "../streams.ts";

export function scanRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listScans, ({ deps, caller, params, query }) =>
    listScans(deps, caller, params.id, query),
  );
  bindStream(app, endpoints.exportScans, async ({ deps, caller, query }) =>
    exported("scans", query.format, await exportScans(deps, caller, query)),
  );
  bindEvents(app, endpoints.watchScans, ({ deps, caller, query }, { lastEventId, isAllowed }) =>
    watchScans(deps, caller, { qrId: undefined, after: lastEventId ?? query.after, isAllowed }),
  );
  bindEvents(app, endpoints.watchQrScans, ({ deps, caller, params, query }, { lastEventId, isAllowed }) =>
    watchScans(deps, caller, { qrId: params.id, after: lastEventId ?? query.after, isAllowed }),
  );
  bindEvents(app, endpoints.watchOwnScans, ({ deps, caller, query }, { lastEventId, isAllowed }) =>
    watchScans(deps, caller, { qrId: undefined, after: lastEventId ?? query.after, isAllowed }),
  );
  bindEvents(app, endpoints.watchOwnQrScans, ({ deps, caller, params, query }, { lastEventId, isAllowed }) =>
    watchScans(deps, caller, { qrId: params.id, after: lastEventId ?? query.after, isAllowed }),
  );
}
