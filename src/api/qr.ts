import type { Hono } from "hono";
import { endpoints } from "../contract/endpoints.ts";
import { createQr, deleteQr, getQr, listQr, updateQr } from "../domain/qr.ts";
import { bind } from "./bind.ts";
import type { ApiEnv } from "./context.ts";

export function qrRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listQr, ({ deps, caller, query }) => listQr(deps, caller, query));
  bind(app, endpoints.createQr, ({ deps, caller, body, idempotency }) =>
    createQr(deps, caller, body, idempotency),
  );
  bind(app, endpoints.getQr, ({ deps, caller, id }) => getQr(deps, caller, id));
  bind(app, endpoints.updateQr, ({ deps, caller, id, body }) => updateQr(deps, caller, id, body));
  bind(app, endpoints.deleteQr, ({ deps, caller, id }) => deleteQr(deps, caller, id));
}
