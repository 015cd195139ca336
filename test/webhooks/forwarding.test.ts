import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import { forwardEvents } from "../../src/domain/events/forwarding.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { BulkTask } from "../../src/protocol/messages.ts";
import { goodItems } from "../support/bulk.ts";
import { endingWith } from "../support/runner/timers.ts";
import { FakeClock, Service } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const clock = new FakeClock();
const minute = 60_000;

beforeEach(async () => {
  await env.DB.batch([env.DB.prepare("DELETE FROM outbox"), env.DB.prepare("DELETE FROM forwarding_leases")]);
});

/** Adds events to the outbox. @returns their ids */
async function store(workspaceId: string, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(clock.now()));
  await env.DB.prepare(
    `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
     SELECT value, ?, 'qr.created', '{}', ? FROM json_each(?)`,
  )
    .bind(workspaceId, clock.now(), JSON.stringify(ids))
    .run();
  return ids;
}

/** Returns the events in the outbox, apart from rows that only have history. */
const waiting = async (workspaceId: string): Promise<string[]> => {
  const { results } = await env.DB.prepare(
    "SELECT id FROM outbox WHERE workspace_id = ? AND kind <> '' ORDER BY id",
  )
    .bind(workspaceId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
};

type Receive = ReturnType<Deps["ledger"]>["receive"];

/** An isolate that counts the events it hands over and the rows it reads. @param during runs before the ledger takes events */
function counting(during: (workspaceId: string) => Promise<void> = async () => {}) {
  const counts = { emitted: [] as string[], rowsRead: 0 };
  const db = wrapDatabase(env.DB, async (work) => {
    const result = await work();
    // The row of `first` isn't a result.
    const answers = [result as D1Result | D1Result[] | null].flat();
    counts.rowsRead += answers.flatMap((answer) => answer?.results ?? []).length;
    return result;
  });
  const service = new Service({
    now: clock.now,
    db,
    ledger: (workspaceId) => {
      const receive: Receive = async (received, now) => {
        await during(workspaceId);
        counts.emitted.push(...received.events.map(({ id }) => id));
        return env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId)).receive(received, now);
      };
      return { receive } as ReturnType<Deps["ledger"]>;
    },
  });
  return { service, counts };
}

describe("events of a workspace", () => {
  it("are handed over once, however many requests do it at once", async () => {
    const { service, counts } = counting();
    const workspaceId = newId(clock.now());
    const ids = await store(workspaceId, 5000);
    const forwarded = await Promise.all(
      Array.from({ length: 30 }, () => forwardEvents(service.deps, workspaceId)),
    );
    expect(forwarded.reduce((sum, events) => sum + events)).toBe(5000);
    expect(counts.emitted).toEqual(ids.sort());
    expect(counts.rowsRead).toBe(5000);
    expect(await waiting(workspaceId)).toEqual([]);
  });

  it("that come while others are handed over follow in the same call", async () => {
    const workspaceId = newId(clock.now());
    let late: string[] = [];
    const other = counting();
    const { service, counts } = counting(async () => {
      if (late.length > 0) return;
      late = await store(workspaceId);
      expect(await forwardEvents(other.service.deps, workspaceId)).toBe(0);
    });
    const early = await store(workspaceId);
    expect(await forwardEvents(service.deps, workspaceId)).toBe(2);
    expect(counts.emitted).toEqual([...early, ...late]);
    expect(other.counts.emitted).toEqual([]);
    expect(await waiting(workspaceId)).toEqual([]);
  });

  it("are never left behind when many isolates store and forward them at once", async () => {
    const workspaceId = newId(clock.now());
    const isolates = Array.from({ length: 8 }, () => counting());
    const stored = await Promise.all(
      isolates.flatMap(({ service }) =>
        Array.from({ length: 10 }, async () => {
          const ids = await store(workspaceId);
          await forwardEvents(service.deps, workspaceId);
          return ids;
        }),
      ),
    );
    expect(await waiting(workspaceId)).toEqual([]);
    const emitted = isolates.flatMap(({ counts }) => counts.emitted);
    expect(emitted.sort()).toEqual(stored.flat().sort());
  });

  it("are left to the sweep where they exceed a call's share", async () => {
    const workspaceId = newId(clock.now());
    await store(workspaceId, 1200);
    const { service } = counting();
    expect(
      await forwardEvents(service.deps, workspaceId, { pages: 2, characters: 1000, milliseconds: 8000 }),
    ).toBe(1000);
    clock.advance(minute);
    await service.worker.scheduled(undefined, env);
    expect(await waiting(workspaceId)).toEqual([]);
  });
});

