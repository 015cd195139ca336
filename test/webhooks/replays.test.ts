import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Replay } from "../../src/contract/resources/webhooks/replays.ts";
import { getReplay, listReplays, previewReplay, startReplay } from "../../src/domain/webhooks/replays.ts";
import { deleteWebhook, updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { bounds } from "../../src/protocol/bounds.ts";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import { runs } from "../support/runner/runs.ts";
import { answers, WebhookHarness } from "../support/webhooks.ts";

const minutes = 60_000;
const { healthy, suspect } = webhookRules.maxInFlight;

let harness: WebhookHarness;
let webhookId: string;
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
  webhookId = (await harness.createWebhook()).id;
});

const storeFailed = (count: number) => harness.storeFailed(webhookId, count);
const start = () =>
  startReplay(harness.service.deps, harness.owner, webhookId, {
    since: "2020-01-01T00:00:00Z",
    includeSkipped: false,
  });
const follow = ({ id }: Replay) => getReplay(harness.service.deps, harness.owner, webhookId, id);
const sent = () => harness.received.map(({ headers }) => headers.get("x-service-delivery"));
const claim = async () => (await harness.ledger.claim(webhookId, harness.clock.now()))?.deliveries ?? [];

/** Claims until there is nothing to claim, as runs at the same time would. @returns the ids */
async function claimAll(): Promise<string[]> {
  const ids: string[] = [];
  for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
    ids.push(...claimed.map(({ id }) => id));
  }
  return ids;
}

/** Fires the ledger's alarm if it is set. What it enqueues is lost. */
async function fireAlarm(): Promise<void> {
  await runInDurableObject(harness.ledger, (instance) => {
    Object.assign(instance, { env: { ...env, DELIVERIES: { sendBatch: async () => {} } } });
  });
  await runDurableObjectAlarm(harness.ledger);
}

/** Settles attempts that were claimed. */
const settle = async (ids: readonly string[], error: string | null, attempt = 9) => {
  const at = harness.clock.now();
  for (const id of ids) {
    const outcome = { at, status: error === null ? 200 : 500, durationMs: 1, error, responseBody: null };
    await harness.ledger.settle(webhookId, id, attempt, outcome, at);
  }
};

