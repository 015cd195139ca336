import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import { countWaiting, forwardEvents } from "../../src/domain/events/forwarding.ts";
import { presentEntry } from "../../src/domain/history/history.ts";
import { bounds } from "../../src/protocol/bounds.ts";
import { readHistory } from "../../src/store/history.ts";
import { BulkHarness } from "../support/bulk.ts";
import { signedIn } from "../support/dashboard.ts";
import type { Client, SessionClient } from "../support/service.ts";
import { receivingNothing } from "../support/world/away.ts";

/** The contents of a workspace's outbox: its rows, their bytes, and the bytes as counted last. */
const waiting = (workspaceId: string) =>
  env.DB.prepare(
    `SELECT count(o.id) AS rows, coalesce(sum(o.bytes), 0) AS bytes, w.waiting_bytes AS counted
     FROM workspaces w LEFT JOIN outbox o ON o.workspace_id = w.id WHERE w.id = ? GROUP BY w.id`,
  )
    .bind(workspaceId)
    .first<{ rows: number; bytes: number; counted: number }>();

const withoutWebhooks = (workspaceId: string) =>
  env.DB.prepare("UPDATE workspaces SET has_webhooks = 0 WHERE id = ?").bind(workspaceId).run();

it("no change of a workspace without webhooks is left in the outbox, by the API or in the dashboard", async () => {
  const { service } = new BulkHarness();
  const { client, browser } = await signedIn(service);
  const { workspaceId } = client;
  await withoutWebhooks(workspaceId);
  const qr = await client.createQr({ name: "Menu" });
  await client.send("PATCH", `/qr/${qr.id}`, { name: "Lunch" });
  await browser.submit("/dashboard/folders", { name: "Cafés" });
  await browser.submit(`/dashboard/codes/${qr.id}/pause`, {});
  expect(await waiting(workspaceId)).toEqual({ rows: 0, bytes: 0, counted: 0 });
  const { items } = await service.deps.ledger(workspaceId).listHistory({}, null, 10);
  expect(items.map(({ action }) => action)).toEqual([
    ...["code.updated", "folder.created", "code.updated", "code.created"],
  ]);
});

