import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { createQr, deleteQr, getQr, updateQr, restoreQr } from "../../domain/codes/codes.ts";
import { listQr } from "../../domain/codes/list.ts";
import { getCodeFile } from "../../domain/print/code-file.ts";
import { measureCode } from "../../domain/designing/scannability.ts";
import { bind, bindFile } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function qrRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listQr, ({ deps, caller, query }) => listQr(deps, caller, query));
  bind(app, endpoints.createQr, ({ deps, caller, body, idempotency }) =>
    createQr(deps, caller, body, idempotency),
  );
  bind(app, endpoints.getQr, ({ deps, caller, params }) => getQr(deps, caller, params.id));
  bindFile(app, endpoints.getQrImage, ({ deps, caller, params, query }) =>
    getCodeFile(deps, caller, params.id, query),
  );
  bind(app, endpoints.getScannability, ({ deps, caller, params }) => measureCode(deps, caller, params.id));
  bind(app, endpoints.updateQr, ({ deps, caller, params, body }) => updateQr(deps, caller, params.id, body));
  bind(app, endpoints.deleteQr, ({ deps, caller, params }) => deleteQr(deps, caller, params.id));
  bind(app, endpoints.restoreQr, ({ deps, caller, params }) => restoreQr(deps, caller, params.id));
}
