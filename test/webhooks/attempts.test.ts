import { beforeEach, describe, expect, it } from "vitest";
import { replayDelivery } from "../../src/domain/webhooks/deliveries.ts";
import { rotateSecret, updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { answers, hangs, verify, WebhookHarness } from "../support/webhooks.ts";

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
/** The delays that are promised, written out here so that the code can't change them unnoticed. */
const offsets = [0, 30 * seconds, 2 * minutes, 10 * minutes, 30 * minutes, 2 * hours, 6 * hours, 24 * hours];

let harness: WebhookHarness;
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
});

describe("a delivery", () => {
  it("is one signed POST with the documented headers and body", async () => {
    const webhook = await harness.createWebhook();
    const [event] = await harness.emitAndDeliver();
    const [post, ...more] = harness.received;
    if (post === undefined || event === undefined) throw new Error("nothing was received");
    expect(more).toEqual([]);
    const [delivery] = await harness.deliveries(webhook.id);
    expect(Object.fromEntries(post.headers)).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "qr.created",
      "x-service-delivery": delivery?.id,
      "x-service-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    });
    expect(JSON.parse(post.body)).toEqual({
      event: "qr.created",
      deliveryId: delivery?.id,
      createdAt: new Date(event.at).toISOString(),
      data: event.data,
    });
    expect(post.body).toContain("🍕");
    expect(delivery).toMatchObject({
      status: "succeeded",
      attempts: 1,
      lastStatus: 200,
      nextAttemptAt: null,
    });
    await verify(post, webhook.secret);
    await expect(verify(post, webhook.secret, post.body.replace("🍕", "🍔"))).rejects.toThrow();
    await expect(verify(post, `${webhook.secret}x`)).rejects.toThrow();
  });

  it("is signed with both secrets for 24 hours after a rotation, then only with the new one", async () => {
    const webhook = await harness.createWebhook();
    const { secret } = await rotateSecret(harness.service.deps, harness.owner, webhook.id);
    await harness.emitAndDeliver();
    await harness.advance(24 * hours);
    await harness.emitAndDeliver();
    const [inGrace, after] = harness.received;
    if (inGrace === undefined || after === undefined) throw new Error("nothing was received");
    await verify(inGrace, secret);
    await verify(inGrace, webhook.secret);
    await verify(after, secret);
    await expect(verify(after, webhook.secret)).rejects.toThrow();
  });

  it("is attempted at exactly the documented offsets, with the same bytes and a new signature, then fails", async () => {
    harness.receiver = answers(500, "out of order");
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver();
    const start = harness.clock.now();
    await harness.advance(96 * hours);
    expect(harness.received.map((post) => post.at - start)).toEqual(offsets);
    expect(new Set(harness.received.map((post) => post.body)).size).toBe(1);
    for (const post of harness.received) await verify(post, webhook.secret);

    const [delivery] = await harness.deliveries(webhook.id, "failed");
    expect(delivery).toMatchObject({ attempts: 8, lastStatus: 500, nextAttemptAt: null });
    const { attemptLog, payload } = await harness.delivery(webhook.id, delivery?.id ?? "");
    expect(attemptLog.map((attempt) => Date.parse(attempt.at) - start)).toEqual(offsets);
    expect(attemptLog[3]).toMatchObject({ status: 500, error: "HTTP 500", responseBody: "out of order" });
    expect(payload).toMatchObject({ event: "qr.created" });
  });

  it("may succeed with its last attempt, which resets the count of failures", async () => {
    harness.receiver = answers(503);
    const webhook = await harness.createWebhook();
    await harness.haveFailed(19);
    await harness.emitAndDeliver();
    await harness.advance(24 * hours - 1);
    await harness.emitAndDeliver();
    harness.receiver = answers(204);
    await harness.advance(1);
    expect((await harness.deliveries(webhook.id, "succeeded")).map(({ attempts }) => attempts)).toContain(8);
    expect(await harness.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "active",
      consecutiveFailures: 0,
    });
  });

  it.each([
    ["an answer that never comes", hangs, "No response within 10 s", null],
    [
      "a redirect",
      () => Response.redirect("https://127.0.0.1/", 307),
      "HTTP 307; redirects are not followed",
      307,
    ],
    [
      "a connection that fails",
      () => Promise.reject(new Error("refused")),
      "The receiver could not be reached",
      null,
    ],
  ] as const)("fails with %s", async (_, receiver, lastError, lastStatus) => {
    harness.receiver = receiver;
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver();
    const [delivery] = await harness.deliveries(webhook.id);
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, lastError, lastStatus });
    expect(harness.received).toHaveLength(1);
  });

  it.each([
    ["stalls", { start: (body) => body.enqueue(new Uint8Array(9)) }],
    ["breaks off", { pull: (body) => body.error(new Error("connection lost")) }],
  ] satisfies [string, UnderlyingSource][])(
    "is judged by the status where the body %s, which costs the stored text",
    async (_, source) => {
      const webhook = await harness.createWebhook();
      for (const [status, ended] of [
        [200, { status: "succeeded", lastError: null }],
        [500, { status: "pending", lastError: "HTTP 500" }],
      ] as const) {
        harness.receiver = () => new Response(new ReadableStream(source), { status });
        await harness.emitAndDeliver();
        const [delivery] = await harness.deliveries(webhook.id, ended.status);
        expect(delivery).toMatchObject({ ...ended, attempts: 1, lastStatus: status });
        const { attemptLog } = await harness.delivery(webhook.id, delivery?.id ?? "");
        expect(attemptLog).toMatchObject([{ status, responseBody: null }]);
      }
    },
  );

  it("reads 4 KB of a response body and cancels the rest", async () => {
    let pulled = 0;
    let cancelled = false;
    harness.receiver = () =>
      new Response(
        new ReadableStream(
          {
            pull(body) {
              pulled += 1;
              body.enqueue(new TextEncoder().encode("x".repeat(1000)));
            },
            cancel() {
              cancelled = true;
            },
          },
          { highWaterMark: 0 },
        ),
      );
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver();
    const [delivery] = await harness.deliveries(webhook.id, "succeeded");
    const { attemptLog } = await harness.delivery(webhook.id, delivery?.id ?? "");
    expect(attemptLog[0]?.responseBody).toBe("x".repeat(4096));
    expect([pulled, cancelled]).toEqual([5, true]);
  });
});

