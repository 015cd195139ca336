import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { replayDelivery } from "../../src/domain/webhooks/deliveries.ts";
import { deleteWebhook, testWebhook, updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { answers, WebhookHarness } from "../support/webhooks.ts";

const minutes = 60_000;
const days = 24 * 60 * minutes;

let harness: WebhookHarness;
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
});

const query = <T extends Record<string, SqlStorageValue>>(sql: string, ...values: SqlStorageValue[]) =>
  runInDurableObject(harness.ledger, (_, { storage }) => storage.sql.exec<T>(sql, ...values).toArray());

const count = async (table: string, where = "true"): Promise<number> =>
  (await query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0]?.n ?? 0;

/** The webhook's own count of the events in its ended deliveries, and the sum over the deliveries. */
const counted = async () => [
  (await query<{ n: number }>("SELECT sum(ended_events) AS n FROM webhooks"))[0]?.n,
  (
    await query<{ n: number }>(
      "SELECT coalesce(sum(event_count), 0) AS n FROM deliveries WHERE completed_at IS NOT NULL",
    )
  )[0]?.n,
];

const pause = (id: string) => updateWebhook(harness.service.deps, harness.owner, id, { status: "paused" });

/** Adds ended deliveries of 100 events, one a millisecond, the oldest `age` milliseconds ago; each with an attempt. */
async function addEnded(many: number, age: number): Promise<void> {
  const from = harness.clock.now() - age;
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)";
  await query(
    `${numbers} INSERT INTO deliveries (id, webhook, event, body, status, event_count, created_at, completed_at)
     SELECT printf('ended %06d', i), 1, 'batch', '{}', 'skipped', 100, ? + i, ? + i FROM n`,
    many,
    from,
    from,
  );
  await query(
    `${numbers} INSERT INTO attempts (delivery, attempt, started_at, duration_ms)
     SELECT printf('ended %06d', i), 1, ?, 1 FROM n`,
    many,
    from,
  );
}

describe("ended deliveries", () => {
  it.each(["healthy", "paused", "failing"])(
    "of a %s webhook go after 30 days, with their attempts",
    async (what) => {
      const webhook = await harness.createWebhook();
      if (what === "paused") await pause(webhook.id);
      if (what === "failing") harness.receiver = answers(500);
      await harness.emitAndDeliver(2);
      await harness.advance(2 * days);
      expect(await count("deliveries", "completed_at IS NOT NULL")).toBe(2);
      await harness.advance(27 * days);
      expect(await count("deliveries")).toBe(2);
      expect(await counted()).toEqual([2, 2]);
      await harness.advance(4 * days);
      expect([await count("deliveries"), await count("attempts")]).toEqual([0, 0]);
      expect(await counted()).toEqual([0, 0]);
      // Only the webhook's history is left, which is deleted after 400 days.
      const alarm = await runInDurableObject(harness.ledger, (_, { storage }) => storage.getAlarm());
      expect(alarm).toBeGreaterThan(harness.clock.now() + 360 * days);
    },
  );

  it("of a batch go with the ids that recognise its events", async () => {
    await harness.createWebhook({ mode: "batched_5m" });
    const events = await harness.emitEvents(3);
    await harness.advance(days);
    await harness.ledger.receive({ events }, harness.clock.now());
    await harness.advance(days);
    expect([harness.received.length, await count("batch_events")]).toEqual([1, 3]);
    expect(await counted()).toEqual([3, 3]);
    await harness.advance(30 * days);
    expect([await count("deliveries"), await count("batch_events")]).toEqual([0, 0]);
  });

  it("that are replayed are not pruned, and count again when they end", async () => {
    const webhook = await harness.createWebhook();
    await pause(webhook.id);
    await harness.emitEvents(2);
    await updateWebhook(harness.service.deps, harness.owner, webhook.id, { status: "active" });
    const [delivery] = await harness.deliveries(webhook.id);
    await replayDelivery(harness.service.deps, harness.owner, webhook.id, delivery?.id ?? "");
    expect(await counted()).toEqual([1, 1]);
    await harness.runQueue();
    expect(await counted()).toEqual([2, 2]);
  });

  it("of a webhook hold at most 100 000 events: the oldest go, a bounded number per alarm", async () => {
    const webhook = await harness.createWebhook();
    await harness.createWebhook({ url: "https://other.example.com/" });
    await pause(webhook.id);
    await addEnded(1030, 10 * days);
    const kept = await harness.deliveries(webhook.id);
    expect(kept).not.toEqual([]);
    const [newest] = await harness.emitEvents();
    const sizes: number[] = [];
    const ended = async () => (await counted())[0] ?? 0;
    let before = await ended();
    expect(before).toBe(103_001);
    while (before > 100_000) {
      await runDurableObjectAlarm(harness.ledger);
      const after = await ended();
      sizes.push(before - after);
      before = after;
    }
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
    expect(before).toBeGreaterThanOrEqual(99_000);
    expect(await count("deliveries", `event_id = '${newest?.id}' AND webhook = 1`)).toBe(1);
    const [oldest] = await query<{ id: string }>(
      "SELECT min(id) AS id FROM deliveries WHERE id LIKE 'ended%'",
    );
    const pruned = (103_001 - before) / 100;
    expect(oldest?.id).toBe(`ended ${String(pruned).padStart(6, "0")}`);
    expect(await count("attempts")).toBe(1030 - pruned);
    expect((await counted())[0]).toBe((await counted())[1]);
  });
});