describe.each(["without", "with"])("while the ledger of a workspace %s webhooks is away", (webhooks) => {
  const hasWebhooks = webhooks === "with";
  let harness: BulkHarness;
  let client: Client;
  let session: SessionClient;

  beforeAll(async () => {
    harness = new BulkHarness();
    const away = harness.isolate({ ledger: receivingNothing(harness.service.deps.ledger) });
    client = await away.workspace();
    session = await away.sessionIn(client.workspaceId);
    if (webhooks === "without") await withoutWebhooks(client.workspaceId);
  });

  /** Makes the counter claim this many bytes. */
  const claim = (bytes: number) =>
    env.DB.prepare("UPDATE workspaces SET waiting_bytes = ? WHERE id = ?")
      .bind(bytes, client.workspaceId)
      .run();

  /** Counts as a sweep does a while later. */
  async function countedByASweep() {
    await countWaiting({ ...harness.service.deps, now: () => harness.clock.now() + 60_000 });
    return (await waiting(client.workspaceId))?.counted;
  }

  /** Returns the entries in the outbox, oldest first. */
  async function waitingEntries() {
    const { results } = await env.DB.prepare(
      "SELECT id, data, history FROM outbox WHERE workspace_id = ? AND history IS NOT NULL ORDER BY id",
    )
      .bind(client.workspaceId)
      .all<{ id: string; data: string; history: string }>();
    return results.flatMap((row) => {
      const entry = readHistory(row);
      return "action" in entry ? presentEntry(serviceContext(client.workspaceId, "business"), entry) : [];
    });
  }

  /** Makes changes of every path that writes to the outbox. @returns their entries, oldest first */
  async function changeAll() {
    const since = (await waitingEntries()).at(-1)?.id ?? "";
    harness.clock.advance(1000);
    const qr = await client.createQr({ name: "Menu" });
    const patched = await client.send("PATCH", `/qr/${qr.id}`, { name: "Lunch" });
    const folder = await client.send("POST", "/folders", { name: `Folder ${qr.hash}` });
    const key = await session.send("POST", "/developer/keys", {
      name: "till",
      type: "secret",
      scopes: ["qr:read"],
    });
    const items = [{ qrType: "url", data: { type: "url", url: "https://example.com/bulk" } }];
    const jobs = [
      await harness.accepted(await harness.json(client, items)),
      await harness.accepted(await harness.update(client, { ids: [qr.id], change: { addTags: ["new"] } })),
    ];
    await harness.drain(client.service);
    expect([patched.status, folder.status, key.status]).toEqual([200, 201, 201]);
    for (const { jobId } of jobs) {
      expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: 1 });
    }
    return (await waitingEntries()).filter(({ id }) => id > since);
  }

  const codeActions = ["code.created", "code.updated", "code.created", "code.updated"];

  it("changes are made and recorded, and their bytes are counted", async () => {
    const entries = await changeAll();
    expect(entries.filter(({ valuesLeftOut }) => valuesLeftOut)).toEqual([]);
    expect(entries.map(({ action }) => action).sort()).toEqual(
      [...codeActions, "folder.created", "job.created", "job.created", "key.created"].sort(),
    );
    for (const { changes } of entries) expect(changes).not.toEqual({});
    const { rows = 0, bytes, counted } = (await waiting(client.workspaceId)) ?? {};
    expect(rows).toBeGreaterThanOrEqual(8);
    expect(counted).toBe(0);
    expect(await countedByASweep()).toBe(bytes);
  });

  it("from a bound on values are left out, except those about people, keys, webhooks and settings", async () => {
    await claim(bounds.outbox.values);
    const entries = await changeAll();
    expect(entries).toHaveLength(8);
    for (const { action, changes, valuesLeftOut } of entries) {
      const isKey = action === "key.created";
      expect([action, valuesLeftOut]).toEqual([action, !isKey]);
      if (!isKey) expect(changes).toEqual({});
      else expect(changes).toMatchObject({ name: { after: "till" } });
    }
    const rows = await env.DB.prepare(
      "SELECT max(length(history)) AS n FROM outbox WHERE workspace_id = ? AND history->>'leftOut' = 1",
    )
      .bind(client.workspaceId)
      .first<number>("n");
    expect(rows).toBeLessThan(700);
  });

  it("from the next bound on changes are made, and only those are recorded", async () => {
    await claim(hasWebhooks ? bounds.outbox.events : bounds.outbox.changes);
    expect((await changeAll()).map(({ action }) => action)).toEqual(hasWebhooks ? [] : ["key.created"]);
    await claim(bounds.outbox.guarded);
    const events = (await changeAll()).filter(({ action }) => action !== "key.created");
    // No event is lost as long as there is room for it.
    expect(events.length > 0).toBe(hasWebhooks);
  });

  it("the entries reach the ledger as they are", async () => {
    const before = await waitingEntries();
    await forwardEvents(harness.service.deps, client.workspaceId);
    expect((await waiting(client.workspaceId))?.rows).toBe(0);
    expect(await countedByASweep()).toBe(0);
    const session = await harness.service.sessionIn(client.workspaceId);
    const { items } = await session.expect(200, HistoryList, "GET", "/developer/history?limit=100");
    expect(items).toEqual(before.toReversed());
    const partial = items.filter(({ valuesLeftOut }) => valuesLeftOut);
    expect(partial).toHaveLength(hasWebhooks ? 14 : 7);
    const updated = partial.find(({ action }) => action === "code.updated");
    const undone = await session.send("POST", `/developer/history/${updated?.id}/revert`);
    expect([undone.status, await undone.text()]).toEqual([
      400,
      expect.stringContaining("its values were left out"),
    ]);
  });
});

it("the dashboard shows for a day that more was changed than usual", async () => {
  const { service, clock } = new BulkHarness();
  const { client, browser } = await signedIn(service);
  const notice = "An unusual number of changes";
  const open = async () => (await browser.open("/dashboard")).text();
  await client.createQr();
  expect(await open()).not.toContain(notice);
  await runInDurableObject(env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId)), (_, { storage }) => {
    const { rows, bytes } = bounds.history.unusual;
    storage.kv.put("history", {
      ...storage.kv.get<object>("history"),
      hour: { since: clock.now(), rows, bytes },
    });
  });
  await client.createQr();
  expect(await open()).toContain(notice);
  clock.advance(bounds.history.unusual.noticed);
  expect(await open()).not.toContain(notice);
});

it("the dashboard says that values were left out, and doesn't offer to put them back", async () => {
  const { service } = new BulkHarness();
  const { client, browser } = await signedIn(service);
  const qr = await client.createQr({ name: "Menu" });
  await env.DB.prepare("UPDATE workspaces SET waiting_bytes = ? WHERE id = ?")
    .bind(bounds.outbox.values, client.workspaceId)
    .run();
  await client.send("PATCH", `/qr/${qr.id}`, { name: "Lunch" });
  const page = await (await browser.open("/dashboard/history")).text();
  expect(page).toContain("Values left out");
  expect(page).not.toContain("Restore");
});
