import { expect, it, vi } from "vitest";
import type * as z from "zod";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { EventKind } from "../../../src/contract/resources/enums.ts";
import {
  CreatedWebhook,
  Delivery,
  DeliveryList,
  DeliveryWithAttempts,
} from "../../../src/contract/resources/webhooks/webhooks.ts";
import { TestReceiver } from "../support/receiver.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

/** A workspace and a webhook receiver for one test, so that the tests, which mostly wait, can run concurrently. */
class WebhookFixture implements AsyncDisposable {
  readonly receiver = new TestReceiver();
  readonly workspace: OwnWorkspace;

  private constructor(workspace: OwnWorkspace) {
    this.workspace = workspace;
  }

  /** @param userName of the workspace's owner, unique among the tests */
  static async create(userName: string): Promise<WebhookFixture> {
    const fixture = new WebhookFixture(await OwnWorkspace.create(userName));
    await fixture.receiver.start();
    return fixture;
  }

  callWebhooks(method: string, path: string, body?: unknown): Promise<Response> {
    return this.workspace.callDeveloper(method, `/webhooks${path}`, body);
  }

  send(method: string, path: string, body?: unknown): Promise<Response> {
    return this.workspace.service.send(method, path, body);
  }

  async createWebhook(path: string, events: readonly string[] = ["qr.created"]): Promise<string> {
    const input = { url: this.receiver.url(path), events };
    const { id, secret } = await readOk(this.callWebhooks("POST", "", input), CreatedWebhook);
    this.receiver.secrets.set(path, secret);
    return id;
  }

  getDelivery(webhookId: string, id: string) {
    return readOk(this.callWebhooks("GET", `/${webhookId}/deliveries/${id}`), DeliveryWithAttempts);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.receiver.stop();
  }
}

async function readOk<S extends z.ZodType>(pending: Promise<Response>, schema: S): Promise<z.output<S>> {
  const response = await pending;
  const json: unknown = await response.json();
  expect({ ok: response.ok, json }).toEqual({ ok: true, json: expect.anything() });
  return schema.parse(json);
}

it.concurrent("delivers every kind of event once, signed and with the documented data", async ({
  expect,
}) => {
  await using fixture = await WebhookFixture.create("webhooks-all");
  const { receiver, workspace } = fixture;
  const id = await fixture.createWebhook("/all", EventKind.options);
  const qrInput = { qrType: "url", name: "Käse 🧀", data: { type: "url", url: "example.com" } };
  const qr = await readOk(fixture.send("POST", "/qr", qrInput), Qr);
  const updated = await readOk(fixture.send("PATCH", `/qr/${qr.id}`, { name: "Brot 🍞" }), Qr);
  await workspace.service.scan(qr.scanUrl);
  const job = await readOk(fixture.send("POST", "/qr/bulk", { items: [qrInput, qrInput, qrInput] }), BulkJob);
  await readOk(fixture.send("DELETE", `/qr/${qr.id}`), Qr.partial());
  const { workspaceId } = await workspace.setPlan({ plan: "pro" });

  const receivedKinds = () => receiver.at("/all").map(({ body }) => body.event);
  const expectedKinds = [
    "qr.created",
    "qr.created",
    "qr.created",
    "qr.created",
    "qr.updated",
    "qr.deleted",
    "qr.scanned",
    "bulk.completed",
    "subscription.updated",
  ];
  await vi.waitFor(() => expect(receivedKinds().sort()).toEqual(expectedKinds.sort()), {
    timeout: 20_000,
    interval: 100,
  });

  const dataOf = (kind: string) => receiver.at("/all").find(({ body }) => body.event === kind)?.body.data;
  expect(receiver.at("/all").map(({ body }) => body.data)).toContainEqual(qr);
  expect(dataOf("qr.updated")).toEqual({ ...updated, changed: ["name"] });
  expect(dataOf("qr.deleted")).toMatchObject({ id: qr.id, name: "Brot 🍞" });
  expect(dataOf("qr.scanned")).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    qrId: qr.id,
    hash: qr.hash,
    scannedAt: expect.any(String),
    country: null,
    city: null,
    device: "desktop",
    os: "Linux",
  });
  expect(BulkJob.parse(dataOf("bulk.completed"))).toMatchObject({ jobId: job.jobId, successCount: 3 });
  expect(dataOf("subscription.updated")).toEqual({ workspaceId, previousPlan: "business", plan: "pro" });
  const receivedIds = receiver.at("/all").map(({ body }) => body.deliveryId);
  await expect
    .poll(async () => {
      const succeeded = fixture.callWebhooks("GET", `/${id}/deliveries?status=succeeded`);
      return (await readOk(succeeded, DeliveryList)).items.map((item) => item.id).sort();
    })
    .toEqual(receivedIds.sort());
});