describe("pending deliveries", () => {
  /** Adds a delivery of one event, and one of as many events as are missing. */
  const added = async (events: number): Promise<void> => {
    await query(
      `INSERT INTO deliveries (id, webhook, event, body, status, event_count, created_at, next_attempt_at)
       SELECT value->>0, 1, 'qr.created', '{}', 'pending', value->>1, ?1, ?1 FROM json_each(?2)`,
      harness.clock.now(),
      JSON.stringify([
        ["01900000-0000-7000-8000-000000000000", 1],
        ["01900000-0000-7000-8000-000000000001", events - 1],
      ]),
    );
  };
  const webhookOf = async (id: string) => (await harness.ledger.getWebhook(id)) ?? {};

  it("hold at most 100 000 events of a webhook: further ones are skipped, with a reason, until there is room", async () => {
    const webhook = await harness.createWebhook();
    const other = await harness.createWebhook({ url: "https://other.example.com/" });
    await added(99_998);
    expect(await webhookOf(webhook.id)).toMatchObject({ pendingEvents: 99_998, backlogFull: false });
    const events = await harness.emitEvents(5);
    await harness.ledger.receive({ events }, harness.clock.now());
    expect(await webhookOf(webhook.id)).toMatchObject({ pendingEvents: 100_000, backlogFull: true });
    expect(await harness.deliveries(webhook.id, "skipped")).toMatchObject(
      Array.from({ length: 3 }, () => ({
        lastError: "Not sent, because 100000 events were already pending",
        attempts: 0,
        nextAttemptAt: null,
      })),
    );
    expect(await harness.deliveries(other.id, "pending")).toHaveLength(5);
    expect(await counted()).toEqual([3, 3]);

    // One delivery succeeds, and so makes room for one.
    const claim = await harness.ledger.claim(webhook.id, harness.clock.now());
    const [first] = claim?.deliveries ?? [];
    const outcome = {
      at: harness.clock.now(),
      status: 200,
      durationMs: 1,
      error: null,
      responseBody: null,
    };
    await harness.ledger.settle(webhook.id, first?.id ?? "", 1, outcome, harness.clock.now());
    expect(await webhookOf(webhook.id)).toMatchObject({ pendingEvents: 99_999, backlogFull: false });
    await harness.emitEvents(2);
    expect(await webhookOf(webhook.id)).toMatchObject({ pendingEvents: 100_000, backlogFull: true });
    expect(await harness.deliveries(webhook.id, "skipped")).toHaveLength(4);
  });

  it("beyond the bound can be replayed, and a test is sent all the same", async () => {
    const webhook = await harness.createWebhook();
    await added(100_000);
    await harness.emitEvents();
    const [skipped] = await harness.deliveries(webhook.id, "skipped");
    await replayDelivery(harness.service.deps, harness.owner, webhook.id, skipped?.id ?? "");
    const test = await testWebhook(harness.service.deps, harness.owner, webhook.id);
    expect(test.status).toBe("pending");
    expect(await webhookOf(webhook.id)).toMatchObject({ pendingEvents: 100_002 });
    await pause(webhook.id);
    expect(await webhookOf(webhook.id)).toMatchObject({ pendingEvents: 0, backlogFull: false });
  });

  it("of batches count as the events that they hold", async () => {
    const webhook = await harness.createWebhook({ mode: "batched_5m" });
    await harness.emitEvents(1200);
    expect(await webhookOf(webhook.id)).toMatchObject({ pendingEvents: 1000 });
    await added(99_100);
    await harness.emitEvents(400);
    expect(await harness.deliveries(webhook.id, "skipped")).toMatchObject([{ event: "batch" }]);
    await deleteWebhook(harness.service.deps, harness.owner, webhook.id);
    expect(await count("deliveries")).toBe(0);
  });
});

describe("an open batch", () => {
  it("is closed by the event that fills it, and the next begins", async () => {
    await harness.createWebhook({ mode: "batched_5m" });
    await harness.emitEvents(499);
    expect(harness.queued).toEqual([]);
    await harness.emitAndDeliver();
    expect(harness.received).toHaveLength(1);
    await harness.emitAndDeliver(1100);
    expect(harness.received).toHaveLength(3);
    expect(await count("batch_events", "data IS NOT NULL")).toBe(100);
    await harness.advance(5 * minutes);
    const sizes = harness.received.map(({ body }) => (JSON.parse(body) as { events: [] }).events.length);
    expect(sizes).toEqual([500, 500, 500, 100]);
  });

  it("is closed before it exceeds 256 KB, whatever events come with the one that fills it", async () => {
    await harness.createWebhook({ mode: "batched_5m" });
    await harness.emitAndDeliver(5, { note: "ü".repeat(50_000) });
    expect(harness.received).toHaveLength(2);
    expect(await count("batch_events", "data IS NOT NULL")).toBe(1);
    await harness.advance(5 * minutes);
    const bytes = harness.received.map(({ body }) => new TextEncoder().encode(body).length);
    expect(bytes.length).toBe(3);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(256 * 1024);
  });

  it("is all that is ever in memory: no query reads more than one batch", async () => {
    const webhook = await harness.createWebhook({ mode: "batched_5m" });
    let most = 0;
    await runInDurableObject(harness.ledger, (_, { storage: { sql } }) => {
      const exec = sql.exec.bind(sql);
      sql.exec = ((...args: Parameters<typeof exec>) => {
        const cursor = exec(...args);
        const { toArray } = cursor;
        cursor.toArray = () => {
          const rows = toArray.call(cursor);
          most = Math.max(most, rows.length);
          return rows;
        };
        return cursor;
      }) as typeof exec;
    });
    await harness.emitEvents(1500);
    await harness.advance(5 * minutes);
    expect(harness.received).toHaveLength(3);
    expect(most).toBeLessThanOrEqual(500);
    expect(await harness.deliveries(webhook.id)).toHaveLength(3);
  });
});