describe("a forwarder that dies", () => {
  it.each(["before the ledger has the events", "after it"])(
    "%s: another takes over after 15 s",
    async (when) => {
      const workspaceId = newId(clock.now());
      const [id] = await store(workspaceId);
      let dead = false;
      const { service } = counting(async () => {
        dead = when.startsWith("before");
        if (dead) throw new Error("died");
      });
      const dying = new Service({
        ...service.deps,
        db: wrapDatabase(env.DB, async (work, sql) => {
          // Its last statements, by which it would clear the outbox or give up the lease.
          dead ||= sql === undefined && (await leases()) > 0;
          if (dead) throw new Error("died");
          return work();
        }),
      });
      await expect(forwardEvents(dying.deps, workspaceId)).rejects.toThrow("died");
      expect(await waiting(workspaceId)).toEqual([id]);

      const next = counting();
      clock.advance(14_999);
      expect(await forwardEvents(next.service.deps, workspaceId)).toBe(0);
      clock.advance(1);
      expect(await forwardEvents(next.service.deps, workspaceId)).toBe(1);
      expect(await waiting(workspaceId)).toEqual([]);
    },
  );

  it("is followed by the sweep, if by no request", async () => {
    const workspaceId = newId(clock.now());
    await store(workspaceId);
    const holder = "INSERT INTO forwarding_leases (workspace_id, holder, until) VALUES (?, 'dead', ?)";
    await env.DB.prepare(holder)
      .bind(workspaceId, clock.now() + 15_000)
      .run();
    const { service, counts } = counting();
    clock.advance(minute);
    await service.worker.scheduled(undefined, env);
    expect(counts.emitted).toHaveLength(1);
    expect(await leases()).toBe(0);
  });
});

/** Returns how many leases nobody ended because nothing was left. */
const leases = async () =>
  (await env.DB.prepare("SELECT count(*) AS n FROM forwarding_leases WHERE until > 0").first<number>("n")) ??
  0;

describe("a ledger that fails", () => {
  it("does not hold up the events of other workspaces, and gets its own later", async () => {
    const [failing, healthy] = [newId(clock.now()), newId(clock.now())];
    // More than a sweep forwards of one workspace, and older.
    await store(failing, 1500);
    clock.advance(1);
    await store(healthy, 3);
    let down = true;
    const { service } = counting(async (workspaceId) => {
      if (workspaceId === failing && down) throw new Error("ledger is unavailable");
    });
    clock.advance(minute);
    await service.worker.scheduled(undefined, env);
    expect([(await waiting(failing)).length, (await waiting(healthy)).length]).toEqual([1500, 0]);
    down = false;
    clock.advance(minute);
    await service.worker.scheduled(undefined, env);
    expect(await waiting(failing)).toEqual([]);
  });

  it("by hanging does not either: it is given up after a time", async () => {
    const [hanging, healthy] = [newId(clock.now()), newId(clock.now())];
    await store(hanging);
    await store(healthy);
    const timeout = new AbortController();
    const { service } = counting(async (workspaceId) => {
      if (workspaceId === hanging)
        await new Promise((_, reject) => timeout.signal.addEventListener("abort", reject));
    });
    const impatient = new Service({ ...service.deps, startTimer: endingWith(timeout.signal) });
    clock.advance(minute);
    const sweep = impatient.worker.scheduled(undefined, env);
    await expect.poll(() => waiting(healthy)).toEqual([]);
    timeout.abort(new Error("timed out"));
    await sweep;
    expect(await waiting(hanging)).toHaveLength(1);
    // The next sweep need not wait for a lease.
    const { n } = (await env.DB.prepare(
      "SELECT count(*) AS n FROM forwarding_leases WHERE until BETWEEN 1 AND ?",
    )
      .bind(clock.now())
      .first<{ n: number }>()) ?? { n: 0 };
    expect(n).toBe(1);
  });

  it("fails no change of plan and no bulk job, whose events follow", async () => {
    let down = true;
    const { service, counts } = counting(async () => {
      if (down) throw new Error("ledger is unavailable");
    });
    const tasks: BulkTask[] = [];
    const send = async (task: BulkTask) => void tasks.push(task);
    const bulkQueue = { send, sendBatch: async () => {} } as unknown as Queue<BulkTask>;
    const client = await new Service({ ...service.deps, bulkQueue }).workspace();
    const path = `/operator/workspaces/${client.workspaceId}/plan`;
    const plan = { plan: "pro", requestsPerMinute: null };
    expect((await client.service.operator.send("PUT", path, plan)).status).toBe(200);
    expect((await client.send("POST", "/qr/bulk", { items: goodItems(2) })).status).toBe(202);
    const run = await client.service.consume(
      "bulk",
      tasks.map((body) => ({ body })),
    );
    expect(run.explicitAcks).toHaveLength(1);
    expect(await waiting(client.workspaceId)).toHaveLength(4);
    down = false;
    clock.advance(minute);
    await service.worker.scheduled(undefined, env);
    expect(counts.emitted).toHaveLength(4);
  });

  it("is one of many: all the others still get their turn", async () => {
    const failing = new Set(Array.from({ length: 170 }, () => newId(clock.now())));
    await env.DB.prepare(
      `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
       SELECT 'of ' || value, value, 'qr.created', '{}', ? FROM json_each(?)`,
    )
      .bind(clock.now(), JSON.stringify([...failing]))
      .run();
    clock.advance(1);
    const healthy = newId(clock.now());
    await store(healthy);
    const { service, counts } = counting(async (workspaceId) => {
      if (failing.has(workspaceId)) throw new Error("ledger is unavailable");
    });
    // A sweep tries 80 workspaces.
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      clock.advance(minute);
      await service.worker.scheduled(undefined, env);
    }
    expect(counts.emitted).toHaveLength(1);
    expect(await waiting(healthy)).toEqual([]);
  });
});
