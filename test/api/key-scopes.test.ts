import { beforeEach, describe, expect, it } from "vitest";
import { Folder } from "../../src/contract/resources/codes/folders.ts";
import type { Scope } from "../../src/contract/resources/enums.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Reverted } from "../../src/contract/resources/history/revert.ts";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import {
  CreatedWebhook,
  DeliveryList,
  DeliveryWithAttempts,
  Webhook,
} from "../../src/contract/resources/webhooks/webhooks.ts";
import { expectError } from "../support/endpoints.ts";
import { formToken, makePage, sendForm } from "../support/hosted-pages.ts";
import { Client, type SessionClient } from "../support/service.ts";
import { answers, WebhookHarness } from "../support/webhooks.ts";

const hooks = "/developer/webhooks";
const form = { form: { fields: [{ type: "email", name: "email", label: "Email", required: true }] } };

let harness: WebhookHarness;
let session: SessionClient;
let workspaceId: string;

beforeEach(async () => {
  harness = await new WebhookHarness({
    submissionLimit: { limit: async () => ({ success: true }) },
  }).createWorkspace();
  ({ workspaceId } = harness.client);
  session = await harness.service.sessionIn(workspaceId);
});

const keyWith = (...scopes: Scope[]) => harness.service.client(workspaceId, scopes);

const webhook = (client: Client | SessionClient, host: string, events: string[], mode = "realtime") =>
  client.expect(201, CreatedWebhook, "POST", hooks, { url: `https://${host}.example.com/`, events, mode });

/** Submits the form of a new page, once. */
async function submit(email: string): Promise<void> {
  const page = await makePage({ client: harness.client, session }, form);
  await sendForm(harness.service, page, { _form: await formToken(harness.service, page), email });
}

describe("a leaked key with webhooks:write", () => {
  it("can't subscribe to events whose data its scopes don't read", async () => {
    const leaked = await keyWith("webhooks:write");
    const subscribe = (client: Client, event: string) =>
      client.send("POST", hooks, { url: "https://thief.example.com/", events: [event] });
    for (const [event, scope] of [
      ["page.submitted", "submissions:read"],
      ["qr.scanned", "scans:read"],
      ["qr.created", "qr:read"],
      ["subscription.updated", "qr:read"],
    ] as const) {
      expect(await expectError(await subscribe(leaked, event), 403, "forbidden")).toContain(scope);
      expect((await subscribe(await keyWith("webhooks:write", scope), event)).status).toBe(201);
    }
  });

  it("can't turn a webhook to itself, now or later, that gets submissions", async () => {
    const leaked = await keyWith("webhooks:write", "qr:read");
    const own = await webhook(leaked, "thief", ["qr.created"]);
    const add = { events: ["qr.created", "page.submitted"] };
    await expectError(await leaked.send("PATCH", `${hooks}/${own.id}`, add), 403, "forbidden");
    const theirs = await webhook(session, "crm", ["page.submitted", "qr.created"]);
    const path = `${hooks}/${theirs.id}`;
    for (const [method, at, body] of [
      ["PATCH", path, { url: "https://thief.example.com/" }],
      ["PATCH", path, { events: ["qr.created"] }],
      ["POST", `${path}/rotate`, undefined],
      ["DELETE", path, undefined],
    ] as const) {
      await expectError(await leaked.send(method, at, body), 403, "forbidden");
    }
    await submit("ada@example.com");
    await harness.runQueue();
    expect(harness.received.map(({ url }) => url)).toEqual(["https://crm.example.com/"]);
  });

  it.each(["realtime", "batched_5m"])("can't turn one to itself whose submissions wait, %s", async (mode) => {
    harness.receiver = answers(500);
    const leaked = await keyWith("webhooks:write", "qr:read");
    const { id } = await webhook(session, "crm", ["page.submitted", "qr.created"], mode);
    await submit("ada@example.com");
    await harness.runQueue();
    await session.expect(200, Webhook, "PATCH", `${hooks}/${id}`, { events: ["qr.created"] });
    const redirect = () => leaked.send("PATCH", `${hooks}/${id}`, { url: "https://thief.example.com/" });
    expect(await expectError(await redirect(), 403, "forbidden")).toContain("page.submitted");
    harness.receiver = answers(200);
    await harness.advance(10 * 60_000);
    expect((await redirect()).status).toBe(200);
    expect(harness.received.filter(({ url }) => url.includes("thief"))).toEqual([]);
  });

  it.each(["realtime", "batched_5m"])("can't read deliveries of submissions, %s", async (mode) => {
    const { id } = await webhook(session, "crm", ["page.submitted", "qr.created"], mode);
    await submit("ada@example.com");
    await harness.advance(6 * 60_000);
    const path = `${hooks}/${id}/deliveries`;
    const { items } = await session.expect(200, DeliveryList, "GET", path);
    const delivery = items.find(({ event }) => event === "page.submitted" || event === "batch");
    const leaked = await keyWith("webhooks:write", "qr:read", "scans:read", "pages:write");
    const seen = await leaked.expect(200, DeliveryList, "GET", path);
    expect(seen.items.map(({ event }) => event)).not.toContain("page.submitted");
    await expectError(await leaked.send("GET", `${path}/${delivery?.id}`), 403, "forbidden");
    const whole = await keyWith("webhooks:read", "qr:read", "submissions:read");
    const read = await whole.expect(200, DeliveryWithAttempts, "GET", `${path}/${delivery?.id}`);
    expect(JSON.stringify(read.payload)).toContain("ada@example.com");
    expect(await whole.expect(200, DeliveryList, "GET", path)).toEqual({ items, nextCursor: null });
  });
});

