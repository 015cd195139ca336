import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import { DeadLetterList, Retried } from "../../src/contract/resources/operations/operations.ts";
import { queuesOf } from "../../src/domain/operations/queues.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { expectError } from "../support/endpoints.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import { FakeClock, Service } from "../support/service.ts";

const day = 24 * 60 * 60_000;
const scan = packed(scanRecord({ workspaceId: crypto.randomUUID(), qrId: crypto.randomUUID() }));
const repair = (key: string) => ({ key });

/** A queue that records its batches. @param refuses which attempts it refuses, counting from 1 */
function recordingQueue(refuses: (attempt: number) => boolean = () => false) {
  const batches: unknown[][] = [];
  let attempt = 0;
  const sendBatch = async (messages: { body: unknown }[]) => {
    attempt += 1;
    if (refuses(attempt)) throw new Error("queue is unavailable: secret details");
    batches.push(messages.map(({ body }) => body));
  };
  return { batches, queue: { sendBatch } as unknown as Queue };
}

const list = (service: Service, query = "") =>
  service.operator.expect(200, DeadLetterList.strict(), "GET", `/operator/dead-letters${query}`);

const retryAll = (service: Service, queue: string) =>
  service.operator.expect(200, Retried.strict(), "POST", "/operator/dead-letters/retry", { queue });

beforeEach(async () => {
  await env.DB.exec("DELETE FROM dead_letters");
});

const clock = new FakeClock();

/** An isolate with the tests' clock, so that dead letters are ordered by their ids. */
const isolate = (overrides: DepsOverrides = {}) => new Service({ now: clock.now, ...overrides });

/** Delivers route repairs to the dead-letter queue, one after another. */
async function bury(service: Service, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    clock.advance(1);
    await service.consume("route-repairs-dead", [{ id: `message ${key}`, body: repair(key) }]);
  }
}

describe("the consumer of dead letters", () => {
  it("stores a message once, however often it arrives", async () => {
    const service = new Service();
    for (let i = 0; i < 2; i += 1) {
      await service.consume("scans-dead", [{ id: "dead", body: { batches: [] } }]);
    }
    const { results } = await env.DB.prepare("SELECT message_id, queue, body FROM dead_letters").all();
    expect(results).toEqual([{ message_id: "dead", queue: "scans", body: '{"batches":[]}' }]);
  });

  it("stores those of an installation's queues, whose names have a prefix, under the queue's own name", async () => {
    const service = new Service();
    const names = Object.keys(queuesOf(service.deps));
    for (const name of names) {
      await service.consume(`shop-${name}-dead`, [{ id: name, body: repair(name) }]);
    }
    const { results } = await env.DB.prepare("SELECT message_id AS name, queue FROM dead_letters").all();
    expect(results).toEqual(expect.arrayContaining(names.map((name) => ({ name, queue: name }))));
    expect(results).toHaveLength(names.length);
  });

  it("retries the one message that can't be stored, and stores the others", async () => {
    const prepare = (sql: string) => {
      const statement = env.DB.prepare(sql);
      return new Proxy(statement, {
        get(target, name) {
          if (name !== "bind") return Reflect.get(target, name, target);
          return (...values: unknown[]) => {
            if (values.includes("second")) throw new Error("D1 is unavailable");
            return target.bind(...values);
          };
        },
      });
    };
    const service = new Service({ db: { prepare } as unknown as D1Database });
    const ids = ["first", "second", "third"];
    const result = await service.consume(
      "bulk-dead",
      ids.map((id) => ({ id, body: {} })),
    );
    expect([...result.explicitAcks].sort()).toEqual(["first", "third"]);
    expect(result.retryMessages.map(({ msgId }) => msgId)).toEqual(["second"]);
    const { results } = await env.DB.prepare("SELECT message_id AS id FROM dead_letters").all();
    expect(results.map(({ id }) => id).sort()).toEqual(["first", "third"]);
  });

  it.each([null, "?", 7, {}, { batches: 7 }, { batches: [null, { scans: [null, ["x"], 7] }] }])(
    "stores a scans message of any form: %j",
    async (body) => {
      const service = new Service();
      await service.consume("scans-dead", [{ body }]);
      const { items } = await list(service);
      expect(items.map((item) => JSON.parse(item.body))).toEqual([body]);
    },
  );
});

