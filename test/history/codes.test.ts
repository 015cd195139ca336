import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { HistoryEntry, HistoryList } from "../../src/contract/resources/history/history.ts";
import { Client, FakeClock, Service } from "../support/service.ts";
import { receivingNothing } from "../support/world/away.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });

/** Returns the history of a code, as an isolate reads it that reaches the ledger. */
const historyOf = async ({ workspaceId, keyId, key }: Client, id: string): Promise<HistoryList["items"]> => {
  const reader = new Client(service, workspaceId, keyId, key);
  return (await reader.expect(200, HistoryList, "GET", `/qr/${id}/history`)).items;
};

/** An isolate whose changes wait in the outbox. */
const away = new Service({ now: clock.now, ledger: receivingNothing(service.deps.ledger) });

const waiting = (workspaceId: string) =>
  env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE workspace_id = ?").bind(workspaceId).first("n");

describe("a code's history", () => {
  it("has each change with who made it and the values before and after, newest first", async () => {
    const client = await away.workspace();
    const qr = await client.createQr({ name: "Menu", tags: ["summer"] });
    await client.send(
      "PATCH",
      `/qr/${qr.id}`,
      { name: "Lunch", status: "paused" },
      { "x-request-id": "mine" },
    );
    await client.send("PATCH", `/qr/${qr.id}`, { name: "Lunch" });
    await client.send("DELETE", `/qr/${qr.id}`);
    await client.expect(200, Qr, "POST", `/qr/${qr.id}/restore`);

    const entries = await historyOf(client, qr.id);
    const actor = { kind: "key", id: client.keyId, name: "test" };
    const object = { kind: "code", id: qr.id };
    expect(entries).toMatchObject([
      { action: "code.restored", actor, via: "api", object: { ...object, name: "Lunch" }, changes: {} },
      { action: "code.deleted", actor, object: { ...object, name: "Lunch" }, changes: {} },
      {
        action: "code.updated",
        actor,
        requestId: "mine",
        object: { ...object, name: "Lunch" },
        changes: { name: { before: "Menu", after: "Lunch" }, status: { before: "active", after: "paused" } },
        jobId: null,
        revertOf: null,
      },
      {
        action: "code.created",
        actor,
        object: { ...object, name: "Menu" },
        changes: {
          name: { before: null, after: "Menu" },
          tags: { before: null, after: ["summer"] },
          data: { before: null, after: { type: "url", url: "https://example.com/" } },
          hash: { before: null, after: qr.hash },
        },
      },
    ]);
    expect(entries[2]?.at).toBe(new Date(clock.now()).toISOString());
  });

  it("is forwarded before it is read", async () => {
    const client = await away.workspace();
    const qr = await client.createQr();
    await client.send("PATCH", `/qr/${qr.id}`, { name: "A" });
    expect(await waiting(client.workspaceId)).toBeGreaterThan(1);
    const before = await historyOf(client, qr.id);
    expect(await waiting(client.workspaceId)).toBe(0);
    expect(before).toHaveLength(2);
    await client.send("PATCH", `/qr/${qr.id}`, { name: "B" });
    const [newest, ...earlier] = await historyOf(client, qr.id);
    expect(newest?.changes).toEqual({ name: { before: "A", after: "B" } });
    expect(earlier).toEqual(before);
  });

  it("comes in pages", async () => {
    const client = await service.workspace();
    const qr = await client.createQr();
    for (let i = 0; i < 7; i += 1) {
      clock.advance(1);
      await client.send("PATCH", `/qr/${qr.id}`, { name: `name ${i}` });
    }
    const all = await historyOf(client, qr.id);
    expect(all.map(({ changes }) => changes.name?.after)).toEqual([
      ...[6, 5, 4, 3, 2, 1, 0].map((i) => `name ${i}`),
      undefined,
    ]);
    for (const limit of [1, 2, 3, 5]) {
      const paged: HistoryEntry[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page: HistoryList = await client.expect(
          200,
          HistoryList,
          "GET",
          `/qr/${qr.id}/history?limit=${limit}${query}`,
        );
        paged.push(...page.items);
        cursor = page.nextCursor;
      }
      expect(paged).toEqual(all);
    }
  });

  it("is kept for a deleted code, and is not found for codes of others", async () => {
    const client = await service.workspace();
    const other = await service.workspace();
    const qr = await client.createQr();
    await client.send("DELETE", `/qr/${qr.id}`);
    expect(await historyOf(client, qr.id)).toHaveLength(2);
    expect((await other.send("GET", `/qr/${qr.id}/history`)).status).toBe(404);
  });
});

describe("the workspace's history", () => {
  it("is filtered by actor, kind, object and time, and exported as lines", async () => {
    const session = await service.session();
    const [one, two] = [await service.client(session.workspaceId), await service.client(session.workspaceId)];
    const first = await one.createQr({ name: "first" });
    clock.advance(60_000);
    const since = new Date(clock.now()).toISOString();
    const second = await two.createQr({ name: "second" });
    await one.send("PATCH", `/qr/${second.id}`, { name: "changed" });
    const list = async (query: string) =>
      (await session.expect(200, HistoryList, "GET", `/developer/history?${query}`)).items.map(
        ({ action, object }) => `${action} ${object.name}`,
      );
    const all = ["code.updated changed", "code.created second", "code.created first"];
    expect((await list("kind=code")).toSorted()).toEqual(all.toSorted());
    expect(await list(`actor=${two.keyId}`)).toEqual(["code.created second"]);
    expect((await list("actor=key&kind=code")).toSorted()).toEqual(all.toSorted());
    expect(await list("actor=person")).toEqual([]);
    expect(await list(`object=${first.id}`)).toEqual(["code.created first"]);
    expect((await list(`kind=code&from=${since}`)).toSorted()).toEqual(all.slice(0, 2).toSorted());
    expect(await list(`kind=code&to=${new Date(clock.now() - 1).toISOString()}`)).toEqual([
      "code.created first",
    ]);

    const lines = await (await session.send("GET", `/developer/history/export?actor=${one.keyId}`)).text();
    const exported = lines
      .trimEnd()
      .split("\n")
      .map((line) => HistoryEntry.parse(JSON.parse(line)));
    expect(exported.map(({ object }) => object.name)).toEqual(["changed", "first"]);
  });

  it.each([
    ["from", "from=yesterday"],
    ["from", "from=2026-02-01&to=2026-01-01"],
    ["kind", "kind=scan"],
    ["actor", "actor="],
    ["cursor", "cursor=none"],
  ])("refuses a wrong %s: %s", async (field, query) => {
    const session = await service.session();
    const response = await session.send("GET", `/developer/history?${query}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(field);
  });
});

it("the operator's suspension of a code is in its history", async () => {
  const client = await service.workspace();
  const qr = await client.createQr();
  await service.operator.send("PUT", `/operator/qr/${qr.id}/suspension`, { reason: "Phishing" });
  const [entry] = await historyOf(client, qr.id);
  expect(entry).toMatchObject({
    action: "code.suspended",
    actor: { kind: "operator", id: null, name: "Operator" },
    changes: { suspended: { before: null, after: { reason: "Phishing" } } },
  });
});
