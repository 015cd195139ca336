import { beforeEach, describe, expect, it } from "vitest";
import { Replay, ReplayPreview } from "../../src/contract/resources/webhooks/replays.ts";
import { Delivery } from "../../src/contract/resources/webhooks/webhooks.ts";
import { expectError } from "../support/endpoints.ts";
import type { SessionClient } from "../support/service.ts";
import { answers, WebhookHarness } from "../support/webhooks.ts";

const days = 24 * 60 * 60_000;

let harness: WebhookHarness;
let session: SessionClient;
let path: string;
let webhookId: string;

beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
  session = await harness.service.sessionIn(harness.client.workspaceId);
  const webhook = await harness.createWebhook();
  webhookId = webhook.id;
  path = `/developer/webhooks/${webhook.id}/replays`;
});

const now = () => new Date(harness.clock.now()).toISOString();

/** Lets deliveries use up all their attempts. */
async function exhaust(count: number): Promise<void> {
  harness.receiver = answers(500);
  await harness.emitAndDeliver(count);
  await harness.advance(2 * days);
  harness.receiver = answers(200);
  // The session has ended by then.
  session = await harness.service.sessionIn(harness.client.workspaceId);
}

const preview = (body: object) => session.expect(200, ReplayPreview, "POST", path, { ...body, dryRun: true });
const start = (body: object) => session.expect(202, Replay, "POST", path, body);
const follow = ({ id }: Replay) => session.expect(200, Replay, "GET", `${path}/${id}`);

describe("a replay of all failed deliveries", () => {
  it("previews how many there are, sends them once with the same ids and bodies, and is followed", async () => {
    const since = now();
    await exhaust(3);
    const first = new Map(
      harness.received.map(({ body, headers }) => [headers.get("x-service-delivery"), body]),
    );
    const delivered = await harness.emitAndDeliver(2);
    expect(delivered).toHaveLength(2);
    expect(await preview({ since })).toEqual({ deliveries: 3, hasMore: false });
    harness.received.length = 0;
    const replay = await start({ since });
    expect(replay).toMatchObject({ status: "running", deliveries: 3, since, includeSkipped: false });
    await harness.runQueue();
    await harness.advance(0);
    const ids = harness.received.map(({ headers }) => headers.get("x-service-delivery"));
    expect(ids.sort()).toEqual([...first.keys()].sort());
    for (const { headers, body } of harness.received) {
      expect(body).toBe(first.get(headers.get("x-service-delivery")));
    }
    expect(await follow(replay)).toMatchObject({
      status: "completed",
      replayed: 3,
      succeeded: 3,
      failed: 0,
      completedAt: now(),
    });
    expect(await harness.deliveries(webhookId, "failed")).toEqual([]);
    expect(await preview({ since })).toEqual({ deliveries: 0, hasMore: false });
  });

  it("takes those created since a time, and no others", async () => {
    await harness.storeFailed(webhookId, 3);
    harness.clock.advance(1000);
    const since = now();
    await harness.storeFailed(webhookId, 2);
    expect(await preview({ since })).toMatchObject({ deliveries: 2 });
    await start({ since });
    await harness.runQueue();
    expect(await harness.deliveries(webhookId, "failed")).toHaveLength(3);
  });

  it("takes skipped deliveries only if asked to", async () => {
    const since = now();
    await harness.ledger.changeWebhook(webhookId, { status: "paused" }, harness.clock.now());
    await harness.emitEvents(4);
    await harness.ledger.changeWebhook(webhookId, { status: "active" }, harness.clock.now());
    await harness.storeFailed(webhookId, 1);
    expect(await preview({ since })).toMatchObject({ deliveries: 1 });
    expect(await preview({ since, includeSkipped: true })).toMatchObject({ deliveries: 5 });
    await start({ since, includeSkipped: true });
    await harness.runQueue();
    await harness.advance(0);
    expect(await harness.deliveries(webhookId, "skipped")).toEqual([]);
  });

  it("leaves out tests that failed", async () => {
    const since = now();
    harness.receiver = answers(500);
    await session.send("POST", `/developer/webhooks/${webhookId}/test`);
    await harness.runQueue();
    expect(await harness.deliveries(webhookId, "failed")).toHaveLength(1);
    expect(await preview({ since })).toMatchObject({ deliveries: 0 });
    const replay = await start({ since });
    expect(replay).toMatchObject({ status: "completed", deliveries: 0, replayed: 0 });
  });
});