describe("the list of dead letters", () => {
  it("is newest first, by queue, in pages, with long messages cut off", async () => {
    const service = isolate();
    await bury(service, ["a", "b", "c"]);
    clock.advance(1);
    await service.consume("bulk-dead", [{ body: { long: "x".repeat(5000) } }]);
    const first = await list(service, "?queue=route-repairs&limit=2");
    expect(first.items.map(({ body }) => body)).toEqual(['{"key":"c"}', '{"key":"b"}']);
    const second = await list(service, `?queue=route-repairs&limit=2&cursor=${first.nextCursor}`);
    expect(second.items.map(({ body }) => body)).toEqual(['{"key":"a"}']);
    expect(second.nextCursor).toBeNull();
    const [long] = (await list(service)).items;
    expect([long?.queue, long?.body.length, long?.bodyLength]).toEqual(["bulk", 2000, 5011]);
    expect((await list(service, "?queue=nothing")).items).toEqual([]);
  });
});

describe("retrying", () => {
  it("puts one message back on its queue, and then forgets it", async () => {
    const { queue, batches } = recordingQueue();
    const service = isolate({ routeRepairQueue: queue } as DepsOverrides);
    await bury(service, ["a", "b"]);
    const [newest] = (await list(service)).items;
    const path = `/operator/dead-letters/${newest?.id}/retry`;
    expect(await service.operator.expect(200, Retried, "POST", path)).toEqual({
      queue: "route-repairs",
      retried: 1,
      remaining: 1,
    });
    expect(batches).toEqual([[repair("b")]]);
    await expectError(await service.operator.send("POST", path), 404, "not_found");
    expect(batches).toHaveLength(1);
    expect((await list(service)).items.map(({ body }) => body)).toEqual(['{"key":"a"}']);
  });

  it("keeps a message that its queue refuses, and names the queue only", async () => {
    const { queue, batches } = recordingQueue((attempt) => attempt === 1);
    const service = isolate({ routeRepairQueue: queue } as DepsOverrides);
    await bury(service, ["a"]);
    const [item] = (await list(service)).items;
    const path = `/operator/dead-letters/${item?.id}/retry`;
    const error = await expectError(await service.operator.send("POST", path), 503, "internal");
    expect(error).toContain("route-repairs");
    expect(error).not.toContain("secret details");
    expect((await list(service)).items).toHaveLength(1);
    await service.operator.expect(200, Retried, "POST", path);
    expect(batches).toEqual([[repair("a")]]);
  });

  it("sends again what was sent and could not be deleted", async () => {
    const { queue, batches } = recordingQueue();
    let fails = true;
    const prepare = (sql: string) => {
      if (fails && /^delete/i.test(sql)) throw new Error("D1 is unavailable");
      return env.DB.prepare(sql);
    };
    const db = { prepare, batch: env.DB.batch.bind(env.DB) } as unknown as D1Database;
    const service = isolate({ routeRepairQueue: queue, db } as DepsOverrides);
    await bury(service, ["a"]);
    const [item] = (await list(service)).items;
    const path = `/operator/dead-letters/${item?.id}/retry`;
    await expectError(await service.operator.send("POST", path), 500, "internal");
    fails = false;
    await service.operator.expect(200, Retried, "POST", path);
    expect(batches).toEqual([[repair("a")], [repair("a")]]);
    expect((await list(service)).items).toEqual([]);
  });

  it("takes a queue's oldest messages, at most 100 a call, and says how many remain", async () => {
    const { queue, batches } = recordingQueue();
    const service = isolate({ routeRepairQueue: queue } as DepsOverrides);
    const dead = Array.from({ length: 130 }, (_, i) => ({ id: `message ${i}`, body: repair(`key ${i}`) }));
    await service.consume("route-repairs-dead", dead);
    await service.consume("bulk-dead", [{ body: {} }]);
    expect(await retryAll(service, "route-repairs")).toEqual({
      queue: "route-repairs",
      retried: 100,
      remaining: 30,
    });
    expect(batches.flat()).toHaveLength(100);
    expect(await retryAll(service, "route-repairs")).toMatchObject({ retried: 30, remaining: 0 });
    expect(new Set(batches.flat().map((body) => JSON.stringify(body))).size).toBe(130);
    expect(await retryAll(service, "route-repairs")).toMatchObject({ retried: 0, remaining: 0 });
    expect((await list(service)).items.map((item) => item.queue)).toEqual(["bulk"]);
  });

  it("sends no more than a queue takes at a time", async () => {
    const { queue, batches } = recordingQueue();
    const service = isolate({ bulkQueue: queue } as DepsOverrides);
    for (let i = 0; i < 5; i += 1) {
      await service.consume("bulk-dead", [{ id: `${i}`, body: { text: "ü".repeat(50_000) } }]);
    }
    await retryAll(service, "bulk");
    expect(batches.map((batch) => batch.length)).toEqual([2, 2, 1]);
  });

  it("refuses a queue that this service lacks, also that of a stored message", async () => {
    const service = isolate();
    for (const queue of ["nothing", "scans-dead", "toString", ""]) {
      const answer = await service.operator.send("POST", "/operator/dead-letters/retry", { queue });
      expect(await expectError(answer, 400, "invalid_input")).toMatch(/^queue must be one of/);
    }
    const id = newId(clock.now());
    await env.DB.prepare(
      "INSERT INTO dead_letters (id, queue, message_id, body, created_at, expires_at) VALUES (?, 'old', 'm', '1', 0, ?)",
    )
      .bind(id, clock.now() + day)
      .run();
    const answer = await service.operator.send("POST", `/operator/dead-letters/${id}/retry`);
    expect(await expectError(answer, 400, "invalid_input")).toContain(", not old.");
    expect((await list(service)).items).toHaveLength(1);
  });

  it("brings back the scans of all workspaces, should the ledger of one still fail", async () => {
    const { queue, batches } = recordingQueue();
    const scanOf = (workspaceId: string) =>
      packed(scanRecord({ workspaceId, qrId: "01900000-0000-7000-8000-0000000000aa", at: clock.now() }));
    const [first, failing, last] = Array.from({ length: 3 }, () => crypto.randomUUID());
    const service = isolate({
      scanQueue: queue,
      ledger: (workspaceId: string) => {
        if (workspaceId === failing) throw new Error("ledger is unavailable");
        return env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
      },
    } as DepsOverrides);
    const dead = [[failing], [first], [failing, last]].map((workspaces, i) => ({
      id: `scans ${i}`,
      body: { batches: workspaces.flatMap((id = "") => scanOf(id)) },
    }));
    expect((await service.consume("scans-dead", dead)).explicitAcks).toHaveLength(3);
    expect(await retryAll(service, "scans")).toMatchObject({ retried: 3, remaining: 0 });
    const back = batches.splice(0).flat();
    const result = await service.consume(
      "scans",
      back.map((body) => ({ body })),
    );
    expect([result.explicitAcks.length, result.retryMessages.length]).toEqual([2, 1]);
    expect(batches.flat()).toMatchObject([{ batches: [{ workspaceId: failing }] }]);
    for (const id of [first, last]) {
      expect(await env.LEDGERS.get(env.LEDGERS.idFromName(id ?? "")).countScans()).toBe(1);
    }
  });
});

