import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clockHeader, deliveriesPath } from "../../../scripts/company/protocol.ts";
import { migrate, withCatalogue } from "../../../scripts/lib/catalogue.ts";
import { requireKnownData } from "../../../scripts/lib/data-folder.ts";
import {
  clientOf,
  countStored,
  readEverything,
  readState,
  scanAll,
  startOnState,
  type StoredState,
  storedVersions,
  unpackFiles,
} from "../../../scripts/lib/stored-state.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { Workspace } from "../../../src/contract/resources/workspace.ts";
import { Qr } from "../../../src/contract/resources/qr.ts";
import { DeliveryList, type Delivery } from "../../../src/contract/resources/webhooks.ts";

/** The present code on what a released version has stored: every test starts from the upgraded data. */
/** Leaves out what an upgrade or the next request may change: the requests of a minute, and the size of the ledger. */
const withoutMoments = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value: unknown) => {
    if (name === "requestsThisMinute") return undefined;
    if (name !== "storage" || typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "bytes"));
  }) as unknown;

describe.each(storedVersions())("an installation of version %s, upgraded", (version) => {
  let folder: string;
  let state: StoredState;
  let miniflare: Miniflare;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "qr-upgrade-"));
    state = readState(version);
    unpackFiles(state.files, folder);
    requireKnownData(folder, join(root, "migrations"));
    await withCatalogue(folder, migrate);
    miniflare = await startOnState(state, folder);
  });
  afterAll(async () => {
    await miniflare.dispose();
    rmSync(folder, { recursive: true });
  });

  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await miniflare.dispatchFetch(new URL(path, state.origin), {
      method,
      headers: { ...headers, [clockHeader]: String(state.now + 60_000), "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    return { status: response.status, text: await response.text() };
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

  it("lets the person who was signed in go on", async () => {
    const { status, text } = await send("GET", "/dashboard/settings", { cookie: state.cookie });
    expect([status, text]).toEqual([200, expect.stringContaining("Inês Almeida")]);
  });

  it("counts new scans on top, and delivers a change to the webhook, signed", async () => {
    const created = await send("POST", "/api/v1/qr", withKey(), {
      qrType: "url",
      name: "After the upgrade",
      data: { type: "url", url: "https://harbour.example/new" },
    });
    const qr = Qr.parse(JSON.parse(created.text));
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
