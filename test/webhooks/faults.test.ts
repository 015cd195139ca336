import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { EventKind } from "../../src/contract/resources/enums.ts";
import { ReEncryption } from "../../src/contract/resources/operations/operations.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import { forwardEvents } from "../../src/domain/events/forwarding.ts";
import {
  createWebhook,
  deleteWebhook,
  rotateSecret,
  updateWebhook,
} from "../../src/domain/webhooks/webhooks.ts";
import type { Keyring } from "../../src/lib/crypto/keyring.ts";
import { runtimeTimers } from "../../src/lib/with-timeout.ts";
import type { ScansMessage } from "../../src/protocol/messages.ts";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import { runs } from "../support/runner/runs.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import { Service } from "../support/service.ts";
import { keyring } from "../support/settings.ts";
import { answers, hangs, verify, WebhookHarness } from "../support/webhooks.ts";

const minutes = 60_000;

let harness: WebhookHarness;
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
});

const ids = () => harness.received.map((post) => post.headers.get("x-service-delivery"));

describe("no event is lost or sent twice", () => {
  it("after a crash between the catalogue's commit and the ledger: the sweep forwards the event", async () => {
    const webhook = await harness.createWebhook();
    const crashed = new Service({
      now: harness.clock.now,
      ledger: () => ({ receive: () => Promise.reject(new Error("crashed")) }) as never,
    });
    await expect(
      (async () => {
        await env.DB.prepare(
          "INSERT INTO outbox (id, workspace_id, kind, data, created_at) VALUES ('01900000-0000-7000-8000-00000000000f', ?, 'qr.created', '{}', ?)",
        )
          .bind(harness.client.workspaceId, harness.clock.now())
          .run();
        await forwardEvents(crashed.deps, harness.client.workspaceId);
      })(),
    ).rejects.toThrow("crashed");
    await harness.service.worker.scheduled(undefined, env);
    await harness.runQueue();
    expect(harness.received).toHaveLength(1);
    expect(await harness.deliveries(webhook.id, "succeeded")).toHaveLength(1);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM outbox").first("n")).toBe(0);
  });

  it("when events are forwarded twice, also at the same time", async () => {
    await harness.createWebhook();
    const [event] = await harness.emitEvents();
    if (event === undefined) throw new Error("no event was emitted");
    await Promise.all([1, 2, 3].map(() => harness.ledger.receive({ events: [event] }, harness.clock.now())));
    await harness.runQueue();
    await harness.advance(10 * minutes);
    expect(harness.received).toHaveLength(1);
  });

  it("when a queue message is delivered several times at once: one POST per delivery", async () => {
    await harness.createWebhook();
    await harness.emitEvents(5);
    const [message] = harness.queued.splice(0);
    if (message === undefined) throw new Error("nothing was enqueued");
    await Promise.all(
      [1, 2, 3].map(() => harness.service.consume("deliveries", [{ body: message }, { body: message }])),
    );
    expect(new Set(ids()).size).toBe(5);
    expect(harness.received).toHaveLength(5);
  });

  it("when the queue refuses or loses a message: the ledger enqueues the webhook again within a minute", async () => {
    await harness.createWebhook();
    harness.queueUnavailable = true;
    await harness.emitAndDeliver();
    harness.queueUnavailable = false;
    await harness.emitEvents();
    harness.queued.length = 0;
    expect(harness.received).toEqual([]);
    await harness.advance(minutes);
    expect(harness.received).toHaveLength(2);
  });

  it("when a run dies after its POST: the attempt is repeated with the same id and body after the lease", async () => {
    const webhook = await harness.createWebhook();
    await harness.emitEvents();
    const dying = new WebhookHarness({
      ledger: (workspaceId) => {
        const stub = env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
        return {
          claim: (id: string, now: number) => stub.claim(id, now),
          settle: () => Promise.reject(new Error("died")),
        } as never;
      },
    });
    dying.clock.advance(harness.clock.now() - dying.clock.now());
    await harness.runQueue(dying.service);
    expect(dying.received).toHaveLength(1);
    await harness.advance(29_999);
    expect(harness.received).toEqual([]);
    await harness.advance(61_000);
    expect(harness.received).toHaveLength(1);
    expect(harness.received[0]?.body).toBe(dying.received[0]?.body);
    expect(await harness.deliveries(webhook.id, "succeeded")).toMatchObject([{ attempts: 1 }]);
  });

  it("when an attempt is settled late, after another claim repeated it", async () => {
    const webhook = await harness.createWebhook();
    await harness.emitEvents();
    const late = await harness.ledger.claim(webhook.id, harness.clock.now());
    const [claimed] = late?.deliveries ?? [];
    if (claimed === undefined) throw new Error("nothing was claimed");
    await harness.advance(2 * minutes);
    expect(harness.received).toHaveLength(1);
    const outcome = {
      at: harness.clock.now(),
      status: 500,
      durationMs: 1,
      error: "late",
      responseBody: null,
    };
    await harness.ledger.settle(webhook.id, claimed.id, claimed.attempt, outcome, harness.clock.now());
    expect(await harness.deliveries(webhook.id)).toMatchObject([{ status: "succeeded", attempts: 1 }]);
  });
});

