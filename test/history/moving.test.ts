import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { HistoryEntry, HistoryList } from "../../src/contract/resources/history/history.ts";
import { forwardEvents, forwardStrandedEvents } from "../../src/domain/events/forwarding.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { Browser } from "../support/browser.ts";
import { BulkHarness } from "../support/bulk.ts";
import { Client, type Service, type SessionClient } from "../support/service.ts";
import { receivingNothing } from "../support/world/away.ts";

/** A change is in the history at once, and once, wherever its entry is: in the outbox, in the ledger, or in both. */

const harness = new BulkHarness();
const { service, clock } = harness;

type Ledger = NonNullable<DepsOverrides["ledger"]>;

/** An isolate in which something happens around a call of the ledger. */
function isolateWhere(method: string, around: (call: () => Promise<unknown>) => Promise<unknown>): Service {
  const ledger: Ledger = (id) => {
    const stub = service.deps.ledger(id);
    return new Proxy(stub, {
      get(_, name) {
        const found: unknown = Reflect.get(stub, name, stub);
        if (name !== method || typeof found !== "function") return found;
        return (...args: unknown[]) => around(async () => (await found(...args)) as unknown);
      },
    });
  };
  return harness.isolate({ ledger });
}

/** An isolate whose changes wait in the outbox. */
const away = harness.isolate({ ledger: receivingNothing(service.deps.ledger) });

/** A workspace without webhooks, whose history waits in the outbox. */
async function quietWorkspace(): Promise<Client> {
  const client = await away.workspace();
  await env.DB.prepare("UPDATE workspaces SET has_webhooks = 0 WHERE id = ?").bind(client.workspaceId).run();
  return client;
}

/** Moves the history as the sweep does. */
async function sweep(): Promise<void> {
  clock.advance(31_000);
  await forwardStrandedEvents(service.deps);
}

/** Leaves entries in both, like a forwarder that dies before it deletes them from the outbox. */
async function dieWhileForwarding({ workspaceId }: Client): Promise<void> {
  const dying = isolateWhere("receive", async (call) => {
    await call();
    throw new Error("died");
  });
  await expect(forwardEvents(dying.deps, workspaceId)).rejects.toThrow("died");
}

describe.each([
  ["in the outbox", [5, 0], async () => {}],
  ["in both", [5, 5], dieWhileForwarding],
  ["in the ledger", [0, 5], sweep],
] as const)("while its entries are %s", (_, places, move) => {
  let client: Client;
  let session: SessionClient;
  let code: Qr;
  let jobId: string;
  let since: string;

  beforeAll(async () => {
    const writer = await quietWorkspace();
    client = new Client(service, writer.workspaceId, writer.keyId, writer.key);
    session = await service.sessionIn(client.workspaceId);
    code = await writer.createQr({ name: "Menu" });
    clock.advance(1000);
    since = new Date(clock.now()).toISOString();
    await writer.send("PATCH", `/qr/${code.id}`, { name: "Lunch" });
    const change = { ids: [code.id], change: { addTags: ["new"] } };
    ({ jobId } = await harness.accepted(await harness.update(writer, change)));
    // The worker of a job forwards what is in the outbox, too.
    await harness.drain(away);
    const owner = await away.sessionIn(client.workspaceId);
    await owner.send("PATCH", "/developer/workspace", { name: "Harbour" });
    await move(client);
    const { workspaceId } = client;
    const { items: stored } = await service.deps.ledger(workspaceId).listHistory({}, null, 100);
    const waiting = await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE workspace_id = ?")
      .bind(workspaceId)
      .first("n");
    expect([waiting, stored.length]).toEqual(places);
  });

  const actions = (entries: readonly HistoryEntry[]) => entries.map(({ action }) => action).sort();
  const ofCode = ["code.created", "code.updated", "code.updated"];

  const expected = (): Record<string, string[]> => ({
    "": [...ofCode, "job.created", "workspace.updated"],
    "actor=key": [...ofCode, "job.created"],
    [`actor=${client.keyId}`]: [...ofCode, "job.created"],
    "actor=person": ["workspace.updated"],
    "kind=code": ofCode,
    "kind=workspace": ["workspace.updated"],
    [`object=${code.id}`]: ofCode,
    [`object=${jobId}`]: ["job.created"],
    [`jobId=${jobId}`]: ["code.updated"],
    [`from=${since}`]: ["code.updated", "code.updated", "job.created", "workspace.updated"],
    [`to=${new Date(Date.parse(since) - 1).toISOString()}`]: ["code.created"],
  });

  it("a change is in the workspace's history and its export once, whatever the filter", async () => {
    for (const [query, told] of Object.entries(expected())) {
      const { items } = await session.expect(200, HistoryList, "GET", `/developer/history?${query}`);
      expect([query, actions(items)]).toEqual([query, told]);
      const lines = await (await session.send("GET", `/developer/history/export?${query}`)).text();
      const exported = lines
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => HistoryEntry.parse(JSON.parse(line)));
      expect(exported).toEqual(items);
    }
  });

  it("a change is in its code's history once, whatever the filter", async () => {
    for (const [query, told] of Object.entries(expected())) {
      if (/^(kind|object|actor=person)/.test(query)) continue;
      const { items } = await client.expect(200, HistoryList, "GET", `/qr/${code.id}/history?${query}`);
      expect([query, actions(items)]).toEqual([query, told.filter((action) => action.startsWith("code."))]);
    }
  });

  it("pages follow each other without gaps and repetitions", async () => {
    const { items } = await session.expect(200, HistoryList, "GET", "/developer/history");
    const paged: HistoryEntry[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page: HistoryList = await session.expect(
        200,
        HistoryList,
        "GET",
        `/developer/history?limit=2${after}`,
      );
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(items);
  });
});

