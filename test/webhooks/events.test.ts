import type { EventData } from "../../src/protocol/events.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { recordScans } from "../../src/domain/scans/record.ts";
import { scanRecord } from "../support/scans.ts";
import { answers, verify, WebhookDesk } from "../support/webhooks.ts";

const minutes = 60_000;

interface Batch {
  deliveryId: string;
  createdAt: string;
  events: { event: string; createdAt: string; data: Record<string, unknown> }[];
}

let desk: WebhookDesk;
beforeEach(async () => {
  desk = await new WebhookDesk().open();
});

const batches = () => desk.received.map((post) => JSON.parse(post.body) as Batch);

describe("an event", () => {
  it("goes to the webhooks that asked for its kind, each on its own", async () => {
    await desk.webhook({ url: "https://a.example.com/", events: ["qr.created", "qr.deleted"] });
    await desk.webhook({ url: "https://b.example.com/", events: ["qr.created"] });
    await desk.webhook({ url: "https://c.example.com/", events: ["qr.deleted"] });
    await desk.happenAndRun();
    expect(desk.received.map((post) => new URL(post.url).host).sort()).toEqual([
      "a.example.com",
      "b.example.com",
    ]);
  });

  it("of another code does not reach a webhook that is limited to one", async () => {
    const qr = await desk.client.createQr();
    await desk.webhook({ scopeQrId: qr.id, events: ["qr.updated", "qr.created", "bulk.completed"] });
    await desk.happenAndRun(3);
    expect(desk.received).toEqual([]);
    await desk.client.send("PATCH", `/qr/${qr.id}`, { name: "Mine" });
    await desk.run();
    expect(desk.received.map((post) => JSON.parse(post.body))).toMatchObject([
      { event: "qr.updated", data: { id: qr.id, name: "Mine", changed: ["name"] } },
    ]);
  });

  it("that happened before the webhook was there is not for it", async () => {
    const at = desk.clock.now() - 1;
    await desk.webhook();
    const data = {} as EventData["qr.created"];
    await desk.ledger.emit([{ id: crypto.randomUUID(), kind: "qr.created", at, data }], desk.clock.now());
    await desk.advance(10 * minutes);
    expect(desk.received).toEqual([]);
  });

  it("is told of each scan, once, with what is documented, and not of machines", async () => {
    const webhook = await desk.webhook({ events: ["qr.scanned"] });
    const { workspaceId } = desk.client;
    const at = desk.clock.now();
    const scan = scanRecord({ workspaceId, at });
    const bot = scanRecord({ workspaceId, at, userAgent: "Googlebot/2.1" });
    await recordScans(desk.service.deps, [scan, bot]);
    await recordScans(desk.service.deps, [scan]);
    await desk.run();
    expect(desk.received).toHaveLength(1);
    expect(JSON.parse(desk.received[0]?.body ?? "")).toMatchObject({
      event: "qr.scanned",
      data: {
        qrId: scan.qrId,
        hash: scan.hash,
        scannedAt: new Date(at).toISOString(),
        country: "DE",
        city: "Köln",
        device: "mobile",
        os: "iOS",
      },
    });
    expect(await desk.deliveries(webhook.id)).toHaveLength(1);
  });

  it("is not written down where nobody ever listened", async () => {
    await env.DB.prepare("UPDATE workspaces SET has_webhooks = 0 WHERE id = ?")
      .bind(desk.client.workspaceId)
      .run();
    await desk.client.createQr();
    await desk.webhook();
    await desk.client.createQr();
    await desk.run();
    expect(desk.received).toHaveLength(1);
  });
});

describe("a batch", () => {
  it("gathers events for five minutes into one signed POST", async () => {
    const webhook = await desk.webhook({ mode: "batched_5m" });
    const first = await desk.happenAndRun(2);
    await desk.advance(4 * minutes);
    const second = await desk.happenAndRun(1);
    await desk.advance(1 * minutes - 1);
    expect(desk.received).toEqual([]);
    await desk.advance(1);
    const [post] = desk.received;
    if (post === undefined) throw new Error("nothing was received");
    await verify(post, webhook.secret);
    expect(post.headers.get("x-service-event")).toBe("batch");
    const [batch] = batches();
    expect(batch).toEqual({
      deliveryId: post.headers.get("x-service-delivery"),
      createdAt: new Date(desk.clock.now()).toISOString(),
      events: [...first, ...second]
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
        .map(({ kind, at, data }) => ({ event: kind, createdAt: new Date(at).toISOString(), data })),
    });
    await desk.advance(30 * minutes);
    expect(desk.received).toHaveLength(1);
  });

  it("is frozen when its window closes: a retry has the same bytes, later events wait for the next", async () => {
    desk.receiver = answers(500);
    await desk.webhook({ mode: "batched_5m" });
    await desk.happenAndRun(2);
    await desk.advance(5 * minutes);
    await desk.happenAndRun(1);
    await desk.advance(30_000);
    expect(desk.received).toHaveLength(2);
    expect(desk.received[1]?.body).toBe(desk.received[0]?.body);
    desk.receiver = answers(200);
    await desk.advance(10 * minutes);
    expect(batches().map((batch) => batch.events.length)).toEqual([2, 2, 2, 1]);
  });

  it("holds at most 500 events or 256 KB, and an event once", async () => {
    await desk.webhook({ mode: "batched_5m" });
    const events = await desk.happen(1100);
    await desk.ledger.emit(events, desk.clock.now());
    await desk.happen(3, { note: "ü".repeat(60_000) });
    await desk.advance(5 * minutes);
    await desk.ledger.emit(events, desk.clock.now());
    await desk.advance(5 * minutes);
    const sizes = batches().map((batch) => batch.events.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1103);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    const bytes = desk.received.map((post) => new TextEncoder().encode(post.body).length);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(256 * 1024);
    expect(new Set(batches().flatMap((batch) => batch.events.map((event) => event.data.id))).size).toBe(1103);
  });

  it("is skipped, in its form, while the webhook is paused, and sent at once when the mode changes", async () => {
    const webhook = await desk.webhook({ mode: "batched_5m" });
    await desk.happen(2);
    await updateWebhook(desk.service.deps, desk.owner, webhook.id, { status: "paused" });
    expect(await desk.deliveries(webhook.id)).toMatchObject([{ event: "batch", status: "skipped" }]);
    await updateWebhook(desk.service.deps, desk.owner, webhook.id, { status: "active" });
    await desk.happen(2);
    await updateWebhook(desk.service.deps, desk.owner, webhook.id, { mode: "realtime" });
    await desk.advance(0);
    expect(batches().map((batch) => batch.events.length)).toEqual([2]);
  });
});