describe("the scans of a dead letter that were erased since", () => {
  const other = { qrId: "01900000-0000-7000-8000-0000000000bb", hash: "00000001" };

  /** Dead letters: one with scans of two codes, one with scans of the first; then the first code's scans are erased. */
  async function erased(sums: "keep" | "erase") {
    const { queue, batches } = recordingQueue();
    const service = isolate({ scanQueue: queue } as DepsOverrides);
    const session = await service.session();
    const client = await service.client(session.workspaceId);
    const { id: qrId, hash } = await client.createQr();
    const secret = { qrId, hash, city: "Secret", userAgent: "Secret/1.0", referrer: "secret.example" };
    const scanOf = (more: object) =>
      scanRecord({ at: clock.now(), workspaceId: session.workspaceId, visitor: "00000000000000aa", ...more });
    const kept = scanOf({ ...other, city: "Bonn", via: "go.example/bonn" });
    const [mixed, own] = [packed(scanOf(secret), kept, scanOf(secret)), packed(scanOf(secret))];
    for (const body of [{ batches: mixed }, { batches: own }]) {
      await service.consume("scans-dead", [{ id: crypto.randomUUID(), body }]);
      clock.advance(1000);
    }
    const path = `/developer/qr/${qrId}/scans?sums=${sums}`;
    expect((await session.send("DELETE", path)).status).toBe(202);
    return { service, session, batches, left: { batches: packed(kept) } };
  }
  const storedBodies = async () =>
    (await env.DB.prepare("SELECT body FROM dead_letters").all<{ body: string }>()).results.map(({ body }) =>
      JSON.parse(body),
    );

  it.each(["keep", "erase"] as const)("are dropped when it is listed (%s)", async (sums) => {
    const { service, left } = await erased(sums);
    const { items, nextCursor } = await list(service, "?queue=scans&limit=1");
    expect(items).toEqual([]);
    const next = await list(service, `?queue=scans&limit=1&cursor=${nextCursor}`);
    expect(next.items.map(({ body }) => JSON.parse(body))).toEqual([left]);
    expect(next.items[0]?.bodyLength).toBe(JSON.stringify(left).length);
    expect(await storedBodies()).toEqual([left]);
  });

  it.each(["keep", "erase"] as const)(
    "are dropped when it is retried, alone or with others (%s)",
    async (sums) => {
      const { service, batches, left } = await erased(sums);
      const ids = await env.DB.prepare("SELECT id FROM dead_letters ORDER BY id DESC").all<{ id: string }>();
      const path = `/operator/dead-letters/${ids.results[0]?.id}/retry`;
      expect(await service.operator.expect(200, Retried, "POST", path)).toMatchObject({
        retried: 0,
        remaining: 1,
      });
      expect(await retryAll(service, "scans")).toMatchObject({ retried: 1, remaining: 0 });
      expect(batches.flat()).toEqual([left]);
      expect(await storedBodies()).toEqual([]);
    },
  );

  it("stay while their ledger does not answer, and others are listed all the same", async () => {
    const { service, session } = await erased("erase");
    const failing = isolate({
      ledger: () => {
        throw new Error("ledger is unavailable");
      },
    });
    expect((await list(failing, "?queue=scans")).items).toHaveLength(2);
    expect((await list(service, "?queue=scans")).items).toHaveLength(1);
    expect(session.workspaceId).toBeTruthy();
  });

  it("are looked for in a bounded number of ledgers at a time; the list leads on", async () => {
    const service = isolate();
    const workspaces = Array.from({ length: 320 }, () => crypto.randomUUID());
    for (let i = 0; i < workspaces.length; i += 80) {
      const records = workspaces
        .slice(i, i + 80)
        .map((workspaceId) => scanRecord({ workspaceId, at: clock.now() }));
      clock.advance(1);
      await service.consume("scans-dead", [{ id: `${i}`, body: { batches: packed(...records) } }]);
    }
    const asked = new Set<string>();
    const counting = isolate({
      ledger: (workspaceId: string) => {
        asked.add(workspaceId);
        return { erasedScans: async () => [] } as never;
      },
    } as DepsOverrides);
    const first = await list(counting, "?queue=scans");
    expect([first.items.length, asked.size]).toEqual([1, 80]);
    const second = await list(counting, `?queue=scans&cursor=${first.nextCursor}`);
    expect([second.items.length, asked.size]).toEqual([1, 160]);
  });
});

