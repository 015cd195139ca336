import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type * as z from "zod";
import { BulkJob } from "../../src/contract/resources/bulk.ts";
import { EventKind } from "../../src/contract/resources/enums.ts";
import { PlanChange } from "../../src/contract/endpoints/operator.ts";
import { Qr } from "../../src/contract/resources/qr.ts";
import {
  CreatedWebhook,
  Delivery,
  DeliveryList,
  DeliveryWithAttempts,
} from "../../src/contract/resources/webhooks.ts";
import type { Browser } from "./support/browser.ts";
import { DevServer } from "./support/dev-server.ts";
import { TestReceiver } from "./support/receiver.ts";
import { callDeveloper, signIn } from "./support/sign-in.ts";

const receiver = new TestReceiver();
let data = "";
let server: DevServer;
let demo: Browser;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "qr-webhooks-"));
  server = await DevServer.start(["--persist-to", data]);
  demo = await signIn(server, "demo");
  await receiver.start();
});
afterAll(async () => {
  await receiver.stop();
  await server?.interrupt();
  await rm(data, { recursive: true });
});

async function read<S extends z.ZodType>(answer: Promise<Response>, schema: S): Promise<z.output<S>> {
  const response = await answer;
  const json: unknown = await response.json();
  expect({ ok: response.ok, json }).toEqual({ ok: true, json: expect.anything() });
  return schema.parse(json);
}

const call = (method: string, path: string, body?: unknown) =>
  callDeveloper(server, demo, method, `/webhooks${path}`, body);

async function webhook(path: string, events: readonly string[] = ["qr.created"]): Promise<string> {
  const input = { url: receiver.url(path), events };
  const { id, secret } = await read(call("POST", "", input), CreatedWebhook);
  receiver.secrets.set(path, secret);
  return id;
}

const delivery = (webhookId: string, id: string) =>
  read(call("GET", `/${webhookId}/deliveries/${id}`), DeliveryWithAttempts);

/** Sets the demo workspace's plan, as whoever bills does. */
async function changePlan(change: object): Promise<PlanChange> {
  const { OPERATOR_SECRET } = parseEnv(await readFile(".dev.vars", "utf8"));
  const path = "/api/v1/operator/workspaces/01900000-0000-7000-8000-000000000001/plan";
  const answer = fetch(server.origin + path, {
    method: "PUT",
    headers: { authorization: `Bearer ${OPERATOR_SECRET}`, "content-type": "application/json" },
    body: JSON.stringify(change),
  });
  return read(answer, PlanChange);
}

it("tells of everything that happens, each once, signed, with the documented data", async () => {
  const id = await webhook("/all", EventKind.options);
  const qrInput = { qrType: "url", name: "Käse 🧀", data: { type: "url", url: "example.com" } };
  const qr = await read(server.send("POST", "/qr", qrInput), Qr);
  const changed = await read(server.send("PATCH", `/qr/${qr.id}`, { name: "Brot 🍞" }), Qr);
  await server.scan(qr.scanUrl);
  const job = await read(server.send("POST", "/qr/bulk", { items: [qrInput, qrInput, qrInput] }), BulkJob);
  await read(server.send("DELETE", `/qr/${qr.id}`), Qr.partial());
  const { workspaceId } = await changePlan({ plan: "pro" });

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
  const { items } = await read(call("GET", `/${id}/deliveries?status=succeeded`), DeliveryList);
  expect(items.map((item) => item.id).sort()).toEqual(
    receiver
      .at("/all")
      .map(({ body }) => body.deliveryId)
      .sort(),
  );
  await call("DELETE", `/${id}`);
  // What follows asks more often than a person would.
  await changePlan({ plan: "business", requestsPerMinute: 100_000 });
});

it("tries again when the receiver was away, and replays what failed", async () => {
  const id = await webhook("/away");
  await receiver.stop();
  await server.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "example.com" } });
  const test = await read(call("POST", `/${id}/test`), Delivery);
  await vi.waitFor(async () => expect(await delivery(id, test.id)).toMatchObject({ status: "failed" }), {
    timeout: 20_000,
    interval: 200,
  });
  const { items } = await read(call("GET", `/${id}/deliveries?status=pending`), DeliveryList);
  expect(items).toMatchObject([{ event: "qr.created", attempts: 1 }]);

  await receiver.start();
  await read(call("POST", `/${id}/deliveries/${test.id}/replay`), Delivery);
  await vi.waitFor(
    async () => expect(await delivery(id, test.id)).toMatchObject({ status: "succeeded", attempts: 2 }),
    {
      timeout: 20_000,
      interval: 200,
    },
  );
  // The other one comes by itself, half a minute after its first attempt.
  const pending = items[0]?.id ?? "";
  await vi.waitFor(
    async () => expect(await delivery(id, pending)).toMatchObject({ status: "succeeded", attempts: 2 }),
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

it("gives up on receivers that hang, drip and lead elsewhere, while others are served", async () => {
  const outcomes: Record<string, object> = {
    "/hang": { status: "failed", lastStatus: null, lastError: "No answer within 10 s" },
    "/slow": { status: "failed", lastStatus: null, lastError: "No answer within 10 s" },
    "/endless-headers": { status: "failed", lastStatus: null, lastError: "No answer within 10 s" },
    "/redirect": { status: "failed", lastStatus: 302 },
    "/endless-body": { status: "succeeded", lastStatus: 200 },
  };
  const sent = await Promise.all(
    Object.keys(outcomes).map(async (path) => {
      const id = await webhook(path);
      return { path, id, test: await read(call("POST", `/${id}/test`), Delivery) };
    }),
  );
  await vi.waitFor(() => expect(receiver.at("/hang")).toHaveLength(1), { timeout: 10_000, interval: 50 });
  const quick = await webhook("/quick");
  await read(call("POST", `/${quick}/test`), Delivery);
  await vi.waitFor(() => expect(receiver.at("/quick")).toHaveLength(1), { timeout: 10_000, interval: 20 });
  const hanging = sent.find(({ path }) => path === "/hang");
  expect(await delivery(hanging?.id ?? "", hanging?.test.id ?? "")).toMatchObject({ status: "pending" });

  for (const { path, id, test } of sent) {
    await vi.waitFor(async () => expect(await delivery(id, test.id)).toMatchObject(outcomes[path] ?? {}), {
      timeout: 20_000,
      interval: 200,
    });
  }
  expect(receiver.at("/target")).toEqual([]);
  const body = sent.find(({ path }) => path === "/endless-body");
  const { attemptLog } = await delivery(body?.id ?? "", body?.test.id ?? "");
  expect(attemptLog[0]?.responseBody).toHaveLength(4096);
});
