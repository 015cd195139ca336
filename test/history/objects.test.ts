import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Folder } from "../../src/contract/resources/codes/folders.ts";
import { type HistoryEntry, HistoryList } from "../../src/contract/resources/history/history.ts";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { CreatedWebhook } from "../../src/contract/resources/webhooks/webhooks.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });

let session: SessionClient;
let client: Client;

beforeEach(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
});

/** The workspace's history without what its setup has left, oldest first. */
async function history(query = ""): Promise<HistoryEntry[]> {
  const { items } = await session.expect(200, HistoryList, "GET", `/developer/history?limit=200${query}`);
  return items.toReversed().filter(({ object }) => object.id !== client.keyId);
}

/** Actions with the changes they made. */
const told = async (query = "") =>
  (await history(query)).map(({ action, object, changes }) => [action, object.name, changes]);

const person = () => ({ kind: "person", id: session.userId, name: "Someone" });
const key = () => ({ kind: "key", id: client.keyId, name: "test" });
const given = (value: unknown) => ({ before: null, after: value });

describe("the workspace's history has", () => {
  it("folders", async () => {
    const { id } = await client.expect(201, Folder, "POST", "/folders", { name: "Old" });
    await client.expect(200, Folder, "PATCH", `/folders/${id}`, { name: "Old" });
    await client.expect(200, Folder, "PATCH", `/folders/${id}`, { name: "New" });
    await client.send("DELETE", `/folders/${id}`);
    await client.send("DELETE", `/folders/${id}`);
    await client.expect(200, Folder, "POST", `/folders/${id}/restore`);
    expect(await told()).toEqual([
      ["folder.created", "Old", { name: given("Old") }],
      ["folder.updated", "New", { name: { before: "Old", after: "New" } }],
      ["folder.deleted", "New", {}],
      ["folder.restored", "New", {}],
    ]);
    for (const { actor, via } of await history())
      expect({ actor, via }).toEqual({ actor: key(), via: "api" });
  });

  it("templates", async () => {
    const input = { name: "Plain", shape: "circle" };
    const { id } = await session.expect(201, Template, "POST", "/developer/templates", input);
    const path = `/developer/templates/${id}`;
    await session.expect(200, Template, "PATCH", path, { name: "Plain" });
    await session.expect(200, Template, "PATCH", path, { name: "Round", shape: null });
    await session.send("DELETE", path);
    await session.expect(200, Template, "POST", `${path}/restore`);
    expect(await told()).toEqual([
      ["template.created", "Plain", { name: given("Plain"), shape: given("circle") }],
      [
        "template.updated",
        "Round",
        { name: { before: "Plain", after: "Round" }, shape: { before: "circle", after: null } },
      ],
      ["template.deleted", "Round", {}],
      ["template.restored", "Round", {}],
    ]);
    for (const { actor } of await history()) expect(actor).toEqual(person());
  });

  it("pages, and who suspended one", async () => {
    const { id } = await session.expect(201, Page, "POST", "/developer/pages", { title: "Fair" });
    const path = `/developer/pages/${id}`;
    await session.expect(200, Page, "PATCH", path, { title: "Fun fair", intro: "Saturday" });
    await service.operator.send("PUT", `/operator/pages/${id}/suspension`, {
      reason: "Spam",
      legalOrder: false,
    });
    await service.operator.send("DELETE", `/operator/pages/${id}/suspension`);
    await session.send("DELETE", path);
    await session.expect(200, Page, "POST", `${path}/restore`);
    const entries = await history();
    expect(entries.map(({ action }) => action)).toEqual([
      "page.created",
      "page.updated",
      "page.suspended",
      "page.unsuspended",
      "page.deleted",
      "page.restored",
    ]);
    expect(entries[0]?.changes).toMatchObject({ title: given("Fair"), language: given("en") });
    expect(entries[1]?.changes).toEqual({
      title: { before: "Fair", after: "Fun fair" },
      intro: { before: null, after: "Saturday" },
    });
    expect(entries[2]?.actor).toEqual({ kind: "operator", id: null, name: "Operator" });
  });

  it("webhooks, without their secrets and the rest of their addresses", async () => {
    const input = { url: "https://hooks.example/T0/secret-path", events: ["qr.created"] };
    const { id } = await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", input);
    const path = `/developer/webhooks/${id}`;
    await session.send("PATCH", path, { status: "paused" });
    await session.send("PATCH", path, { status: "paused" });
    await session.send("PATCH", path, { url: "https://hooks.example/T0/other-path" });
    await session.send("POST", `${path}/rotate`);
    await session.send("DELETE", path);
    const name = "https://hooks.example";
    expect(await told()).toEqual([
      ["webhook.created", name, { url: given(name), events: given(["qr.created"]), mode: given("realtime") }],
      [
        "webhook.updated",
        name,
        {
          status: { before: "active", after: "paused" },
          pausedReason: { before: null, after: "Paused manually" },
        },
      ],
      ["webhook.updated", name, { url: { before: name, after: name } }],
      ["webhook.rotated", name, {}],
      ["webhook.deleted", name, {}],
    ]);
  });

  it("keys, by whom they were created, replaced and revoked", async () => {
    const created = await session.expect(201, NewApiKey, "POST", "/developer/keys", {
      name: "Server",
      type: "secret",
      scopes: ["qr:read"],
    });
    const replacement = await session.expect(
      201,
      NewApiKey,
      "POST",
      `/developer/keys/${created.id}/rotate`,
      {},
    );
    await session.send("DELETE", `/developer/keys/${replacement.id}`);
    await session.send("DELETE", `/developer/keys/${replacement.id}`);
    expect((await history()).map(({ action, object }) => [action, object.id])).toEqual([
      ["key.created", created.id],
      ["key.created", replacement.id],
      ["key.rotated", created.id],
      ["key.revoked", replacement.id],
    ]);
  });

  it("the brand, settings, plan and suspension of the workspace", async () => {
    await session.send("PATCH", "/developer/brand", { colors: [{ hex: "#123456" }] });
    await session.send("PATCH", "/developer/brand", { colors: [{ hex: "#123456" }] });
    await session.send("PATCH", "/developer/analytics", { timeZone: "Europe/Berlin", keepScansDays: 365 });
    await session.send("PATCH", "/developer/workspace", { name: "Bakery" });
    const path = `/operator/workspaces/${session.workspaceId}`;
    await service.operator.send("PUT", `${path}/plan`, { plan: "pro" });
    await service.operator.send("PUT", `${path}/plan`, { plan: "pro" });
    await service.operator.send("PUT", `${path}/suspension`, { reason: "Unpaid", legalOrder: false });
    await service.operator.send("DELETE", `${path}/suspension`);
    const entries = await history();
    expect(entries.map(({ action, object }) => [action, object.name])).toEqual([
      ["brand.updated", "Brand"],
      ["workspace.updated", "Test"],
      ["workspace.updated", "Bakery"],
      ["workspace.updated", "Bakery"],
      ["workspace.suspended", "Bakery"],
      ["workspace.unsuspended", "Bakery"],
    ]);
    expect(entries[0]?.changes).toEqual({
      colors: { before: [], after: [{ hex: "#123456", name: null }] },
    });
    expect(entries[1]?.changes).toEqual({
      timeZone: { before: "UTC", after: "Europe/Berlin" },
      keepScansDays: { before: null, after: 365 },
    });
    expect(entries[2]?.changes).toEqual({ name: { before: "Test", after: "Bakery" } });
    expect(entries[3]?.changes).toEqual({
      plan: { before: "business", after: "pro" },
      requestsPerMinute: { before: 100_000, after: null },
    });
    expect(entries[3]?.actor.kind).toBe("operator");
  });

  it("erasures of scans", async () => {
    const qr = await client.createQr({ name: "Menu" });
    await session.send("DELETE", `/developer/qr/${qr.id}/scans?sums=keep`);
    const [, erasure] = await history();
    expect(erasure).toMatchObject({ action: "code.scans_erased", actor: person(), object: { name: "Menu" } });
  });

  it("what a widget creates, as embedded", async () => {
    const origin = "https://shop.example";
    const widget = await service.client(session.workspaceId, ["qr:write"], "publishable", [origin]);
    const body = { qrType: "url", data: { type: "url", url: "https://shop.example/" } };
    await widget.send("POST", "/qr", body, { origin });
    expect((await history("&kind=code"))[0]).toMatchObject({ via: "embed", actor: { id: widget.keyId } });
  });
});

