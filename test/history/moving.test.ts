import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { HistoryEntry, HistoryList } from "../../src/contract/resources/history/history.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { forwardEvents, forwardStrandedEvents } from "../../src/domain/events/forwarding.ts";
import { BulkHarness } from "../support/bulk.ts";
import type { DepsOverrides } from "../../src/composition.ts";
import type { Client, Service, SessionClient } from "../support/service.ts";
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
    client = await quietWorkspace();
    session = await away.sessionIn(client.workspaceId);
    code = await client.createQr({ name: "Menu" });
    clock.advance(1000);
    since = new Date(clock.now()).toISOString();
    await client.send("PATCH", `/qr/${code.id}`, { name: "Lunch" });
    const change = { ids: [code.id], change: { addTags: ["new"] } };
    ({ jobId } = await harness.accepted(await harness.update(client, change)));
    // The worker of a job forwards what is in the outbox, too.
    await harness.drain(away);
    await session.send("PATCH", "/developer/workspace", { name: "Harbour" });
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

it.each(["before", "after"])(
  "entries that move over %s the ledger is read are listed once",
  async (moment) => {
    const client = await quietWorkspace();
    const code = await client.createQr();
    for (let i = 0; i < 5; i += 1) {
      clock.advance(1);
      await client.send("PATCH", `/qr/${code.id}`, { name: `Name ${i}` });
    }
    const names = ["Name 4", "Name 3", "Name 2", "Name 1", "Name 0", null];
    const path = `/api/v1/qr/${code.id}/history`;
    const headers = { authorization: `Bearer ${client.key}` };
    const read = async (by: Service, query: string) =>
      HistoryList.parse(await (await by.fetch(`${path}?${query}`, { headers })).json());
    const nameOf = ({ changes }: HistoryEntry) => changes.name?.after ?? null;
    const moving = isolateWhere("listHistory", async (call) => {
      if (moment === "before") await sweep();
      const page = await call();
      if (moment === "after") await sweep();
      return page;
    });
    const first = await read(service, "limit=2");
    const second = await read(moving, `limit=2&cursor=${first.nextCursor}`);
    const third = await read(service, `cursor=${second.nextCursor}`);
    expect([first, second, third].flatMap(({ items }) => items.map(nameOf))).toEqual(names);
    expect(third.nextCursor).toBeNull();
  },
);