it("a delivery is not sent unsigned after the service's own secret changed, until the webhook's is rotated", async () => {
  const webhook = await harness.createWebhook();
  const changed = new WebhookHarness({
    settings: { webhookSecrets: keyring("another one") },
    ledger: harness.service.deps.ledger,
  });
  changed.clock.advance(harness.clock.now() - changed.clock.now());
  await harness.emitEvents();
  await harness.runQueue(changed.service);
  expect(changed.received).toEqual([]);
  expect(await harness.deliveries(webhook.id)).toMatchObject([
    { status: "pending", lastError: "The signing secret can't be decrypted. Rotate it." },
  ]);
  await rotateSecret(changed.service.deps, harness.owner, webhook.id);
  await harness.emitEvents();
  await harness.runQueue(changed.service);
  expect(changed.received).toHaveLength(1);
});

describe("while WEBHOOK_SECRET is rotated", () => {
  const previous = env.WEBHOOK_SECRET;
  /** The same service after its secrets changed. */
  function withSecrets(webhookSecrets: Keyring): WebhookHarness {
    const changed = new WebhookHarness({ settings: { webhookSecrets }, ledger: harness.service.deps.ledger });
    changed.clock.advance(harness.clock.now() - changed.clock.now());
    return changed;
  }
  const reEncrypt = async ({ service }: WebhookHarness) => {
    const total = { reEncrypted: 0, unreadable: 0, failed: [] as string[] };
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path = `/operator/webhook-secrets/re-encrypt${cursor === "" ? "" : `?cursor=${cursor}`}`;
      const result: ReEncryption = await service.operator.expect(200, ReEncryption.strict(), "POST", path);
      total.reEncrypted += result.reEncrypted;
      total.unreadable += result.unreadable;
      total.failed.push(...result.failed);
      cursor = result.nextCursor;
    }
    return total;
  };

  it("deliveries are signed as before, also once the previous secret is gone", async () => {
    const webhook = await harness.createWebhook();
    const rotating = withSecrets(keyring("the next one", previous));
    await harness.emitEvents();
    await harness.runQueue(rotating.service);
    expect(rotating.received).toHaveLength(1);

    const { reEncrypted, failed } = await reEncrypt(rotating);
    expect([reEncrypted, failed]).toEqual([expect.any(Number), []]);
    expect(reEncrypted).toBeGreaterThanOrEqual(1);
    expect((await reEncrypt(rotating)).reEncrypted).toBe(0);

    const rotated = withSecrets([{ id: 2, secret: "the next one" }]);
    await harness.emitEvents();
    await harness.runQueue(rotated.service);
    expect(rotated.received).toHaveLength(1);
    for (const delivery of [...rotating.received, ...rotated.received])
      await verify(delivery, webhook.secret);
  });

  it("the previous signing secret of a webhook still signs, too", async () => {
    const webhook = await harness.createWebhook();
    const { secret } = await rotateSecret(harness.service.deps, harness.owner, webhook.id);
    await reEncrypt(withSecrets(keyring("the next one", previous)));
    const rotated = withSecrets([{ id: 2, secret: "the next one" }]);
    await harness.emitEvents();
    await harness.runQueue(rotated.service);
    const [delivery] = rotated.received;
    for (const each of [secret, webhook.secret]) await verify(delivery ?? expect.fail("not sent"), each);
  });

  it("headers of a webhook's own are encrypted again, too", async () => {
    await harness.createWebhook({ headers: [{ name: "x-tenant", value: "harbour" }] });
    await reEncrypt(withSecrets(keyring("the next one", previous)));
    const rotated = withSecrets([{ id: 2, secret: "the next one" }]);
    await harness.emitEvents();
    await harness.runQueue(rotated.service);
    expect(rotated.received.map(({ headers }) => headers.get("x-tenant"))).toEqual(["harbour"]);
  });

  it("what can't be read or reached is said, and left as it is", async () => {
    const webhook = await harness.createWebhook();
    expect((await reEncrypt(withSecrets(keyring("one", "another")))).unreadable).toBeGreaterThanOrEqual(1);
    const { workspaceId } = harness.owner;
    const rotating = withSecrets(keyring("the next one", previous));
    const { ledger } = rotating.service.deps;
    vi.spyOn(rotating.service.deps, "ledger").mockImplementation((id) => {
      if (id === workspaceId) throw new Error("no such ledger");
      return ledger(id);
    });
    expect((await reEncrypt(rotating)).failed).toEqual([workspaceId]);
    await harness.emitEvents();
    await harness.runQueue();
    await verify(harness.received[0] ?? expect.fail("not sent"), webhook.secret);
  });
});

