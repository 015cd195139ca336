import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import {
  createQr,
  deleteQr,
  getVersionedQr,
  updateQr,
  restoreQr,
  type VersionedQr,
} from "../../domain/codes/codes.ts";
import { listQr } from "../../domain/codes/list.ts";
import { getCodeFile } from "../../domain/print/code-file.ts";
import { measureCode } from "../../domain/designing/scannability.ts";
import { bind, bindFile, bindVersioned, type Call, created } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function qrRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listQr, ({ deps, caller, query }) => listQr(deps, caller, query));
  bindVersioned(app, endpoints.createQr, async ({ deps, caller, body, idempotency }) =>
    created(await createQr(deps, caller, body, idempotency)),
  );
  bindVersioned(app, endpoints.getQr, read, read);
  bindFile(app, endpoints.getQrImage, ({ deps, caller, params, query }) =>
    getCodeFile(deps, caller, params.id, query),
  );
  bind(app, endpoints.getScannability, ({ deps, caller, params }) => measureCode(deps, caller, params.id));
  bindVersioned(
    app,
    endpoints.updateQr,
    async ({ deps, caller, params, body, versions }) =>
      versioned(await updateQr(deps, caller, params.id, body, versions)),
    read,
  );
  bindVersioned(
    app,
    endpoints.deleteQr,
    async ({ deps, caller, params, versions }) => ({
      response: await deleteQr(deps, caller, params.id, versions),
    }),
    read,
  );
  bind(app, endpoints.restoreQr, ({ deps, caller, params }) => restoreQr(deps, caller, params.id));
}

const versioned = ({ qr, version }: VersionedQr) => ({ response: qr, version });

const read = async ({ deps, caller, params }: Omit<Call<typeof endpoints.getQr>, "body">) =>
  versioned(await getVersionedQr(deps, caller, params.id));
