import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import type { LiveQuery } from "../../contract/resources/scans/live.ts";
import type { WorkspaceContext } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import { exportClosedScans, listClosedCodes } from "../../domain/scans/closed.ts";
import { eraseScans } from "../../domain/scans/erase.ts";
import { exportScans } from "../../domain/scans/export.ts";
import { listScans } from "../../domain/scans/list.ts";
import { watchScans } from "../../domain/scans/live.ts";
import { bind, bindEvents, bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import type { Resumption } from "../resumption.ts";
import { exported } from "../streams.ts";

export function scanRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listScans, ({ deps, caller, params, query }) =>
    listScans(deps, caller, params.id, query),
  );
  bindStream(app, endpoints.exportScans, async ({ deps, caller, query }) =>
    exported("scans", query.format, await exportScans(deps, caller, query)),
  );
  bind(app, endpoints.listClosedScans, ({ deps, caller }) => listClosedCodes(deps, caller));
  bindStream(app, endpoints.exportClosedScans, async ({ deps, caller, query }) =>
    exported("closed-scans", query.format, await exportClosedScans(deps, caller, query)),
  );
  bind(app, endpoints.eraseScans, ({ deps, caller, params, query }) =>
    eraseScans(deps, caller, params.id, query.sums),
  );
  bindEvents(app, endpoints.watchScans, (call, resumption) => watch(call, undefined, resumption));
  bindEvents(app, endpoints.watchQrScans, (call, resumption) => watch(call, call.params.id, resumption));
  bindEvents(app, endpoints.watchOwnScans, (call, resumption) => watch(call, undefined, resumption));
  bindEvents(app, endpoints.watchOwnQrScans, (call, resumption) => watch(call, call.params.id, resumption));
}

/** @param qrId watches only this code's scans */
const watch = (
  {
    deps,
    caller,
    query,
  }: { readonly deps: Deps; readonly caller: WorkspaceContext; readonly query: LiveQuery },
  qrId: string | undefined,
  { lastEventId, isAllowed }: Resumption,
) => watchScans(deps, caller, { qrId, after: lastEventId ?? query.after, isAllowed });
