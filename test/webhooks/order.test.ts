import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { CreatedWebhook } from "../../src/contract/resources/webhooks/webhooks.ts";
import { forwardEvents } from "../../src/domain/events/forwarding.ts";
import { Service, type SessionClient } from "../support/service.ts";
import { WebhookHarness } from "../support/webhooks.ts";

const minutes = 60_000;

let harness: WebhookHarness;
let session: SessionClient;
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
  session = await harness.service.sessionIn(harness.client.workspaceId);
});

/** Another isolate of the service, with a clock of its own. Its scans go straight to the ledger. */
const isolate = (ahead: number) =>
  new Service({
    ...harness.service.deps,
    now: () => harness.clock.now() + ahead,
    scanQueue: { send: () => Promise.reject(new Error("refused")) } as never,
  });

const register = (input: object) =>
  session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", {
    url: "https://example.com/",
    ...input,
  });

const received = () =>
  harness.received.map(({ body }) => JSON.parse(body) as { event: string; data: object });

/** Delivers everything: what was enqueued, and what the alarm enqueues again. */
async function deliverAll(): Promise<void> {
  await harness.runQueue();
  await harness.advance(5 * minutes);
}

describe.each([-5000, 5000])("an isolate whose clock is %i ms ahead", (ahead) => {
  it("delivers an event right after the webhook's registration by another", async () => {
    const other = await isolate(ahead).client(harness.client.workspaceId);
    await register({ events: ["qr.created"] });
    const qr = await other.createQr();
    await deliverAll();
    expect(received()).toMatchObject([{ event: "qr.created", data: { id: qr.id } }]);
  });

  it("delivers a scan right after the webhook's registration by another", async () => {
    const service = isolate(ahead);
    const qr = await harness.client.createQr();
    await register({ events: ["qr.scanned"] });
    expect((await service.scan(qr.hash)).status).toBe(302);
    await deliverAll();
    expect(received()).toMatchObject([{ event: "qr.scanned", data: { qrId: qr.id } }]);
  });

  it("adds events to the outbox from the workspace's first webhook on, whatever it did before", async () => {
    await env.DB.prepare("UPDATE workspaces SET has_webhooks = 0 WHERE id = ?")
      .bind(harness.client.workspaceId)
      .run();
    const other = await isolate(ahead).client(harness.client.workspaceId);
    await other.createQr();
    await register({ events: ["qr.created", "qr.updated"] });
    const qr = await other.createQr();
    await other.send("PATCH", `/qr/${qr.id}`, { name: "Changed" });
    await deliverAll();
    expect(
      received()
        .map(({ event }) => event)
        .sort(),
    ).toEqual(["qr.created", "qr.updated"]);
  });
});

it("an event that the ledger took in before is not sent to a new webhook, whatever its time", async () => {
  await harness.createWebhook({ url: "https://first.example.com/" });
  const other = await isolate(60_000).client(harness.client.workspaceId);
  await other.createQr();
  await register({ url: "https://second.example.com/", events: ["qr.created"] });
  await deliverAll();
  expect(harness.received.map(({ url }) => url)).toEqual(["https://first.example.com/"]);
});

it("an event that waited in the outbox goes to the webhooks that were there, not to the new one", async () => {
  await harness.createWebhook({ url: "https://first.example.com/" });
  await env.DB.prepare(
    "INSERT INTO outbox (id, workspace_id, kind, data, created_at) VALUES (?, ?, 'qr.created', '{}', ?)",
  )
    .bind(crypto.randomUUID(), harness.client.workspaceId, harness.clock.now())
    .run();
  await register({ url: "https://second.example.com/", events: ["qr.created"] });
  await forwardEvents(harness.service.deps, harness.client.workspaceId);
  await deliverAll();
  expect(harness.received.map(({ url }) => url)).toEqual(["https://first.example.com/"]);
});