it.concurrent("retries when the receiver was unavailable, and replays a failed delivery", async () => {
  await using fixture = await WebhookFixture.create("webhooks-unavailable");
  const { receiver } = fixture;
  const id = await fixture.createWebhook("/unavailable");
  await receiver.stop();
  await fixture.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "example.com" } });
  const test = await readOk(fixture.callWebhooks("POST", `/${id}/test`), Delivery);
  await vi.waitFor(
    async () => expect(await fixture.getDelivery(id, test.id)).toMatchObject({ status: "failed" }),
    {
      timeout: 20_000,
      interval: 200,
    },
  );
  const { items } = await readOk(
    fixture.callWebhooks("GET", `/${id}/deliveries?status=pending`),
    DeliveryList,
  );
  expect(items).toMatchObject([{ event: "qr.created", attempts: 1 }]);

  await receiver.start();
  await readOk(fixture.callWebhooks("POST", `/${id}/deliveries/${test.id}/replay`), Delivery);
  await vi.waitFor(
    async () =>
      expect(await fixture.getDelivery(id, test.id)).toMatchObject({ status: "succeeded", attempts: 2 }),
    {
      timeout: 20_000,
      interval: 200,
    },
  );
  // The pending delivery is retried by itself, 30 s after its first attempt.
  const pending = items[0]?.id ?? "";
  await vi.waitFor(
    async () =>
      expect(await fixture.getDelivery(id, pending)).toMatchObject({ status: "succeeded", attempts: 2 }),
    {
      timeout: 60_000,
      interval: 500,
    },
  );
  expect(
    receiver
      .at("/unavailable")
      .map(({ body }) => body.deliveryId)
      .sort(),
  ).toEqual([test.id, pending].sort());
});

it.concurrent("fails deliveries to receivers that hang, are too slow or redirect, whatever their bodies, without delaying others", async () => {
  await using fixture = await WebhookFixture.create("webhooks-slow");
  const { receiver } = fixture;
  const outcomes: Record<string, object> = {
    "/hang": { status: "failed", lastStatus: null, lastError: "No response within 10 s" },
    "/slow": { status: "failed", lastStatus: null, lastError: "No response within 10 s" },
    "/endless-headers": { status: "failed", lastStatus: null, lastError: "No response within 10 s" },
    "/redirect": { status: "failed", lastStatus: 302 },
    "/gzip-empty": { status: "succeeded", lastStatus: 200 },
    "/gzip-broken": { status: "succeeded", lastStatus: 202 },
    "/br-broken": { status: "succeeded", lastStatus: 201 },
    "/cut-off": { status: "succeeded", lastStatus: 200 },
    "/bad-chunks": { status: "succeeded", lastStatus: 200 },
    "/late-body": { status: "succeeded", lastStatus: 200 },
    "/gzip-refused": { status: "failed", lastStatus: 500, lastError: "HTTP 500" },
    "/endless-body": { status: "succeeded", lastStatus: 200 },
  };
  const sent = await Promise.all(
    Object.keys(outcomes).map(async (path) => {
      const id = await fixture.createWebhook(path);
      return { path, id, test: await readOk(fixture.callWebhooks("POST", `/${id}/test`), Delivery) };
    }),
  );
  await vi.waitFor(() => expect(receiver.at("/hang")).toHaveLength(1), { timeout: 10_000, interval: 50 });
  const quickId = await fixture.createWebhook("/quick");
  await readOk(fixture.callWebhooks("POST", `/${quickId}/test`), Delivery);
  await vi.waitFor(() => expect(receiver.at("/quick")).toHaveLength(1), { timeout: 10_000, interval: 20 });
  const hanging = sent.find(({ path }) => path === "/hang");
  expect(await fixture.getDelivery(hanging?.id ?? "", hanging?.test.id ?? "")).toMatchObject({
    status: "pending",
  });

  for (const { path, id, test } of sent) {
    await vi.waitFor(
      async () => expect(await fixture.getDelivery(id, test.id)).toMatchObject(outcomes[path] ?? {}),
      {
        timeout: 20_000,
        interval: 200,
      },
    );
  }
  expect(receiver.at("/target")).toEqual([]);
  const endlessBody = sent.find(({ path }) => path === "/endless-body");
  const { attemptLog } = await fixture.getDelivery(endlessBody?.id ?? "", endlessBody?.test.id ?? "");
  expect(attemptLog[0]?.responseBody).toHaveLength(4096);
});