describe("retention", () => {
  it("is 14 days from the scan, whenever its message died, and 90 days for the others", async () => {
    const service = isolate();
    const began = clock.now();
    const [batch] = scan;
    const [, ...rest] = batch?.scans[0] ?? [];
    const scans = [began, began + 5 * day].map((at) => [newId(at), ...rest]);
    clock.advance(6 * day);
    await service.consume("scans-dead", [{ body: { batches: [{ ...batch, scans }] } }]);
    clock.advance(1);
    await service.consume("deliveries-dead", [{ body: {} }]);
    const { items } = await list(service);
    const days = (time: string) => Math.round((Date.parse(time) - began) / day);
    expect(items.map(({ queue, expiresAt }) => [queue, days(expiresAt)])).toEqual([
      ["deliveries", 96],
      ["scans", 14],
    ]);

    clock.advance(8 * day);
    const scanLetter = items.find(({ queue }) => queue === "scans");
    const path = `/operator/dead-letters/${scanLetter?.id}/retry`;
    // Expired, though the sweep has not run yet.
    await expectError(await service.operator.send("POST", path), 404, "not_found");
    expect(await retryAll(service, "scans")).toMatchObject({ retried: 0, remaining: 0 });
    expect((await list(service)).items.map(({ queue }) => queue)).toEqual(["deliveries"]);
    await sweep(service.deps);
    expect(await stored()).toBe(1);
    clock.advance(82 * day);
    await sweep(service.deps);
    expect(await stored()).toBe(0);
  });

  const stored = () => env.DB.prepare("SELECT count(*) AS n FROM dead_letters").first<number>("n");

  it("is enforced in bounded steps", async () => {
    const service = isolate();
    await env.DB.prepare(
      `INSERT INTO dead_letters (id, queue, message_id, body, created_at, expires_at)
       SELECT value, 'bulk', value, '1', 0, 0 FROM json_each(?)`,
    )
      .bind(JSON.stringify(Array.from({ length: 1300 }, () => crypto.randomUUID())))
      .run();
    await sweep(service.deps);
    expect(await stored()).toBe(300);
    await sweep(service.deps);
    expect(await stored()).toBe(0);
  });
});