it("is not shown to viewers where they see no keys and webhooks", async () => {
  await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE user_id = ?").bind(session.userId).run();
  await client.createQr();
  const kinds = new Set((await history()).map(({ object }) => object.kind));
  expect([...kinds]).toEqual(["code"]);
  expect((await session.send("GET", "/developer/history?kind=key")).status).toBe(403);
  const exported = await session.send("GET", "/developer/history/export");
  expect(await exported.text()).not.toContain("key.created");
});

it("never has secrets, tokens or network addresses", async () => {
  const address = "203.0.113.77";
  const headers = { "cf-connecting-ip": address, "user-agent": "Secret agent" };
  const input = { name: "Server", type: "secret" };
  const made = await session.expect(201, NewApiKey, "POST", "/developer/keys", input, headers);
  const hook = { url: "https://hooks.example/token", events: ["qr.created"] };
  const webhook = await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", hook, headers);
  const qr = await client.createQr();
  await client.send("PATCH", `/qr/${qr.id}`, { name: "New" }, headers);
  await service.scan(qr.hash, headers);
  await session.send("POST", `/developer/webhooks/${webhook.id}/rotate`, undefined, headers);
  const text = await (await session.send("GET", "/developer/history/export")).text();
  expect(text.split("\n").length).toBeGreaterThan(5);
  const digest = await env.DB.prepare("SELECT digest FROM api_keys WHERE id = ?")
    .bind(made.id)
    .first<string>("digest");
  const secrets = [
    made.key,
    digest,
    client.key,
    webhook.secret,
    session.cookie.split("=")[1],
    address,
    "Secret agent",
    "/token",
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
});
