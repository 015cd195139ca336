import { beforeEach, describe, expect, it } from "vitest";
import { replayDelivery } from "../../src/domain/webhooks/deliveries.ts";
import { rotateSecret, updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { answers, hangs, verify, WebhookDesk } from "../support/webhooks.ts";

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
/** The spec's delays, written out here so that the code can't change them unnoticed. */
const offsets = [0, 30 * seconds, 2 * minutes, 10 * minutes, 30 * minutes, 2 * hours, 6 * hours, 24 * hours];

let desk: WebhookDesk;
beforeEach(async () => {
  desk = await new WebhookDesk().open();
});

describe("a delivery", () => {
  it("is one signed POST with the documented headers and body", async () => {
    const webhook = await desk.webhook();
    const [event] = await desk.happenAndRun();
    const [post, ...more] = desk.received;
    if (post === undefined || event === undefined) throw new Error("nothing was received");
    expect(more).toEqual([]);
    const [delivery] = await desk.deliveries(webhook.id);
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

  it("is signed with both secrets for 24 hours after a rotation, then with the new one alone", async () => {
    const webhook = await desk.webhook();
    const { secret } = await rotateSecret(desk.service.deps, desk.owner, webhook.id);
    await desk.happenAndRun();
    await desk.advance(24 * hours);
    await desk.happenAndRun();
    const [inGrace, after] = desk.received;
    if (inGrace === undefined || after === undefined) throw new Error("nothing was received");
    await verify(inGrace, secret);
    await verify(inGrace, webhook.secret);
    await verify(after, secret);
    await expect(verify(after, webhook.secret)).rejects.toThrow();
  });

  it("is tried at exactly the documented offsets, signed afresh, same bytes, then failed, never a ninth time", async () => {
    desk.receiver = answers(500, "out of order");
    const webhook = await desk.webhook();
    await desk.happenAndRun();
    const start = desk.clock.now();
    await desk.advance(96 * hours);
    expect(desk.received.map((post) => post.at - start)).toEqual(offsets);
    expect(new Set(desk.received.map((post) => post.body)).size).toBe(1);
    for (const post of desk.received) await verify(post, webhook.secret);

    const [delivery] = await desk.deliveries(webhook.id, "failed");
    expect(delivery).toMatchObject({ attempts: 8, lastStatus: 500, nextAttemptAt: null });
    const { attemptLog, payload } = await desk.delivery(webhook.id, delivery?.id ?? "");
    expect(attemptLog.map((attempt) => Date.parse(attempt.at) - start)).toEqual(offsets);
    expect(attemptLog[3]).toMatchObject({ status: 500, error: "Answered 500", responseBody: "out of order" });
    expect(payload).toMatchObject({ event: "qr.created" });
  });

  it("may succeed with its last attempt, which sets the count of failures back", async () => {
    desk.receiver = answers(503);
    const webhook = await desk.webhook();
    await desk.happenAndRun();
    await desk.advance(24 * hours - 1);
    await desk.happenAndRun();
    desk.receiver = answers(204);
    await desk.advance(1);
    expect((await desk.deliveries(webhook.id, "succeeded")).map(({ attempts }) => attempts)).toContain(8);
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "active",
      consecutiveFailures: 0,
    });
  });

  it.each([
    ["an answer that never comes", hangs, "No answer within 10 s", null],
    [
      "a redirect",
      () => Response.redirect("https://127.0.0.1/", 307),
      "Answered 307; redirects are not followed",
      307,
    ],
    [
      "a connection that fails",
      () => Promise.reject(new Error("refused")),
      "The receiver could not be reached",
      null,
    ],
    [
      "a body that stops coming",
      () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) })),
      "No answer within 10 s",
      200,
    ],
  ] as const)("fails with %s", async (_, receiver, lastError, lastStatus) => {
    desk.receiver = receiver;
    const webhook = await desk.webhook();
    await desk.happenAndRun();
    const [delivery] = await desk.deliveries(webhook.id);
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, lastError, lastStatus });
    expect(desk.received).toHaveLength(1);
  });

  it("reads 4 KB of an answer and lets the rest go", async () => {
    let pulled = 0;
    let cancelled = false;
    desk.receiver = () =>
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
    const webhook = await desk.webhook();
    await desk.happenAndRun();
    const [delivery] = await desk.deliveries(webhook.id, "succeeded");
    const { attemptLog } = await desk.delivery(webhook.id, delivery?.id ?? "");
    expect(attemptLog[0]?.responseBody).toBe("x".repeat(4096));
    expect([pulled, cancelled]).toEqual([5, true]);
  });
});

