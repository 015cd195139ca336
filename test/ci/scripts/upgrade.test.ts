import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { clockHeader, deliveriesPath } from "../../../scripts/company/protocol.ts";
import { type Database, migrate, withCatalogue } from "../../../scripts/lib/catalogue.ts";
import { requireKnownData } from "../../../scripts/lib/data-folder.ts";
import {
  clientOf,
  countStored,
  readEverything,
  readState,
  type StoredState,
  scanAll,
  startOnState,
  storedVersions,
  unpackFiles,
} from "../../../scripts/lib/stored-state.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { BinList } from "../../../src/contract/resources/history/bin.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { ApiKeyList } from "../../../src/contract/resources/identity/keys.ts";
import { MemberList } from "../../../src/contract/resources/identity/members.ts";
import { SessionList } from "../../../src/contract/resources/identity/sessions.ts";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import { type Delivery, DeliveryList } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { anyQr } from "../support/use-service.ts";

/**
 * Leaves out what an upgrade or the next request may change: the requests of a minute, and the sizes of the ledger and of
 * the workspace, whose indexes count.
 */
const withoutMoments = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value: unknown) => {
    if (name === "requestsThisMinute" || name === "storedBytes") return undefined;
    if (name !== "storage" || typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "bytes"));
  }) as unknown;

/**
 * Runs the present code on what a released version has stored.
 * @param before what that version does last, with its catalogue
 */