describe("a backlog", () => {
  it.each(["paused", "deleted"])("of a webhook that is %s is not sent", async (what) => {
    const webhook = await harness.createWebhook();
    await harness.emitEvents(7);
    if (what === "paused")
      await updateWebhook(harness.service.deps, harness.owner, webhook.id, { status: "paused" });
    else await deleteWebhook(harness.service.deps, harness.owner, webhook.id);
    await harness.runQueue();
    await harness.advance(48 * 60 * minutes);
    expect(harness.received).toEqual([]);
    if (what === "deleted")
      await expect(harness.deliveries(webhook.id)).rejects.toMatchObject({ status: 404 });
  });

  it("of any size is sent in full, and no delivery is claimed twice", async () => {
    const webhook = await harness.createWebhook();
    const backlog = runs(100, 5000);
    await harness.emitAndDeliver(backlog);
    expect(new Set(ids()).size).toBe(backlog);
    expect(harness.received).toHaveLength(backlog);
    expect(await harness.deliveries(webhook.id, "pending")).toEqual([]);
  });
});

describe("a receiver that hangs", () => {
  it("does not delay another webhook's deliveries", async () => {
    harness.receiver = (received, signal) =>
      received.url.includes("hanging") ? hangs(received, signal) : answers(200)(received, signal);
    const hanging = await harness.createWebhook({ url: "https://hanging.example.com/" });
    await harness.emitEvents(runs(100, 10_000));
    const healthy = await harness.createWebhook({ url: "https://healthy.example.com/" });
    harness.clock.advance(1);
    await harness.runQueue();
    harness.received.length = 0;
    for (let i = 0; i < 10; i += 1) {
      await harness.emitAndDeliver();
      await harness.advance(10_000);
    }
    const own = harness.received.filter((post) => post.url.includes("healthy"));
    expect(own).toHaveLength(10);
    // The clock stands still during a run, so each was sent without a delay.
    for (const post of own) {
      expect(Date.parse((JSON.parse(post.body) as { createdAt: string }).createdAt)).toBe(post.at);
    }
    expect(await harness.deliveries(healthy.id, "pending")).toEqual([]);
    const row = await harness.ledger.getWebhook(hanging.id);
    expect(row?.status).toBe("active");
    // The attempts that were in flight at the first timeout are retried on schedule; few others begin.
    const begun = new Set(ids().filter((_, i) => harness.received[i]?.url.includes("hanging")));
    expect(begun.size).toBeLessThanOrEqual(50);
  });

  it("is paused once 20 deliveries have used up their 24 hours, and nothing stays pending", async () => {
    harness = await new WebhookHarness({
      startTimer: (milliseconds, onEnd) =>
        runtimeTimers.startTimer(milliseconds === webhookRules.timeout ? 0 : milliseconds, onEnd),
    }).createWorkspace();
    harness.receiver = hangs;
    const webhook = await harness.createWebhook();
    await harness.haveFailed(18);
    await harness.emitAndDeliver(4);
    await harness.advance(27 * 60 * minutes);
    expect(await harness.deliveries(webhook.id, "pending")).toEqual([]);
    expect(await harness.ledger.getWebhook(webhook.id)).toMatchObject({ status: "paused" });
  });
});

it("a ledger that fails among several keeps back its own workspace's events and scans, and loses none", async () => {
  const others = [await harness.service.workspace(), await harness.service.workspace()];
  const workspaceIds = [harness.client, ...others].map(({ workspaceId }) => workspaceId);
  const [failing = ""] = workspaceIds;
  const events: EventKind[] = ["qr.created", "qr.scanned"];
  for (const workspaceId of workspaceIds) {
    const input = { url: `https://example.com/${workspaceId}`, events, mode: "realtime" } as const;
    await createWebhook(harness.service.deps, serviceContext(workspaceId, "business"), input);
  }
  let down = true;
  const unavailable = () => Promise.reject(new Error("ledger is unavailable"));
  const scans: { body: ScansMessage }[] = [];
  const service = new Service({
    ...harness.service.deps,
    scanQueue: {
      sendBatch: async (messages: typeof scans) => void scans.push(...messages),
    } as unknown as Queue<ScansMessage>,
    ledger: (workspaceId) =>
      down && workspaceId === failing
        ? ({ receive: unavailable, recordScans: unavailable } as never)
        : env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId)),
  });
  for (const workspaceId of workspaceIds) {
    const client = await service.client(workspaceId);
    for (let i = 0; i < 3; i += 1) await client.createQr();
  }
  scans.push({
    body: { batches: packed(...workspaceIds.map((workspaceId) => scanRecord({ workspaceId }))) },
  });
  /** Does all that is due. @returns how many events each workspace's receiver has */
  const settle = async () => {
    expect((await service.consume("scans", scans.splice(0))).explicitAcks).toHaveLength(1);
    harness.clock.advance(minutes);
    await service.worker.scheduled(undefined, env);
    await harness.runQueue(service);
    return workspaceIds.map((id) => harness.received.filter(({ url }) => url.endsWith(id)).length);
  };
  expect(await settle()).toEqual([0, 4, 4]);
  down = false;
  expect(await settle()).toEqual([4, 4, 4]);
  expect(new Set(ids()).size).toBe(12);
});