describe("a webhook", () => {
  it("is paused once after 20 deliveries in a row exhausted their attempts; what comes then is skipped", async () => {
    desk.receiver = answers(500);
    const webhook = await desk.webhook();
    await desk.happenAndRun(19);
    await desk.advance(25 * hours);
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "active",
      consecutiveFailures: 19,
    });
    await desk.happenAndRun(2);
    await desk.advance(25 * hours);
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "paused",
      pausedReason: "20 deliveries in a row exhausted their attempts",
      consecutiveFailures: 20,
    });
    // The 21st would have been tried a last time in the same moment.
    expect(await desk.deliveries(webhook.id, "failed")).toHaveLength(20);
    expect(await desk.deliveries(webhook.id, "skipped")).toHaveLength(1);
    const posts = desk.received.length;
    await desk.happenAndRun(3);
    await desk.advance(48 * hours);
    expect(desk.received).toHaveLength(posts);
    expect(await desk.deliveries(webhook.id, "skipped")).toHaveLength(4);
  });

  it("is not paused while one success comes in between", async () => {
    desk.receiver = answers(500);
    const webhook = await desk.webhook();
    await desk.happenAndRun(19);
    await desk.advance(25 * hours);
    desk.receiver = answers(200);
    await desk.happenAndRun();
    desk.receiver = answers(500);
    await desk.happenAndRun(19);
    await desk.advance(25 * hours);
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "active",
      consecutiveFailures: 19,
    });
  });

  it("is paused at once by 410", async () => {
    desk.receiver = answers(410);
    const webhook = await desk.webhook();
    await desk.happenAndRun(1);
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({
      status: "paused",
      pausedReason: "The receiver answered 410 Gone",
    });
    expect(await desk.deliveries(webhook.id, "failed")).toHaveLength(1);
  });

  it("gets nothing more once it is paused by hand, and what comes after it is resumed", async () => {
    desk.receiver = answers(500);
    const webhook = await desk.webhook();
    await desk.happenAndRun(3);
    await updateWebhook(desk.service.deps, desk.owner, webhook.id, { status: "paused" });
    await desk.advance(48 * hours);
    expect(desk.received).toHaveLength(3);
    expect(await desk.deliveries(webhook.id, "skipped")).toHaveLength(3);
    const resumed = await updateWebhook(desk.service.deps, desk.owner, webhook.id, { status: "active" });
    expect(resumed).toMatchObject({ status: "active", pausedReason: null });
    desk.receiver = answers(200);
    await desk.happenAndRun();
    expect(desk.received).toHaveLength(4);
  });
});

describe("a replay", () => {
  const replay = (webhookId: string, id: string) =>
    replayDelivery(desk.service.deps, desk.owner, webhookId, id);

  it("sends a failed delivery once more, same id, same body; only its success counts", async () => {
    desk.receiver = answers(500);
    const webhook = await desk.webhook();
    await desk.happenAndRun(2);
    await desk.advance(25 * hours);
    const [delivery] = await desk.deliveries(webhook.id, "failed");
    const id = delivery?.id ?? "";
    const before = desk.received.length;

    expect(await replay(webhook.id, id)).toMatchObject({ id, status: "pending" });
    await desk.run();
    await desk.advance(48 * hours);
    expect(desk.received).toHaveLength(before + 1);
    expect(await desk.delivery(webhook.id, id)).toMatchObject({ status: "failed", attempts: 9 });
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({ consecutiveFailures: 2 });

    desk.receiver = answers(200);
    await replay(webhook.id, id);
    await desk.run();
    expect(await desk.delivery(webhook.id, id)).toMatchObject({ status: "succeeded", attempts: 10 });
    expect(await desk.ledger.getWebhook(webhook.id)).toMatchObject({ consecutiveFailures: 0 });
    const own = desk.received.filter((post) => post.headers.get("x-service-delivery") === id);
    expect(new Set(own.map((post) => post.body)).size).toBe(1);
    await expect(replay(webhook.id, id)).rejects.toMatchObject({ status: 400 });
  });

  it("sends a skipped delivery, once the webhook is resumed", async () => {
    const webhook = await desk.webhook();
    await updateWebhook(desk.service.deps, desk.owner, webhook.id, { status: "paused" });
    await desk.happenAndRun();
    const [skipped] = await desk.deliveries(webhook.id, "skipped");
    await expect(replay(webhook.id, skipped?.id ?? "")).rejects.toMatchObject({ status: 400 });
    await updateWebhook(desk.service.deps, desk.owner, webhook.id, { status: "active" });
    await replay(webhook.id, skipped?.id ?? "");
    await desk.run();
    expect(await desk.delivery(webhook.id, skipped?.id ?? "")).toMatchObject({ status: "succeeded" });
    await expect(replay(webhook.id, crypto.randomUUID())).rejects.toMatchObject({ status: 404 });
    await expect(replay(crypto.randomUUID(), skipped?.id ?? "")).rejects.toMatchObject({ status: 404 });
  });
});