describe("a replay", () => {
  it("takes the oldest deliveries up to its bound, each once; another one takes the rest", async () => {
    const { replayDeliveries } = limits;
    // More than are made due at once.
    const bound = runs(60, replayDeliveries);
    Object.assign(limits, { replayDeliveries: bound });
    onTestFinished(() => void Object.assign(limits, { replayDeliveries }));
    const extra = 7;
    const ids = await storeFailed(bound + extra);
    const oldest = ids.toSorted().slice(0, bound);
    const input = { since: "2020-01-01T00:00:00Z", includeSkipped: false };
    expect(await previewReplay(harness.service.deps, harness.owner, webhookId, input)).toEqual({
      deliveries: bound,
      hasMore: true,
    });
    const first = await start();
    await harness.runQueue();
    await harness.advance(60 * minutes);
    expect(sent().sort()).toEqual(oldest);
    expect(await follow(first)).toMatchObject({
      status: "completed",
      deliveries: bound,
      replayed: bound,
      succeeded: bound,
      failed: 0,
    });
    const second = await start();
    expect(second).toMatchObject({ deliveries: extra });
    await harness.runQueue();
    await harness.advance(minutes);
    expect(sent()).toHaveLength(ids.length);
    expect((await follow(second)).status).toBe("completed");
  });

  it("makes few due until one succeeded, then no more than may be in flight, however slow the receiver is", async () => {
    await storeFailed(3 * healthy);
    const replay = await start();
    const first = await claimAll();
    expect(first).toHaveLength(suspect);
    await fireAlarm();
    expect(await claimAll()).toEqual([]);
    await settle(first, null);
    await fireAlarm();
    const second = await claimAll();
    expect(second).toHaveLength(healthy);
    await fireAlarm();
    expect(await claimAll()).toEqual([]);
    expect(await follow(replay)).toMatchObject({ replayed: suspect + healthy, succeeded: suspect });
    await settle(second.slice(0, healthy / 2), null);
    await fireAlarm();
    expect(await follow(replay)).toMatchObject({ replayed: suspect + 2 * healthy });
    expect(await claimAll()).toHaveLength(healthy / 2);
  });

  it("lets new events go before the deliveries that it has not made due", async () => {
    await storeFailed(3 * healthy);
    await start();
    await fireAlarm();
    const chunk = await claimAll();
    await harness.emitEvents(2);
    const created = (await harness.deliveries(webhookId, "pending")).filter(({ attempts }) => attempts === 0);
    await settle(chunk, null);
    await fireAlarm();
    const next = await claim();
    expect(next.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort());
    await settle(
      next.map(({ id }) => id),
      null,
      1,
    );
    await fireAlarm();
    expect(await claimAll()).toHaveLength(healthy);
  });

  it("continues after a restart of the ledger and after lost messages", async () => {
    const all = 3 * suspect;
    await storeFailed(all);
    const replay = await start();
    await evictDurableObject(harness.ledger);
    harness.queued.length = 0;
    await harness.advance(minutes);
    await evictDurableObject(harness.ledger);
    await harness.advance(10 * minutes);
    expect(new Set(sent()).size).toBe(all);
    expect(sent()).toHaveLength(all);
    expect(await follow(replay)).toMatchObject({ status: "completed", succeeded: all });
  });

  it("stops itself when the receiver fails, and has sent it little", async () => {
    harness.receiver = answers(503);
    const ids = await storeFailed(100);
    const replay = await start();
    await harness.runQueue();
    await harness.advance(60 * minutes);
    const { status, stoppedReason, failed } = await follow(replay);
    expect({ status, stoppedReason }).toEqual({
      status: "stopped",
      stoppedReason: `${webhookRules.stopReplayAfter} consecutive deliveries failed again`,
    });
    expect(failed).toBe(harness.received.length);
    expect(harness.received.length).toBeLessThanOrEqual(webhookRules.stopReplayAfter + suspect);
    expect(await harness.deliveries(webhookId, "pending")).toEqual([]);
    expect(await harness.ledger.getWebhook(webhookId)).toMatchObject({ status: "active" });
    expect(ids).toHaveLength(100);
  });

  it("waits while first attempts are held back", async () => {
    harness.receiver = answers(503);
    await harness.emitAndDeliver(6);
    harness.receiver = answers(200);
    await storeFailed(5);
    harness.received.length = 0;
    const replay = await start();
    await harness.runQueue();
    expect(harness.received).toEqual([]);
    await harness.advance(10 * minutes);
    expect(await follow(replay)).toMatchObject({ status: "completed", succeeded: 5 });
  });

  it("ends when its webhook is paused, and is gone with it", async () => {
    await storeFailed(2 * healthy);
    const replay = await start();
    await updateWebhook(harness.service.deps, harness.owner, webhookId, { status: "paused" });
    expect(await follow(replay)).toMatchObject({
      status: "stopped",
      stoppedReason: "The webhook was paused",
    });
    await harness.advance(10 * minutes);
    expect(harness.received).toEqual([]);
    await deleteWebhook(harness.service.deps, harness.owner, webhookId);
    const rows = await runInDurableObject(
      harness.ledger,
      (_, { storage }) => storage.sql.exec("SELECT * FROM replays").toArray().length,
    );
    expect(rows).toBe(0);
  });

  it("leaves erased data out, and ends also if data is erased under its hands", async () => {
    const [gone = "", erasedLater = "", kept = ""] = await storeFailed(3);
    const erase = (id: string) =>
      runInDurableObject(harness.ledger, (_, { storage }) => {
        storage.sql.exec(
          `UPDATE deliveries SET body = '', erased = 1, status = iif(status = 'pending', 'skipped', status),
             next_attempt_at = NULL, completed_at = coalesce(completed_at, 0) WHERE id = ?`,
          id,
        );
      });
    await erase(gone);
    const replay = await start();
    expect(replay).toMatchObject({ deliveries: 2 });
    await erase(erasedLater);
    await harness.runQueue();
    await harness.advance(minutes);
    expect(sent()).toEqual([kept]);
    expect(await follow(replay)).toMatchObject({ status: "completed", succeeded: 1 });
  });

  it("is kept with the last ones only", async () => {
    for (let i = 0; i < bounds.replays + 3; i += 1) await start();
    expect(await listReplays(harness.service.deps, harness.owner, webhookId)).toHaveLength(bounds.replays);
  });
});