describe("a webhook", () => {
  it("is paused after 20 consecutive deliveries failed; later deliveries are skipped", async () => {
    harness.receiver = answers(500);
    const webhook = await harness.createWebhook();
    await harness.haveFailed(18);
    await harness.emitAndDeliver();
    await harness.advance(27 * hours);
    expect(await harness.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "active",
      consecutiveFailures: 19,
    });
    await harness.emitAndDeliver(2);
    await harness.advance(27 * hours);
    expect(await harness.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "paused",
      pausedReason: "20 consecutive deliveries failed",
      consecutiveFailures: 20,
    });
    // The last one would have been tried a last time in the same moment.
    expect(await harness.deliveries(webhook.id, "failed")).toHaveLength(2);
    expect(await harness.deliveries(webhook.id, "skipped")).toHaveLength(1);
    const posts = harness.received.length;
    await harness.emitAndDeliver(3);
    await harness.advance(48 * hours);
    expect(harness.received).toHaveLength(posts);
    expect(await harness.deliveries(webhook.id, "skipped")).toHaveLength(4);
  });

  it("is paused at once by 410", async () => {
    harness.receiver = answers(410);
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver(1);
    expect(await harness.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "paused",
      pausedReason: "The receiver answered 410 Gone",
    });
    expect(await harness.deliveries(webhook.id, "failed")).toHaveLength(1);
  });

  it("gets nothing while it is paused by hand, and later events once it is resumed", async () => {
    harness.receiver = answers(500);
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver(3);
    await updateWebhook(harness.service.deps, harness.owner, webhook.id, { status: "paused" });
    await harness.advance(48 * hours);
    expect(harness.received).toHaveLength(3);
    expect(await harness.deliveries(webhook.id, "skipped")).toHaveLength(3);
    const resumed = await updateWebhook(harness.service.deps, harness.owner, webhook.id, {
      status: "active",
    });
    expect(resumed).toMatchObject({ status: "active", pausedReason: null });
    harness.receiver = answers(200);
    await harness.emitAndDeliver();
    expect(harness.received).toHaveLength(4);
  });
});

describe("a replay", () => {
  const replay = (webhookId: string, id: string) =>
    replayDelivery(harness.service.deps, harness.owner, webhookId, id);

  it("sends a failed delivery again with the same id and body; only a success changes the count of failures", async () => {
    harness.receiver = answers(500);
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver(2);
    await harness.advance(25 * hours);
    const [delivery] = await harness.deliveries(webhook.id, "failed");
    const id = delivery?.id ?? "";
    const before = harness.received.length;

    expect(await replay(webhook.id, id)).toMatchObject({ id, status: "pending" });
    await harness.runQueue();
    await harness.advance(48 * hours);
    expect(harness.received).toHaveLength(before + 1);
    expect(await harness.delivery(webhook.id, id)).toMatchObject({ status: "failed", attempts: 9 });
    expect(await harness.ledger.getWebhook(webhook.id)).toMatchObject({ consecutiveFailures: 2 });

    harness.receiver = answers(200);
    await replay(webhook.id, id);
    await harness.runQueue();
    expect(await harness.delivery(webhook.id, id)).toMatchObject({ status: "succeeded", attempts: 10 });
    expect(await harness.ledger.getWebhook(webhook.id)).toMatchObject({ consecutiveFailures: 0 });
    const own = harness.received.filter((post) => post.headers.get("x-service-delivery") === id);
    expect(new Set(own.map((post) => post.body)).size).toBe(1);
    await expect(replay(webhook.id, id)).rejects.toMatchObject({ status: 400 });
  });

  it("sends a skipped delivery, once the webhook is resumed", async () => {
    const webhook = await harness.createWebhook();
    await updateWebhook(harness.service.deps, harness.owner, webhook.id, { status: "paused" });
    await harness.emitAndDeliver();
    const [skipped] = await harness.deliveries(webhook.id, "skipped");
    await expect(replay(webhook.id, skipped?.id ?? "")).rejects.toMatchObject({ status: 400 });
    await updateWebhook(harness.service.deps, harness.owner, webhook.id, { status: "active" });
    await replay(webhook.id, skipped?.id ?? "");
    await harness.runQueue();
    expect(await harness.delivery(webhook.id, skipped?.id ?? "")).toMatchObject({ status: "succeeded" });
    await expect(replay(webhook.id, crypto.randomUUID())).rejects.toMatchObject({ status: 404 });
    await expect(replay(crypto.randomUUID(), skipped?.id ?? "")).rejects.toMatchObject({ status: 404 });
  });
});
