import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { forwardEvents } from "../../src/domain/webhooks/events.ts";
import { deleteWebhook, rotateSecret, updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { Service } from "../support/service.ts";
import { answers, hangs, WebhookDesk } from "../support/webhooks.ts";

const minutes = 60_000;

let desk: WebhookDesk;
beforeEach(async () => {
  desk = await new WebhookDesk().open();
});

const ids = () => desk.received.map((post) => post.headers.get("x-service-delivery"));

describe("nothing is lost and nothing doubled", () => {
  it("when a crash comes between the catalogue's commit and the ledger: the sweep finds the event", async () => {
    const webhook = await desk.webhook();
    const crashed = new Service({
      now: desk.clock.now,
      ledger: () => ({ emit: () => Promise.reject(new Error("crashed")) }) as never,
    });
    await expect(
      (async () => {
        await env.DB.prepare(
          "INSERT INTO outbox VALUES ('01900000-0000-7000-8000-00000000000f', ?, 'qr.created', '{}', ?)",
        )
          .bind(desk.client.workspaceId, desk.clock.now())
          .run();
        await forwardEvents(crashed.deps, desk.client.workspaceId);
      })(),
    ).rejects.toThrow("crashed");
    await desk.service.worker.scheduled(undefined, env);
    await desk.run();
    expect(desk.received).toHaveLength(1);
    expect(await desk.deliveries(webhook.id, "succeeded")).toHaveLength(1);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM outbox").first("n")).toBe(0);
  });

  it("when events are handed on twice, also at the same time", async () => {
    await desk.webhook();
    const [event] = await desk.happen();
    if (event === undefined) throw new Error("nothing happened");
    await Promise.all([1, 2, 3].map(() => desk.ledger.emit([event], desk.clock.now())));
    await desk.run();
    await desk.advance(10 * minutes);
    expect(desk.received).toHaveLength(1);
  });

  it("when a queue message comes twice at the same time: one POST", async () => {
    await desk.webhook();
    await desk.happen(5);
    const [message] = desk.told.splice(0);
    if (message === undefined) throw new Error("the queue was not told");
    await Promise.all(
      [1, 2, 3].map(() => desk.service.consume("deliveries", [{ body: message }, { body: message }])),
    );
    expect(new Set(ids()).size).toBe(5);
    expect(desk.received).toHaveLength(5);
  });

  it("when the queue refuses, or loses what it was told: the ledger tells again within a minute", async () => {
    await desk.webhook();
    desk.queueIsDown = true;
    await desk.happenAndRun();
    desk.queueIsDown = false;
    await desk.happen();
    desk.told.length = 0;
    expect(desk.received).toEqual([]);
    await desk.advance(minutes);
    expect(desk.received).toHaveLength(2);
  });

  it("when a run dies after its POST: the attempt is repeated with the same id and body once the lease ends", async () => {
    const webhook = await desk.webhook();
    await desk.happen();
    const dying = new WebhookDesk({
      ledger: (workspaceId) => {
        const stub = env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
        return {
          claim: (id: string, now: number) => stub.claim(id, now),
          settle: () => Promise.reject(new Error("died")),
        } as never;
      },
    });
    dying.clock.advance(desk.clock.now() - dying.clock.now());
    await desk.run(dying.service);
    expect(dying.received).toHaveLength(1);
    await desk.advance(29_999);
    expect(desk.received).toEqual([]);
    await desk.advance(61_000);
    expect(desk.received).toHaveLength(1);
    expect(desk.received[0]?.body).toBe(dying.received[0]?.body);
    expect(await desk.deliveries(webhook.id, "succeeded")).toMatchObject([{ attempts: 1 }]);
  });

  it("when an attempt is settled late, after another took it up", async () => {
    const webhook = await desk.webhook();
    await desk.happen();
    const late = await desk.ledger.claim(webhook.id, desk.clock.now());
    const [claimed] = late?.deliveries ?? [];
    if (claimed === undefined) throw new Error("nothing was claimed");
    await desk.advance(2 * minutes);
    expect(desk.received).toHaveLength(1);
    const outcome = {
      at: desk.clock.now(),
      status: 500,
      durationMs: 1,
      error: "late",
      responseBody: null,
      timedOut: false,
    };
    await desk.ledger.settle(webhook.id, claimed.id, claimed.attempt, outcome, desk.clock.now());
    expect(await desk.deliveries(webhook.id)).toMatchObject([{ status: "succeeded", attempts: 1 }]);
  });
});

it("is not sent unsigned when the service's own secret was changed, until the webhook has a new one", async () => {
  const webhook = await desk.webhook();
  const changed = new WebhookDesk({ webhookSecret: "another one", ledger: desk.service.deps.ledger });
  changed.clock.advance(desk.clock.now() - changed.clock.now());
  await desk.happen();
  await desk.run(changed.service);
  expect(changed.received).toEqual([]);
  expect(await desk.deliveries(webhook.id)).toMatchObject([
    { status: "pending", lastError: "The signing secret can't be read; rotate it" },
  ]);
  await rotateSecret(changed.service.deps, desk.owner, webhook.id);
  await desk.happen();
  await desk.run(changed.service);
  expect(changed.received).toHaveLength(1);
});

describe("a backlog", () => {
  it.each(["paused", "deleted"])("of a webhook that is %s gets no POST any more", async (what) => {
    const webhook = await desk.webhook();
    await desk.happen(50);
    if (what === "paused")
      await updateWebhook(desk.service.deps, desk.owner, webhook.id, { status: "paused" });
    else await deleteWebhook(desk.service.deps, desk.owner, webhook.id);
    await desk.run();
    await desk.advance(48 * 60 * minutes);
    expect(desk.received).toEqual([]);
    if (what === "deleted") await expect(desk.deliveries(webhook.id)).rejects.toMatchObject({ status: 404 });
  });

  it("is worked off whole, whatever its size, and claimed by no two", async () => {
    const webhook = await desk.webhook();
    await desk.happenAndRun(600);
    expect(new Set(ids()).size).toBe(600);
    expect(desk.received).toHaveLength(600);
    expect(await desk.deliveries(webhook.id, "pending")).toEqual([]);
  });
});

describe("a receiver that hangs", () => {
  it("is not tried for a while once it has timed out five times in a row, longer each time", async () => {
    desk.receiver = hangs;
    const webhook = await desk.webhook();
    await desk.happenAndRun(200);
    // One claim's worth was under way before anything was known.
    expect(desk.received).toHaveLength(6);
    const start = desk.clock.now();
    await desk.advance(40 * minutes);
    const probes = desk.received.slice(6).map((post) => (post.at - start) / minutes);
    const gaps = probes.map((at, i) => at - (probes[i - 1] ?? 0));
    expect(gaps.slice(0, 5)).toEqual([1, 2, 5, 10, 10]);
    const waiting = await desk.deliveries(webhook.id, "pending");
    expect(waiting).toHaveLength(200);
    const now = new Date(desk.clock.now()).toISOString();
    expect(waiting.filter(({ nextAttemptAt }) => (nextAttemptAt ?? "") < now)).toEqual([]);

    desk.receiver = answers(200);
    await desk.advance(10 * minutes);
    expect(new Set(ids()).size).toBe(200);
    // What had been tried meanwhile keeps to its offsets.
    await desk.advance(120 * minutes);
    expect(await desk.deliveries(webhook.id, "pending")).toEqual([]);
  });

  it("does not hold up another webhook's deliveries", async () => {
    desk.receiver = (received, signal) =>
      received.url.includes("hanging") ? hangs(received, signal) : answers(200)(received, signal);
    const hanging = await desk.webhook({ url: "https://hanging.example.com/" });
    await desk.happen(10_000);
    const healthy = await desk.webhook({ url: "https://healthy.example.com/" });
    desk.clock.advance(1);
    await desk.run();
    desk.received.length = 0;
    for (let i = 0; i < 20; i += 1) {
      await desk.happenAndRun();
      await desk.advance(5000);
    }
    const own = desk.received.filter((post) => post.url.includes("healthy"));
    expect(own).toHaveLength(20);
    // Each in the moment in which it happened: the clock stood still meanwhile.
    for (const post of own) {
      expect(Date.parse((JSON.parse(post.body) as { createdAt: string }).createdAt)).toBe(post.at);
    }
    expect(await desk.deliveries(healthy.id, "pending")).toEqual([]);
    const row = await desk.ledger.getWebhook(hanging.id);
    expect(row?.status).toBe("active");
    expect(desk.received.length).toBeLessThan(30);
  });

  it("still ends after 24 hours, and is paused in the end", async () => {
    desk.receiver = hangs;
    const webhook = await desk.webhook();
    await desk.happenAndRun(40);
    await desk.advance(25 * 60 * minutes);
    expect(await desk.deliveries(webhook.id, "pending")).toEqual([]);
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({ status: "paused" });
  });
});