describe("replays that fail", () => {
  const sent = () => harness.received.map(({ headers }) => headers.get("x-service-delivery") ?? "");
  const replayOne = (id: string) =>
    session.expect(202, Delivery, "POST", `/developer/webhooks/${webhookId}/deliveries/${id}/replay`);
  const replays = {
    "one by one": async (ids: readonly string[]) => {
      for (const id of ids) await replayOne(id);
    },
    "all at once": async () => {
      await start({ since: new Date(harness.clock.now() - 3 * days).toISOString() });
    },
  };

  it.each(Object.entries(replays))("%s hold back no new event", async (_, replay) => {
    const failing = new Set(await harness.storeFailed(webhookId, 10));
    harness.receiver = ({ headers }) =>
      new Response(null, { status: failing.has(headers.get("x-service-delivery") ?? "") ? 500 : 204 });
    await replay([...failing]);
    await harness.runQueue();
    expect(sent().length).toBeGreaterThanOrEqual(6);
    harness.received.length = 0;
    await harness.emitAndDeliver();
    expect(sent().filter((id) => !failing.has(id))).toHaveLength(1);
  });

  it("while first attempts wait make no wait longer, and no test does", async () => {
    await session.send("PATCH", `/developer/webhooks/${webhookId}`, { status: "paused" });
    await harness.emitEvents(3);
    await session.send("PATCH", `/developer/webhooks/${webhookId}`, { status: "active" });
    harness.receiver = answers(500);
    await harness.emitAndDeliver(6);
    for (const { id } of await harness.deliveries(webhookId, "skipped")) await replayOne(id);
    await session.send("POST", `/developer/webhooks/${webhookId}/test`);
    harness.received.length = 0;
    await harness.advance(31_000);
    expect(new Set(sent()).size).toBe(6 + 3 + 1);
    harness.receiver = answers(200);
    harness.received.length = 0;
    await harness.emitAndDeliver();
    expect(sent()).toHaveLength(1);
  });
});

describe("a replay is refused", () => {
  it("while the webhook is paused", async () => {
    await harness.storeFailed(webhookId, 1);
    await harness.ledger.changeWebhook(webhookId, { status: "paused" }, harness.clock.now());
    const answer = await session.send("POST", path, { since: "2020-01-01T00:00:00Z" });
    expect(await expectError(answer, 400, "invalid_input")).toBe(
      "The webhook is paused. Resume it to replay deliveries.",
    );
  });

  it("while another one is running, which can be stopped", async () => {
    await harness.storeFailed(webhookId, 3);
    const since = "2020-01-01T00:00:00Z";
    const running = await start({ since });
    const answer = await session.send("POST", path, { since });
    expect(await expectError(answer, 400, "invalid_input")).toContain(
      "A replay of this webhook is already running",
    );
    const stop = () => session.expect(200, Replay, "POST", `${path}/${running.id}/stop`);
    const stopped = await stop();
    expect(stopped).toMatchObject({ status: "stopped", stoppedReason: "Stopped manually" });
    expect(await stop()).toEqual(stopped);
    expect((await start({ since })).status).not.toBe("stopped");
  });

  it.each([{}, { since: "yesterday" }, { since: 5 }])("without a time: %j", async (body) => {
    const answer = await session.send("POST", path, body);
    expect(await expectError(answer, 400, "invalid_input")).toContain("since");
  });

  it("for another workspace's webhook and another webhook's replay", async () => {
    const replay = await start({ since: now() });
    const others = await harness.service.session("business");
    expect((await others.send("POST", path, { since: now() })).status).toBe(404);
    expect((await others.send("GET", `${path}/${replay.id}`)).status).toBe(404);
    const second = await harness.createWebhook();
    const elsewhere = `/developer/webhooks/${second.id}/replays/${replay.id}`;
    expect((await session.send("GET", elsewhere)).status).toBe(404);
    expect((await session.send("POST", `${elsewhere}/stop`)).status).toBe(404);
  });
});
