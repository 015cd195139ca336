import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { answers, hangs, WebhookHarness } from "../support/webhooks.ts";

const seconds = 1000;
const minutes = 60 * seconds;
const offsets = [0, 30 * seconds, 2 * minutes, 10 * minutes, 30 * minutes];

let harness: WebhookHarness;
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
});

/** The times of each delivery's attempts, in milliseconds since `start`, by order of their first attempts. */
function attemptsSince(start: number): number[][] {
  const byId = Map.groupBy(harness.received, ({ headers }) => headers.get("x-service-delivery"));
  return [...byId.values()].map((posts) => posts.map(({ at }) => at - start));
}

const failures = [
  ["that hangs", hangs],
  ["that answers 500", answers(500)],
  ["that can't be reached.", () => Promise.reject(new Error("refused"))],
] as const;

/** More deliveries than are begun within half an hour. */
const count = 20;

describe("a receiver", () => {
  it.each(failures)(
    "%s gets no first attempts for a while after five failures in a row",
    async (_, receiver) => {
      harness.receiver = receiver;
      await harness.createWebhook();
      await harness.emitAndDeliver(count);
      // One claim's attempts were in flight before the first failure.
      expect(harness.received).toHaveLength(6);
      const start = harness.clock.now();
      await harness.advance(90 * seconds);
      // A probe, at most a minute after the backoff.
      const firsts = attemptsSince(start).map(([first = 0]) => first);
      expect(firsts).toHaveLength(7);
      expect(firsts[6]).toBeGreaterThanOrEqual(30 * seconds);
    },
  );

  it("that fails gets first attempts after longer and longer backoffs, and retries on schedule", async () => {
    harness.receiver = answers(500);
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver(count);
    const start = harness.clock.now();
    await harness.advance(30 * minutes);
    const attempts = attemptsSince(start);
    const [...firsts] = attempts.map(([first = 0]) => first);
    expect(firsts.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
    const probes = firsts.slice(5);
    const gaps = probes.slice(1).map((at, i) => (at - (probes[i] ?? 0)) / minutes);
    const backoffs = [0.5, 1, 2, 5, 10];
    for (const [i, backoff] of backoffs.entries()) {
      // A probe waits for the backoff, and at most a minute for the alarm.
      expect(gaps[i]).toBeGreaterThanOrEqual(backoff);
      expect(gaps[i]).toBeLessThanOrEqual(backoff + 1);
    }
    for (const [first = 0, ...later] of attempts) {
      const due = offsets.slice(1).filter((offset) => first + offset <= 30 * minutes);
      expect(later.map((at) => at - first)).toEqual(due);
    }
    const waiting = await harness.deliveries(webhook.id, "pending");
    expect(waiting).toHaveLength(count);
    const now = new Date(harness.clock.now()).toISOString();
    expect(waiting.filter(({ nextAttemptAt }) => (nextAttemptAt ?? "") < now)).toEqual([]);

    harness.receiver = answers(200);
    await harness.advance(11 * minutes);
    expect(attemptsSince(start)).toHaveLength(count);
    await harness.advance(120 * minutes);
    expect(await harness.deliveries(webhook.id, "pending")).toEqual([]);
  });
});

describe("a target host", () => {
  const claim = async (id: string) =>
    (await harness.ledger.claim(id, harness.clock.now()))?.deliveries.length ?? 0;

  /** Claims for all webhooks in turn, as runs at the same time would, until none gets any. */
  async function claimAll(ids: readonly string[]): Promise<number[]> {
    const claimed = ids.map(() => 0);
    for (let more = true; more; ) {
      more = false;
      for (const [i, id] of ids.entries()) {
        const count = await claim(id);
        claimed[i] = (claimed[i] ?? 0) + count;
        more ||= count > 0;
      }
    }
    return claimed;
  }

  const register = async (host: string, port = "") =>
    (await harness.createWebhook({ url: `https://${host}.example.com${port}/${crypto.randomUUID()}` })).id;

  it("gets at most 50 attempts at once from all webhooks of a workspace, in equal shares", async () => {
    const same = [
      await register("a"),
      await register("a"),
      await register("a", ":8443"),
      await register("a"),
    ];
    const other = await register("b");
    await harness.emitEvents(100);
    expect(await claimAll(same)).toEqual([12, 12, 12, 12]);
    expect(await claimAll([other])).toEqual([48]);
  });

  it("is not kept to itself by the webhook that came first", async () => {
    const [first, second] = [await register("a"), await register("a")];
    await harness.ledger.changeWebhook(second, { events: ["qr.deleted"] }, harness.clock.now());
    await harness.emitEvents(100);
    expect(await claimAll([first])).toEqual([48]);
    await harness.ledger.changeWebhook(second, { events: ["qr.created"] }, harness.clock.now());
    await harness.emitEvents(100);
    expect(await claimAll([first, second])).toEqual([0, 2]);
    // The first webhook's attempts have died, and their leases end.
    harness.clock.advance(30 * seconds);
    expect(await claimAll([first, second])).toEqual([25, 25]);
  });

  it("gets one attempt at once for each of 50 webhooks", async () => {
    const first = await register("a");
    const copies = Array.from({ length: 49 }, () => crypto.randomUUID());
    await runInDurableObject(harness.ledger, (_, { storage }) => {
      storage.sql.exec(
        `INSERT INTO webhooks (id, url, events, mode, secret, created_at)
         SELECT value, url, events, mode, secret, created_at FROM webhooks, json_each(?) WHERE webhooks.id = ?`,
        JSON.stringify(copies),
        first,
      );
    });
    const ids = [first, ...copies];
    await harness.emitEvents(2);
    expect(await claimAll(ids)).toEqual(ids.map(() => 1));
  });
});
