import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { EventKind } from "../../src/contract/resources/enums.ts";
import { deliveryPayloads, eventData } from "../../src/contract/resources/webhooks/events.ts";
import { sampleEvent } from "../../src/domain/webhooks/samples.ts";
import { updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { recordScans } from "../../src/edge/scans/record.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import { answers, verify, WebhookHarness } from "../support/webhooks.ts";

const minutes = 60_000;

interface Batch {
  deliveryId: string;
  createdAt: string;
  events: { id: string; event: string; createdAt: string; data: Record<string, unknown> }[];
}

let harness: WebhookHarness;
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
});

const batches = () => harness.received.map((post) => JSON.parse(post.body) as Batch);

describe("an event", () => {
  it("is delivered separately to each webhook that subscribes to its kind", async () => {
    await harness.createWebhook({ url: "https://a.example.com/", events: ["qr.created", "qr.deleted"] });
    await harness.createWebhook({ url: "https://b.example.com/", events: ["qr.created"] });
    await harness.createWebhook({ url: "https://c.example.com/", events: ["qr.deleted"] });
    await harness.emitAndDeliver();
    expect(harness.received.map((post) => new URL(post.url).host).sort()).toEqual([
      "a.example.com",
      "b.example.com",
    ]);
  });

  it("about another code is not sent to a webhook that is limited to one", async () => {
    const qr = await harness.client.createQr();
    await harness.createWebhook({ scopeQrId: qr.id, events: ["qr.updated", "qr.created", "bulk.completed"] });
    await harness.emitAndDeliver(3);
    expect(harness.received).toEqual([]);
    await harness.client.send("PATCH", `/qr/${qr.id}`, { name: "Mine" });
    await harness.runQueue();
    expect(harness.received.map((post) => JSON.parse(post.body))).toMatchObject([
      { event: "qr.updated", data: { id: qr.id, name: "Mine", changed: ["name"] } },
    ]);
  });

  it("is sent once for each human scan with the documented data, and not for bot scans", async () => {
    const webhook = await harness.createWebhook({ events: ["qr.scanned"] });
    const { workspaceId } = harness.client;
    const at = harness.clock.now();
    const scan = scanRecord({ workspaceId, at });
    const bot = scanRecord({ workspaceId, at, userAgent: "Googlebot/2.1" });
    await recordScans(harness.service.deps, packed(scan, bot));
    await recordScans(harness.service.deps, packed(scan));
    await harness.runQueue();
    expect(harness.received).toHaveLength(1);
    const body: unknown = JSON.parse(harness.received[0]?.body ?? "");
    expect(deliveryPayloads["qr.scanned"]?.strict().parse(body)).toMatchObject({
      event: "qr.scanned",
      data: {
        id: scan.id,
        qrId: scan.qrId,
        hash: scan.hash,
        scannedAt: new Date(at).toISOString(),
        country: "DE",
        city: "Köln",
        device: "mobile",
        os: "iOS",
      },
    });
    expect(await harness.deliveries(webhook.id)).toHaveLength(1);
  });

  it("of a scan has the id that exports have, alone and in a batch, where it is also the entry's", async () => {
    await harness.createWebhook({ events: ["qr.scanned"] });
    await harness.createWebhook({ events: ["qr.scanned"], mode: "batched_5m" });
    const { workspaceId } = harness.client;
    const scans = [1, 2, 3].map((i) => scanRecord({ workspaceId, at: harness.clock.now() + i }));
    await recordScans(harness.service.deps, packed(...scans));
    await harness.runQueue();
    await harness.advance(5 * minutes);
    const bodies = harness.received.map(({ body }) => JSON.parse(body));
    const exported = await harness.client.send("GET", "/scans/export?format=ndjson");
    const ids = (await exported.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual(scans.map(({ id }) => id));
    expect(
      bodies
        .slice(0, 3)
        .map(({ data }) => data.id)
        .toSorted(),
    ).toEqual(ids);
    expect(bodies[3].events.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(bodies[3].events.map(({ data }: { data: { id: string } }) => data.id)).toEqual(ids);
  });

  it("has an id of its own in a batch, the same for every webhook", async () => {
    await harness.createWebhook({ url: "https://a.example.com/", mode: "batched_5m" });
    await harness.createWebhook({ url: "https://b.example.com/", mode: "batched_5m" });
    const events = await harness.emitAndDeliver(3);
    await harness.advance(5 * minutes);
    const idsOf = (batch: Batch | undefined) => batch?.events.map(({ id }) => id).toSorted();
    expect(idsOf(batches()[0])).toEqual(events.map(({ id }) => id).toSorted());
    expect(idsOf(batches()[1])).toEqual(idsOf(batches()[0]));
  });

  it("is not added to the outbox of a workspace that never had a webhook", async () => {
    await env.DB.prepare("UPDATE workspaces SET has_webhooks = 0 WHERE id = ?")
      .bind(harness.client.workspaceId)
      .run();
    await harness.client.createQr();
    await harness.createWebhook();
    await harness.client.createQr();
    await harness.runQueue();
    expect(harness.received).toHaveLength(1);
  });
});

describe("a sample", () => {
  it.each(EventKind.options)("of %s has the fields of a real event", (kind) => {
    const { data } = sampleEvent(harness.service.deps, harness.owner, kind);
    const { test, ...fields } = { test: false, ...data };
    expect(test).toBe(true);
    expect(eventData[kind].strict().parse(fields)).toEqual(fields);
  });
});

describe("a batch", () => {
  it("gathers events for five minutes into one signed POST", async () => {
    const webhook = await harness.createWebhook({ mode: "batched_5m" });
    const first = await harness.emitAndDeliver(2);
    await harness.advance(4 * minutes);
    const second = await harness.emitAndDeliver(1);
    await harness.advance(1 * minutes - 1);
    expect(harness.received).toEqual([]);
    await harness.advance(1);
    const [post] = harness.received;
    if (post === undefined) throw new Error("nothing was received");
    await verify(post, webhook.secret);
    expect(post.headers.get("x-service-event")).toBe("batch");
    const [batch] = batches();
    expect(batch).toEqual({
      deliveryId: post.headers.get("x-service-delivery"),
      createdAt: new Date(harness.clock.now()).toISOString(),
      events: [...first, ...second]
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
        .map(({ id, kind, at, data }) => ({ id, event: kind, createdAt: new Date(at).toISOString(), data })),
    });
    await harness.advance(30 * minutes);
    expect(harness.received).toHaveLength(1);
  });

  it("never changes once its window is over: a retry has the same bytes, later events are in the next batch", async () => {
    harness.receiver = answers(500);
    await harness.createWebhook({ mode: "batched_5m" });
    await harness.emitAndDeliver(2);
    await harness.advance(5 * minutes);
    await harness.emitAndDeliver(1);
    await harness.advance(30_000);
    expect(harness.received).toHaveLength(2);
    expect(harness.received[1]?.body).toBe(harness.received[0]?.body);
    harness.receiver = answers(200);
    await harness.advance(10 * minutes);
    expect(batches().map((batch) => batch.events.length)).toEqual([2, 2, 2, 1]);
  });

  it("holds at most 500 events or 256 KB, and an event once", async () => {
    await harness.createWebhook({ mode: "batched_5m" });
    const events = await harness.emitEvents(1100);
    await harness.ledger.receive({ events }, harness.clock.now());
    await harness.emitEvents(3, { note: "ü".repeat(60_000) });
    await harness.advance(5 * minutes);
    await harness.ledger.receive({ events }, harness.clock.now());
    await harness.advance(5 * minutes);
    const sizes = batches().map((batch) => batch.events.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1103);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    const bytes = harness.received.map((post) => new TextEncoder().encode(post.body).length);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(256 * 1024);
    expect(new Set(batches().flatMap((batch) => batch.events.map((event) => event.data.id))).size).toBe(1103);
  });

  it("is skipped as a batch while the webhook is paused, and sent at once when the mode changes", async () => {
    const webhook = await harness.createWebhook({ mode: "batched_5m" });
    await harness.emitEvents(2);
    await updateWebhook(harness.service.deps, harness.owner, webhook.id, { status: "paused" });
    expect(await harness.deliveries(webhook.id)).toMatchObject([{ event: "batch", status: "skipped" }]);
    await updateWebhook(harness.service.deps, harness.owner, webhook.id, { status: "active" });
    await harness.emitEvents(2);
    await updateWebhook(harness.service.deps, harness.owner, webhook.id, { mode: "realtime" });
    await harness.advance(0);
    expect(batches().map((batch) => batch.events.length)).toEqual([2]);
  });
});
