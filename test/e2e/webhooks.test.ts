import { expect, it, vi } from "vitest";
import type * as z from "zod";
import { BulkJob } from "../../src/contract/resources/bulk.ts";
import { EventKind } from "../../src/contract/resources/enums.ts";
import { Qr } from "../../src/contract/resources/qr.ts";
import {
  CreatedWebhook,
  Delivery,
  DeliveryList,
  DeliveryWithAttempts,
} from "../../src/contract/resources/webhooks.ts";
import { TestReceiver } from "./support/receiver.ts";
import { OwnWorkspace } from "./support/workspaces.ts";

/** A workspace with a receiver of its own, so that the tests can run at once: they mostly wait. */
class Desk implements AsyncDisposable {
  readonly receiver = new TestReceiver();
  readonly workspace: OwnWorkspace;

  private constructor(workspace: OwnWorkspace) {
    this.workspace = workspace;
  }

  /** @param person unique among the tests, for the workspace */
  static async open(person: string): Promise<Desk> {
    const desk = new Desk(await OwnWorkspace.open(person));
    await desk.receiver.start();
    return desk;
  }

  call(method: string, path: string, body?: unknown): Promise<Response> {
    return this.workspace.callDeveloper(method, `/webhooks${path}`, body);
  }

  send(method: string, path: string, body?: unknown): Promise<Response> {
    return this.workspace.service.send(method, path, body);
  }

  async webhook(path: string, events: readonly string[] = ["qr.created"]): Promise<string> {
    const input = { url: this.receiver.url(path), events };
    const { id, secret } = await read(this.call("POST", "", input), CreatedWebhook);
    this.receiver.secrets.set(path, secret);
    return id;
  }

  delivery(webhookId: string, id: string) {
    return read(this.call("GET", `/${webhookId}/deliveries/${id}`), DeliveryWithAttempts);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.receiver.stop();
  }
}

async function read<S extends z.ZodType>(answer: Promise<Response>, schema: S): Promise<z.output<S>> {
  const response = await answer;
  const json: unknown = await response.json();
  expect({ ok: response.ok, json }).toEqual({ ok: true, json: expect.anything() });
  return schema.parse(json);
}

