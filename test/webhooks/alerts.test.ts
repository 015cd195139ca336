import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { AlertAddress, NewAlertAddress } from "../../src/contract/resources/webhooks/alerts.ts";
import {
  CreatedWebhook,
  Delivery,
  WebhookList,
  WebhookSecret,
} from "../../src/contract/resources/webhooks/webhooks.ts";
import { alertCheckMilliseconds } from "../../src/domain/workspaces/alerts.ts";
import { bounds } from "../../src/protocol/bounds.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { listWorkspacesWithWebhooks } from "../../src/store/workspaces/workspaces.ts";
import { Browser } from "../support/browser.ts";
import { pageAt } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import type { SessionClient } from "../support/service.ts";
import { answers, verify, WebhookHarness } from "../support/webhooks.ts";

const path = "/developer/alerts";
const url = "https://alerts.example/qr";

let harness: WebhookHarness;
let session: SessionClient;
let secret: string;

beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
  session = await harness.service.sessionIn(harness.client.workspaceId);
  const set = await session.expect(200, NewAlertAddress, "PUT", path, { url });
  expect(set).toMatchObject({ url, status: "active", deliveries: [] });
  secret = set.secret ?? "";
});

const get = () => session.expect(200, AlertAddress, "GET", path);

/** Runs the sweep after some time, and returns what alerts it sends: their kinds and texts. */
async function alertsAfter(milliseconds = 0): Promise<string[]> {
  await harness.advance(milliseconds);
  const before = harness.received.length;
  await sweep(harness.service.deps);
  await harness.runQueue();
  return Promise.all(
    harness.received.slice(before).map(async (received) => {
      const { data, event } = (await verify(received, secret)) as unknown as {
        event: string;
        data: { kind: string; text: string; link: string };
      };
      expect([received.url, event, received.headers.get("x-service-event")]).toEqual([url, "alert", "alert"]);
      return `${data.kind} ${data.text} ${new URL(data.link).pathname}`;
    }),
  );
}

/** A code whose design the sweep finds unreadable. */
async function unreadable(name: string): Promise<string> {
  const { id } = await harness.client.createQr({ name });
  await env.DB.prepare("UPDATE qr_codes SET readable = 0, version = version + 1 WHERE id = ?").bind(id).run();
  return id;
}

const designAlert = "design Designs that phones can't read: ";

it("tells what begins to wait, at most once a kind and hour", async () => {
  const first = await unreadable("Menu");
  expect(await alertsAfter()).toEqual([
    `${designAlert}Menu. Phones can't reliably read its design. /dashboard/codes/${first}/edit`,
  ]);
  expect(await alertsAfter(alertCheckMilliseconds)).toEqual([]);
  await unreadable("Lunch");
  await unreadable("Dinner");
  await env.DB.prepare("UPDATE workspaces SET plan = 'free', live_codes = 20 WHERE id = ?")
    .bind(harness.client.workspaceId)
    .run();
  expect(await alertsAfter()).toEqual([
    "limit Limits nearly reached: Codes. 20 of 25 are used. /dashboard/settings/plan",
  ]);
  expect(await alertsAfter(bounds.alertMilliseconds - alertCheckMilliseconds - 1)).toEqual([]);
  expect(await alertsAfter(alertCheckMilliseconds)).toEqual([
    `${designAlert}Dinner. Phones can't reliably read its design. And 1 more. /dashboard/waiting`,
  ]);
  expect(await alertsAfter(bounds.alertMilliseconds)).toEqual([]);
  expect((await get()).deliveries.map(({ event, test, status }) => [event, test, status])).toEqual(
    Array(3).fill(["alert", false, "succeeded"]),
  );
});

it("tells within a quarter of an hour what only the ledger knows, and nothing of itself", async () => {
  const webhook = await harness.createWebhook();
  harness.receiver = ({ url: to }) => new Response(null, { status: to === url ? 204 : 410 });
  await harness.emitAndDeliver();
  const [alert] = await alertsAfter(alertCheckMilliseconds);
  expect(alert).toBe(
    `webhook Paused webhooks: example.com/hook. Paused. The receiver answered 410 Gone. /dashboard/developer/webhooks/${webhook.id}`,
  );
  harness.receiver = answers(410);
  await unreadable("Menu");
  await alertsAfter();
  expect(await get()).toMatchObject({ status: "paused", pausedReason: "The receiver answered 410 Gone" });
  harness.receiver = answers(204);
  await unreadable("Lunch");
  expect(await alertsAfter(bounds.alertMilliseconds)).toEqual([]);
  expect(await session.expect(200, NewAlertAddress, "PUT", path, { url })).toMatchObject({
    status: "active",
    secret: null,
  });
  expect(await alertsAfter(alertCheckMilliseconds)).toHaveLength(1);
});

it("is an address of its own, beside webhooks", async () => {
  const [receiver] = await harness.ledger.webhookSecrets(harness.clock.now());
  expect(receiver).not.toContain(secret);
  expect(await listWorkspacesWithWebhooks(env.DB, null, 1)).toEqual([{ id: harness.client.workspaceId }]);
  expect(await session.expect(200, WebhookList, "GET", "/developer/webhooks")).toEqual({ webhooks: [] });
  const setPlan = (plan: string) =>
    env.DB.prepare("UPDATE workspaces SET plan = ? WHERE id = ?")
      .bind(plan, harness.client.workspaceId)
      .run();
  await setPlan("free");
  await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", { url, events: ["qr.created"] });
  await setPlan("business");

  const tested = await session.expect(202, Delivery, "POST", `${path}/test`);
  await harness.runQueue();
  expect((await get()).deliveries).toMatchObject([
    { id: tested.id, event: "alert", test: true, status: "succeeded" },
  ]);
  const { secret: replaced } = await session.expect(200, WebhookSecret, "POST", `${path}/rotate`);
  await session.expect(202, Delivery, "POST", `${path}/test`);
  await harness.runQueue();
  for (const each of [secret, replaced]) await verify(harness.received.at(-1) ?? never(), each);

  for (const refused of ["http://example.com", "https://10.0.0.1/x", "https://example.com:99/"]) {
    await expectError(await session.send("PUT", path, { url: refused }), 400, "invalid_input");
  }
  const key = await harness.service.client(harness.client.workspaceId, ["webhooks:write", "workspace:read"]);
  expect(await expectError(await key.send("PUT", path, { url }), 403, "forbidden")).toContain("qr:read");

  const browser = new Browser(harness.service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  expect(await pageAt(browser, "/dashboard/developer/alerts")).toMatch(/Recent alerts.*Test.*Succeeded/s);
  expect(await pageAt(browser, "/dashboard/waiting")).toContain('href="/dashboard/developer/alerts"');
  await session.send("DELETE", path);
  const stored = env.DB.prepare("SELECT 1 FROM alert_addresses WHERE workspace_id = ?");
  expect(await stored.bind(harness.client.workspaceId).first()).toBeNull();
  for (const [verb, of] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/test"],
    ["POST", "/rotate"],
  ] as const) {
    await expectError(await session.send(verb, path + of), 404, "not_found");
  }
  await unreadable("Menu");
  expect(await alertsAfter(bounds.alertMilliseconds)).toEqual([]);
});

const never = (): never => {
  throw new Error("nothing was received");
};