describe("while the history is on its way", () => {
  /** A workspace with entries in the outbox, and clients of it in an isolate with this ledger. */
  async function waitingWorkspace(by: Service) {
    const writer = await quietWorkspace();
    const code = await writer.createQr({ name: "Menu" });
    await writer.send("PATCH", `/qr/${code.id}`, { name: "Lunch" });
    const client = new Client(by, writer.workspaceId, writer.keyId, writer.key);
    const list = () => client.expect(200, HistoryList, "GET", `/qr/${code.id}/history`);
    return { client, code, list, session: await by.sessionIn(writer.workspaceId) };
  }

  it("readers wait for another forwarder that is about to end", async () => {
    const { promise: received, resolve: go } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const slow = isolateWhere("receive", async (call) => {
      start();
      await received;
      return call();
    });
    const { client, list } = await waitingWorkspace(harness.isolate({ pause: async () => go() }));
    const forwarding = forwardEvents(slow.deps, client.workspaceId);
    await started;
    expect(await list()).toMatchObject({ newestFollow: false, items: [{}, {}] });
    await forwarding;
  });

  it("a list says that its newest entries follow, and what needs them says when to try again", async () => {
    const { client, code, list, session } = await waitingWorkspace(away);
    expect(await list()).toEqual({ items: [], nextCursor: null, newestFollow: true });
    const browser = new Browser(away);
    browser.cookies.set("session", session.cookie.replace("session=", ""));
    for (const path of ["/dashboard/history", `/dashboard/codes/${code.id}/history`]) {
      expect(await (await browser.open(path)).text()).toContain(
        "The newest changes are still being recorded.",
      );
    }
    const exported = await session.send("GET", "/developer/history/export");
    const undone = await session.send("POST", `/developer/history/${newId(clock.now())}/revert`);
    for (const { status, headers } of [exported, undone]) {
      expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    }
    await sweep();
    const { items } = await new Client(service, client.workspaceId, client.keyId, client.key).expect(
      200,
      HistoryList,
      "GET",
      `/qr/${code.id}/history`,
    );
    expect(items).toHaveLength(2);
  });

  it("readers forward no more than a megabyte", async () => {
    const { client, list } = await waitingWorkspace(service);
    await env.DB.prepare(
      `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
       SELECT substr(o.id, 1, 24) || printf('%012x', s.value), o.workspace_id, '', json_object('name', printf('%.*c', 5000, 'x')),
         o.history, o.created_at
       FROM (SELECT * FROM outbox WHERE workspace_id = ?1 LIMIT 1) o, json_each(?2) s`,
    )
      .bind(client.workspaceId, JSON.stringify(Array.from({ length: 600 }, (_, i) => i)))
      .run();
    expect((await list()).newestFollow).toBe(true);
    const { left } = (await env.DB.prepare("SELECT count(*) AS left FROM outbox WHERE workspace_id = ?")
      .bind(client.workspaceId)
      .first<{ left: number }>()) ?? { left: 0 };
    expect(left).toBeGreaterThan(300);
    await forwardEvents(service.deps, client.workspaceId);
    expect((await list()).newestFollow).toBe(false);
  });

  it("an undo of a bulk job changes nothing until it knows what the job did", async () => {
    const { client, code, session } = await waitingWorkspace(away);
    const read = () => client.expect(200, Qr, "GET", `/qr/${code.id}`);
    const update = { ids: [code.id], change: { addTags: ["new"] } };
    const { jobId } = await harness.accepted(await harness.update(client, update));
    await sweep();
    // The job changes the code, but its entry about it is left in the outbox.
    await harness.drain(away);
    const { items } = await service.deps.ledger(client.workspaceId).listHistory({ objectId: jobId }, null, 1);
    const undo = await session.send("POST", `/developer/history/${items[0]?.id}/revert`);
    expect(undo.status).toBe(200);
    await harness.drain(away);
    expect(await read()).toMatchObject({ tags: ["new"] });
    clock.advance(31_000);
    await harness.sweep();
    await harness.drain();
    expect(await read()).toMatchObject({ tags: [] });
  });
});