it.concurrent("tells of everything that happens, each once, signed, with the documented data", async ({
  expect,
}) => {
  await using desk = await Desk.open("webhooks-all");
  const { receiver, workspace } = desk;
  const id = await desk.webhook("/all", EventKind.options);
  const qrInput = { qrType: "url", name: "Käse 🧀", data: { type: "url", url: "example.com" } };
  const qr = await read(desk.send("POST", "/qr", qrInput), Qr);
  const changed = await read(desk.send("PATCH", `/qr/${qr.id}`, { name: "Brot 🍞" }), Qr);
  await workspace.service.scan(qr.scanUrl);
  const job = await read(desk.send("POST", "/qr/bulk", { items: [qrInput, qrInput, qrInput] }), BulkJob);
  await read(desk.send("DELETE", `/qr/${qr.id}`), Qr.partial());
  const { workspaceId } = await workspace.setPlan({ plan: "pro" });

  const kinds = () => receiver.at("/all").map(({ body }) => body.event);
  const wanted = [
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
  await vi.waitFor(() => expect(kinds().sort()).toEqual(wanted.sort()), { timeout: 20_000, interval: 100 });

  const about = (kind: string) => receiver.at("/all").find(({ body }) => body.event === kind)?.body.data;
  expect(receiver.at("/all").map(({ body }) => body.data)).toContainEqual(qr);
  expect(about("qr.updated")).toEqual({ ...changed, changed: ["name"] });
  expect(about("qr.deleted")).toMatchObject({ id: qr.id, name: "Brot 🍞" });
  expect(about("qr.scanned")).toEqual({
    qrId: qr.id,
    hash: qr.hash,
    scannedAt: expect.any(String),
    country: expect.anything(),
    city: expect.anything(),
    device: "desktop",
    os: "Linux",
  });
  expect(BulkJob.parse(about("bulk.completed"))).toMatchObject({ jobId: job.jobId, successCount: 3 });
  expect(about("subscription.updated")).toEqual({ workspaceId, previousPlan: "business", plan: "pro" });
  const sent = receiver.at("/all").map(({ body }) => body.deliveryId);
  await expect
    .poll(async () => {
      const succeeded = desk.call("GET", `/${id}/deliveries?status=succeeded`);
      return (await read(succeeded, DeliveryList)).items.map((item) => item.id).sort();
    })
    .toEqual(sent.sort());
});

it.concurrent("tries again when the receiver was away, and replays what failed", async () => {
  await using desk = await Desk.open("webhooks-away");
  const { receiver } = desk;
  const id = await desk.webhook("/away");
  await receiver.stop();
  await desk.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "example.com" } });
  const test = await read(desk.call("POST", `/${id}/test`), Delivery);
  await vi.waitFor(async () => expect(await desk.delivery(id, test.id)).toMatchObject({ status: "failed" }), {
    timeout: 20_000,
    interval: 200,
  });
  const { items } = await read(desk.call("GET", `/${id}/deliveries?status=pending`), DeliveryList);
  expect(items).toMatchObject([{ event: "qr.created", attempts: 1 }]);

  await receiver.start();
  await read(desk.call("POST", `/${id}/deliveries/${test.id}/replay`), Delivery);
  await vi.waitFor(
    async () => expect(await desk.delivery(id, test.id)).toMatchObject({ status: "succeeded", attempts: 2 }),
    {
      timeout: 20_000,
      interval: 200,
    },
  );
  // The other one comes by itself, half a minute after its first attempt.
  const pending = items[0]?.id ?? "";
  await vi.waitFor(
    async () => expect(await desk.delivery(id, pending)).toMatchObject({ status: "succeeded", attempts: 2 }),
    {
      timeout: 60_000,
      interval: 500,
    },
  );
  expect(
    receiver
      .at("/away")
      .map(({ body }) => body.deliveryId)
      .sort(),
  ).toEqual([test.id, pending].sort());
});

it.concurrent("gives up on receivers that hang, drip and lead elsewhere, while others are served", async () => {
  await using desk = await Desk.open("webhooks-slow");
  const { receiver } = desk;
  const outcomes: Record<string, object> = {
    "/hang": { status: "failed", lastStatus: null, lastError: "No answer within 10 s" },
    "/slow": { status: "failed", lastStatus: null, lastError: "No answer within 10 s" },
    "/endless-headers": { status: "failed", lastStatus: null, lastError: "No answer within 10 s" },
    "/redirect": { status: "failed", lastStatus: 302 },
    "/endless-body": { status: "succeeded", lastStatus: 200 },
  };
  const sent = await Promise.all(
    Object.keys(outcomes).map(async (path) => {
      const id = await desk.webhook(path);
      return { path, id, test: await read(desk.call("POST", `/${id}/test`), Delivery) };
    }),
  );
  await vi.waitFor(() => expect(receiver.at("/hang")).toHaveLength(1), { timeout: 10_000, interval: 50 });
  const quick = await desk.webhook("/quick");
  await read(desk.call("POST", `/${quick}/test`), Delivery);
  await vi.waitFor(() => expect(receiver.at("/quick")).toHaveLength(1), { timeout: 10_000, interval: 20 });
  const hanging = sent.find(({ path }) => path === "/hang");
  expect(await desk.delivery(hanging?.id ?? "", hanging?.test.id ?? "")).toMatchObject({ status: "pending" });

  for (const { path, id, test } of sent) {
    await vi.waitFor(
      async () => expect(await desk.delivery(id, test.id)).toMatchObject(outcomes[path] ?? {}),
      {
        timeout: 20_000,
        interval: 200,
      },
    );
  }
  expect(receiver.at("/target")).toEqual([]);
  const body = sent.find(({ path }) => path === "/endless-body");
  const { attemptLog } = await desk.delivery(body?.id ?? "", body?.test.id ?? "");
  expect(attemptLog[0]?.responseBody).toHaveLength(4096);
});