async function upgraded(state: StoredState, before: (db: Database) => Promise<unknown> = async () => {}) {
  const folder = mkdtempSync(join(tmpdir(), "qr-upgrade-"));
  unpackFiles(state.files, folder);
  requireKnownData(folder, join(root, "migrations"));
  await withCatalogue(folder, async (db) => {
    await before(db);
    await migrate(db);
  });
  const miniflare = await startOnState(state, folder);
  return {
    miniflare,
    stop: async () => {
      await miniflare.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

const codePath = /^\/qr\/[0-9a-f-]{36}$/;

/** @returns requests to a service that runs on a state, a minute after it was stored */
const senderTo =
  ({ origin, now }: StoredState, miniflare: Miniflare) =>
  async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await miniflare.dispatchFetch(new URL(path, origin), {
      method,
      headers: {
        ...headers,
        origin,
        [clockHeader]: String(now + 60_000),
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    return { status: response.status, text: await response.text() };
  };

describe.each(storedVersions())("an installation of version %s, upgraded", (version) => {
  let state: StoredState;
  let miniflare: Miniflare;
  let stop: () => Promise<void>;
  let send: ReturnType<typeof senderTo>;

  beforeAll(async () => {
    state = readState(version);
    ({ miniflare, stop } = await upgraded(state));
    send = senderTo(state, miniflare);
  });
  afterAll(() => stop());

  const read = async <S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>> => {
    const { status, text } = await send("GET", `/api/v1${path}`, { cookie: state.cookie });
    expect(status).toBe(200);
    return schema.parse(JSON.parse(text));
  };
  const withKey = () => ({ authorization: `Bearer ${state.apiKey}` });

  it("has lost no row of the catalogue and no route", async () => {
    const { rows, routes } = await countStored(miniflare);
    expect(rows).toMatchObject(state.rows);
    expect(routes).toBe(state.routes);
    expect(Object.values(state.rows).filter((count) => count > 0).length).toBeGreaterThan(12);
  });

  it("answers for everything as before: codes, counts, reports, templates, pages, submissions, webhooks, keys", async () => {
    const answers = await readEverything(clientOf(miniflare, state));
    expect(Object.keys(state.answers).length).toBeGreaterThan(50);
    for (const [path, answer] of Object.entries(state.answers)) {
      expect({ path, answer: answers[path] }).toMatchObject({ path, answer: withoutMoments(answer) });
    }
  });

  it("answers every scan as before", async () => {
    const paths = Object.keys(state.scans);
    expect(await scanAll(clientOf(miniflare, state), paths)).toEqual(state.scans);
    const statuses = new Set(Object.values(state.scans).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 302, 404, 451]);
  });

  it("keeps the person signed in", async () => {
    const { status, text } = await send("GET", "/dashboard/settings", { cookie: state.cookie });
    expect([status, text]).toEqual([200, expect.stringContaining("Inês Almeida")]);
    const { sessions } = await read(SessionList, "/developer/sessions");
    expect(sessions).toMatchObject([{ device: null, current: true }]);
  });

  const isFirst = version === "1.0.0";
  if (isFirst)
    it("makes everybody an owner, and knows neither who created a key nor when it would expire", async () => {
      const { members } = await read(MemberList, "/developer/members");
      expect(members).toMatchObject([{ name: "Inês Almeida", role: "owner", current: true }]);
      const { keys } = await read(ApiKeyList, "/developer/keys");
      expect(keys.map(({ createdBy, expiresAt, replacedBy }) => [createdBy, expiresAt, replacedBy])).toEqual(
        keys.map(() => [null, null, null]),
      );
      const { status } = await send("GET", "/api/v1/qr", withKey());
      expect([keys.length, status]).toEqual([state.rows.api_keys, 200]);
    });

  it("has a history in which a change follows what was there, and can be undone", async () => {
    const history = () => read(HistoryList, "/developer/history");
    const earlier = (await history()).items;
    expect(earlier.length > 0).toBe(!isFirst);
    const [path = ""] = Object.keys(state.answers).filter((each) => codePath.test(each));
    const { name } = anyQr.parse(state.answers[path]);
    const changed = await send("PATCH", `/api/v1${path}`, withKey(), { name: "Renamed" });
    expect(changed.status).toBe(200);
    const [entry, ...others] = (await history()).items;
    expect(entry).toMatchObject({
      action: "code.updated",
      actor: { kind: "key", name: "Stored state" },
      changes: { name: { before: name, after: "Renamed" } },
    });
    expect(others).toEqual(earlier.slice(0, others.length));
    const undo = `/api/v1/developer/history/${entry?.id}/revert`;
    expect((await send("POST", undo, { cookie: state.cookie })).status).toBe(200);
    const own = await send("GET", `/api/v1${path}/history`, withKey());
    const { items } = HistoryList.parse(JSON.parse(own.text));
    expect(items.slice(0, 2).map(({ revertOf }) => revertOf)).toEqual([entry?.id, null]);
    expect(anyQr.parse(JSON.parse((await send("GET", `/api/v1${path}`, withKey())).text)).name).toBe(name);
  });

  it("counts new scans on top, and delivers a change to the webhook, signed", async () => {
    const created = await send("POST", "/api/v1/qr", withKey(), {
      qrType: "url",
      name: "After the upgrade",
      data: { type: "url", url: "https://harbour.example/new" },
    });
    const qr = anyQr.parse(JSON.parse(created.text));
    expect(created.status).toBe(201);
    expect((await scanAll(clientOf(miniflare, state), [`/${qr.hash}`]))[`/${qr.hash}`]).toEqual({
      status: 302,
      location: "https://harbour.example/new",
    });
    const { webhookId } = state;
    const { id: workspaceId } = Workspace.pick({ id: true }).parse(state.answers["/developer/workspace"]);
    await send("POST", deliveriesPath, {}, { workspaceId, webhookId, status: 204 });
    const list = await send("GET", `/api/v1/developer/webhooks/${webhookId}/deliveries`, {
      cookie: state.cookie,
    });
    const deliveries: readonly Delivery[] = DeliveryList.parse(JSON.parse(list.text)).items;
    expect(deliveries[0]).toMatchObject({ event: "qr.created", status: "succeeded" });
  });
});

describe.each(storedVersions())("what was deleted in version %s", (version) => {
  it("is in the bin after the upgrade, and can be restored with everything it had", async () => {
    const state = readState(version);
    const ofHash = (hash: string) =>
      Object.entries(state.answers).flatMap(([path, answer]) =>
        codePath.test(path) && anyQr.parse(answer).hash === hash ? anyQr.parse(answer) : [],
      );
    const [code] = ofHash("tomas");
    const [pagePath = ""] = Object.keys(state.answers).filter((path) =>
      /^\/developer\/pages\/[^/]+$/.test(path),
    );
    const pageId = pagePath.split("/").at(-1);
    // As the version deletes: the row stays for 30 days, and the event waits in the outbox.
    const { miniflare, stop } = await upgraded(state, (db) =>
      db.batch([
        ...["qr_codes", "pages"].map((table) =>
          db
            .prepare(
              `UPDATE ${table} SET deleted_at = ?1, updated_at = ?1, version = version + 1 WHERE id IN (?2, ?3)`,
            )
            .bind(state.now, code?.id, pageId),
        ),
        db
          .prepare(
            `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
             SELECT ?1, workspace_id, 'qr.deleted', '{}', ?2 FROM qr_codes WHERE id = ?1`,
          )
          .bind(code?.id, state.now),
      ]),
    );
    try {
      const send = senderTo(state, miniflare);
      const session = { cookie: state.cookie };
      const key = { authorization: `Bearer ${state.apiKey}` };
      expect((await send("GET", `/api/v1/qr/${code?.id}`, key)).status).toBe(404);
      const bin = BinList.parse(JSON.parse((await send("GET", "/api/v1/developer/bin", session)).text));
      expect(bin.items.map(({ id, deletedBy }) => [id, deletedBy]).sort()).toEqual(
        [code?.id, pageId].sort().map((id) => [id, null]),
      );
      const restored = await send("POST", `/api/v1/qr/${code?.id}/restore`, key);
      const { updatedAt: _, ...before } = code ?? {};
      expect([restored.status, JSON.parse(restored.text)]).toEqual([200, expect.objectContaining(before)]);
      expect((await send("POST", `/api/v1${pagePath}/restore`, session)).status).toBe(200);
      const paths = ["/tomas", "/tasting", `/pages/${pageId}`];
      const scans = await scanAll(clientOf(miniflare, state), paths);
      expect(scans).toEqual(Object.fromEntries(paths.map((path) => [path, state.scans[path]])));
      const { items } = HistoryList.parse(
        JSON.parse((await send("GET", "/api/v1/developer/history", session)).text),
      );
      expect(items.slice(0, 2).map(({ action }) => action)).toEqual(["page.restored", "code.restored"]);
    } finally {
      await stop();
    }
  });
});