describe("a webhook", () => {
  it("remembers the key that created or redirected it, and is paused with it if one chooses", async () => {
    const create = { name: "Connector", type: "secret", scopes: ["webhooks:write", "qr:read"] };
    const made = await session.expect(201, NewApiKey, "POST", "/developer/keys", create);
    const connector = new Client(harness.service, workspaceId, made.id, made.key);
    const created = await webhook(connector, "a", ["qr.created"]);
    const redirected = await webhook(session, "b", ["qr.created"]);
    const returned = await webhook(connector, "c", ["qr.created"]);
    const change = (client: Client | SessionClient, id: string, body: object) =>
      client.expect(200, Webhook, "PATCH", `${hooks}/${id}`, body);
    expect(created.keyId).toBe(made.id);
    expect((await change(connector, redirected.id, { mode: "batched_5m" })).keyId).toBeNull();
    const url = "https://d.example.com/";
    expect((await change(connector, redirected.id, { url })).keyId).toBe(made.id);
    expect((await change(session, returned.id, { url: "https://e.example.com/" })).keyId).toBeNull();

    // The key that it was rotated to answers for it.
    const rotate = { overlapHours: 1 };
    const next = await session.expect(201, NewApiKey, "POST", `/developer/keys/${made.id}/rotate`, rotate);
    await session.send("DELETE", `/developer/keys/${next.id}?pauseWebhooks=true`);
    const status = async (id: string) => (await session.expect(200, Webhook, "GET", `${hooks}/${id}`)).status;
    expect(await status(created.id)).toBe("paused");
    expect(await status(redirected.id)).toBe("paused");
    expect(await status(returned.id)).toBe("active");
  });

  it("keeps going if its key is revoked without pausing it", async () => {
    const connector = await keyWith("webhooks:write", "qr:read");
    const { id } = await webhook(connector, "a", ["qr.created"]);
    await session.send("DELETE", `/developer/keys/${connector.keyId}`);
    expect((await session.expect(200, Webhook, "GET", `${hooks}/${id}`)).status).toBe("active");
  });
});

describe("a key with history:read", () => {
  it("sees the changes of codes and what is around them, and who made them but for their address", async () => {
    const reader = await keyWith("history:read", "qr:write");
    await reader.createQr({ name: "Menu" });
    await session.send("POST", "/developer/templates", { name: "Round", shape: "circle" });
    await webhook(session, "a", ["qr.created"]);
    await session.send("POST", "/developer/keys", { name: "Till", type: "secret" });
    await session.send("PATCH", "/developer/workspace", { name: "Harbour" });
    const { items } = await reader.expect(200, HistoryList, "GET", "/developer/history");
    expect(items.map(({ action }) => action)).toEqual(["template.created", "code.created"]);
    expect(items.at(-1)?.actor).toEqual({ kind: "key", id: reader.keyId, name: "test" });
    expect(JSON.stringify(items)).not.toContain("@");
    for (const kind of ["webhook", "key", "member", "workspace", "shared_report"]) {
      await expectError(await reader.send("GET", `/developer/history?kind=${kind}`), 403, "forbidden");
    }
    const lines = await (await reader.send("GET", "/developer/history/export")).text();
    expect(lines.trim().split("\n")).toHaveLength(2);
  });

  it("undoes only what its other scopes let it change", async () => {
    const reader = await keyWith("history:read");
    const writer = await keyWith("history:read", "qr:write");
    const folder = await writer.expect(201, Folder, "POST", "/folders", { name: "Menus" });
    await session.send("POST", "/developer/templates", { name: "Round", shape: "circle" });
    const { items } = await writer.expect(200, HistoryList, "GET", "/developer/history");
    const [template, created] = items;
    const undo = (client: Client, id: string | undefined) =>
      client.send("POST", `/developer/history/${id}/revert`);
    expect(await expectError(await undo(reader, created?.id), 403, "forbidden")).toContain("qr:write");
    expect(await expectError(await undo(writer, template?.id), 403, "forbidden")).toContain(
      "templates:write",
    );
    const undone = await writer.expect(200, Reverted, "POST", `/developer/history/${created?.id}/revert`);
    expect(undone.entry).toMatchObject({ action: "folder.deleted", object: { id: folder.id } });
    expect(undone.entry?.actor).toMatchObject({ kind: "key", id: writer.keyId });
  });
});

it("counts a key's requests under /developer with its others", async () => {
  const { service } = harness;
  const own = await service.workspace("business", 3);
  const reader = await service.client(own.workspaceId, ["workspace:read", "qr:read"]);
  await reader.send("GET", "/qr");
  const { usage } = await reader.expect(200, Workspace, "GET", "/developer/workspace");
  expect(usage.requestsThisMinute).toBe(2);
  const last = await reader.send("GET", "/developer/nowhere");
  expect([last.status, last.headers.get("x-ratelimit-remaining")]).toEqual([404, "0"]);
  expect((await reader.send("GET", "/developer/workspace")).status).toBe(429);
});
