import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { addAlias } from "../../domain/codes/aliases.ts";
import {
  createQr,
  deleteQr,
  eraseQr,
  getVersionedQr,
  restoreQr,
  updateQr,
  type VersionedQr,
} from "../../domain/codes/codes.ts";
import { exportQr } from "../../domain/codes/export.ts";
import { deleteQrByOwnId, getQrByOwnId, putQr } from "../../domain/codes/own-ids.ts";
import { withScans } from "../../domain/codes/scans.ts";
import { readQuery, searchQr } from "../../domain/codes/search.ts";
import { measureCode } from "../../domain/designing/scannability.ts";
import { ifFound } from "../../domain/errors.ts";
import { getCodeFile } from "../../domain/print/code-file.ts";
import { printProof } from "../../domain/print/proof.ts";
import { inBlocks } from "../../lib/web/in-blocks.ts";
import { bind, bindFile, bindStream, bindVersioned, type Call, created } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import { exported } from "../streams.ts";

export function qrRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listQr, async ({ deps, caller, query: { include, ...query } }) => {
    const read = async () => searchQr(deps, caller, await readQuery(deps, caller, query), query.q ?? "");
    return include === "scans" ? withScans(deps, caller, read) : read();
  });
  bindStream(app, endpoints.exportQr, async ({ deps, caller, query }) =>
    exported("codes", query.format, await exportQr(deps, caller, await readQuery(deps, caller, query))),
  );
  bindVersioned(app, endpoints.createQr, async ({ deps, caller, body, idempotency }) =>
    created(await createQr(deps, caller, body, idempotency)),
  );
  bindVersioned(app, endpoints.getQr, read, read);
  bindFile(app, endpoints.getQrImage, ({ deps, caller, params, query }) =>
    getCodeFile(deps, caller, params.id, query),
  );
  bind(app, endpoints.getScannability, ({ deps, caller, params }) => measureCode(deps, caller, params.id));
  bindStream(app, endpoints.printProof, async ({ deps, caller, params }) => {
    const { filename, bytes } = await printProof(deps, caller, params.id);
    return { mediaType: "application/pdf", filename, body: inBlocks([bytes]) };
  });
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
  bind(app, endpoints.addAlias, ({ deps, caller, params, body }) =>
    addAlias(deps, caller, params.id, body.alias),
  );
  bind(app, endpoints.eraseQr, ({ deps, caller, params }) => eraseQr(deps, caller, params.id));
  bind(app, endpoints.restoreQr, ({ deps, caller, params }) => restoreQr(deps, caller, params.id));
}

/** Binds the endpoints of codes by own id. They precede those with an id, of which `by-external-id` might be one. */
export function ownIdRoutes(app: Hono<ApiEnv>): void {
  bindVersioned(app, endpoints.getQrByOwnId, readByOwnId, readByOwnId);
  for (const endpoint of [endpoints.putQr, endpoints.putQrByOwnId]) {
    bindVersioned(
      app,
      endpoint,
      async ({ deps, caller, body, exists, versions, ...call }) => {
        const { qr, isCreated } = await putQr(deps, caller, ownIdOf(call), body, { exists, versions });
        return { ...versioned(qr), isCreated };
      },
      findByOwnId,
    );
  }
  for (const endpoint of [endpoints.deleteQrWithOwnId, endpoints.deleteQrByOwnId]) {
    bindVersioned(
      app,
      endpoint,
      async ({ deps, caller, versions, ...call }) => ({
        response: await deleteQrByOwnId(deps, caller, ownIdOf(call), versions),
      }),
      findByOwnId,
    );
  }
}

/** Where a request names an own id: in its path or its query. */
interface NamingOwnId {
  readonly params: { readonly externalId?: string };
  readonly query?: { readonly externalId: string } | undefined;
}

const ownIdOf = ({ params, query }: NamingOwnId): string => params.externalId ?? query?.externalId ?? "";

type CallByOwnId = Pick<Call<typeof endpoints.getQrByOwnId>, "deps" | "caller"> & NamingOwnId;

const readByOwnId = async ({ deps, caller, ...call }: CallByOwnId) =>
  versioned(await getQrByOwnId(deps, caller, ownIdOf(call)));

/** The same, but undefined if no code has the own id. */
const findByOwnId = (call: CallByOwnId) => ifFound(readByOwnId(call));

const versioned = ({ qr, version }: VersionedQr) => ({ response: qr, version });

const read = async ({ deps, caller, params }: Omit<Call<typeof endpoints.getQr>, "body">) =>
  versioned(await getVersionedQr(deps, caller, params.id));
