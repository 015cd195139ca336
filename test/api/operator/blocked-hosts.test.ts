import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { BlockedHostList, NewBlockedHost } from "../../../src/contract/resources/operations/blocked-hosts.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { CreatedWebhook } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { examined } from "../../../src/domain/destinations/blocked-hosts.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import { type ApiClient, type Client, Service, type SessionClient } from "../../support/service.ts";

const harness = new BulkHarness();
const { clock, service } = harness;
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
});

beforeEach(async () => {
  await env.DB.exec("DELETE FROM blocked_hosts");
  clock.advance(60_000);
});

const block = (host: string, by = service) =>
  by.operator.expect(201, NewBlockedHost.strict(), "POST", "/operator/blocked-hosts", {
    host,
    reason: "phishing",
  });

const list = (query = "") =>
  service.operator.expect(200, BlockedHostList.strict(), "GET", `/operator/blocked-hosts${query}`);

const url = (address: string) => ({ qrType: "url", data: { type: "url", url: address } });

describe("a blocked host is refused, and the field is named,", () => {
  const applink = (data: object) => ({
    qrType: "applink",
    data: { type: "applink", fallback: "fine.example", ...data },
  });
  const link = (address: string) => ({ type: "link", label: "L", url: address });

  it.each<[path: string, body: object, field: string]>([
    ["/qr", url("evil.example/login"), "data.url"],
    ["/qr", url("http://EVIL.example.:8080/"), "data.url"],
    ["/qr", url("https://e%76il.example/"), "data.url"],
    ["/qr", url("https://a.b.evil.example"), "data.url"],
    ["/qr", url("https://bücher.example"), "data.url"],
    ["/qr", url("http://192.0.2.7/"), "data.url"],
    ["/qr", applink({ ios: "evil.example" }), "data.ios"],
    ["/qr", applink({ android: "evil.example" }), "data.android"],
    ["/qr", applink({ fallback: "evil.example" }), "data.fallback"],
    [
      "/qr",
      { qrType: "vcard", data: { type: "vcard", firstName: "A", urls: ["fine.example", "evil.example"] } },
      "data.urls.1",
    ],
    [
      "/developer/pages",
      { title: "P", blocks: [link("fine.example"), link("evil.example")] },
      "blocks.1.url",
    ],
    [
      "/developer/pages",
      { title: "P", blocks: [{ type: "image", url: "https://evil.example/a.png" }] },
      "blocks.0.url",
    ],
    ["/developer/webhooks", { url: "https://evil.example/hook", events: ["qr.created"] }, "url"],
  ])("by POST %s %j", async (path, body, field) => {
    const by: ApiClient = path === "/qr" ? client : session;
    const address = JSON.stringify(body);
    if (address.includes("bücher")) await block("Bücher.Example");
    else await block(address.includes("192.0") ? "192.0.2.7" : "evil.example");
    const answer = await by.send("POST", path, body);
    expect(await expectError(answer, 400, "invalid_input")).toBe(`${field} leads to a blocked host.`);
  });

  it("by PATCH, which leaves the code, page or webhook as it was", async () => {
    const qr = await client.createQr();
    const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "P" });
    const hook = { url: "https://fine.example/hook", events: ["qr.created"] };
    const webhook = await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", hook);
    await block("evil.example");
    const changes: [ApiClient, string, object][] = [
      [client, `/qr/${qr.id}`, { data: { type: "url", url: "evil.example" } }],
      [
        session,
        `/developer/pages/${page.id}`,
        { blocks: [{ type: "link", label: "L", url: "evil.example" }] },
      ],
      [session, `/developer/webhooks/${webhook.id}`, { url: "https://evil.example/hook" }],
    ];
    for (const [by, path, body] of changes) {
      const error = await expectError(await by.send("PATCH", path, body), 400, "invalid_input");
      expect(error).toMatch(/ leads to a blocked host\.$/);
    }
    expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://example.com/");
  });

  it("in bulk for its own row only, as JSON and as CSV", async () => {
    await block("evil.example");
    const items = [url("fine.example"), url("www.evil.example"), url("alsofine.example")];
    const json = await harness.run(client, await harness.json(client, items));
    expect(json.items.map(({ error }) => error)).toEqual([null, "data.url leads to a blocked host.", null]);
    const csv = await harness.run(client, await harness.csv(client, "url\nevil.example\nfine.example\n"));
    expect(csv.items.map(({ error }) => error)).toEqual(["line 2: url leads to a blocked host.", null]);
  });

  it("in bulk, also if it was blocked after the job had been accepted", async () => {
    const items = [url("fine.example"), url("evil.example"), url("evil.example/2")];
    const { jobId } = await harness.accepted(await harness.json(client, items));
    clock.advance(60_000);
    await block("evil.example");
    clock.advance(16_000);
    const tasks = harness.queued.splice(0);
    await harness.deliver(tasks);
    await harness.deliver(tasks);
    const job = await harness.read(client, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 1, failureCount: 2 });
    expect(job.items.map(({ error }) => error)).toEqual([
      null,
      "data leads to a blocked host.",
      "data leads to a blocked host.",
    ]);
  });
});

describe("a block", () => {
  it.each(["notevil.example", "evil.example.org", "example", "evil.examples"])(
    "does not cover %s",
    async (host) => {
      await block("evil.example");
      expect((await client.send("POST", "/qr", url(`https://${host}/`))).status).toBe(201);
    },
  );

  it("leaves existing codes and pages as they are, and lets them be changed otherwise", async () => {
    const qr = await client.createQr({ data: { type: "url", url: "https://old.example/" } });
    const blocks = [{ type: "link", label: "L", url: "old.example" }];
    const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "P", blocks });
    await block("old.example");
    expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://old.example/");
    expect((await client.send("PATCH", `/qr/${qr.id}`, { name: "N" })).status).toBe(200);
    const renamed = await session.send("PATCH", `/developer/pages/${page.id}`, { title: "Q" });
    expect(renamed.status).toBe(200);
  });

  it("holds in every isolate within 15 seconds, and so does its end", async () => {
    const other = new Service({ now: clock.now });
    const others = await other.workspace();
    const attempt = async () => (await others.send("POST", "/qr", url("late.example"))).status;
    expect(await attempt()).toBe(201);
    const { id } = await block("late.example");
    clock.advance(14_999);
    expect(await attempt()).toBe(201);
    clock.advance(1);
    expect(await attempt()).toBe(400);
    expect((await service.operator.send("DELETE", `/operator/blocked-hosts/${id}`)).status).toBe(200);
    expect((await client.send("POST", "/qr", url("late.example"))).status).toBe(201);
    clock.advance(15_000);
    expect(await attempt()).toBe(201);
  });

  it("is read once for many codes", async () => {
    let reads = 0;
    const prepare = (sql: string) => {
      if (sql.includes("blocked_hosts")) reads += 1;
      return env.DB.prepare(sql);
    };
    const db = { prepare, batch: env.DB.batch.bind(env.DB) } as unknown as D1Database;
    const isolate = new Service({ now: clock.now, db });
    const own = await isolate.workspace();
    for (let i = 0; i < 5; i += 1) await own.createQr();
    expect(reads).toBe(1);
  });
});

describe("the operator", () => {
  it("learns how many live codes lead to the host or below it, of any workspace", async () => {
    const theirs = await service.workspace();
    const addresses = [
      "https://count.example/",
      "https://Sub.COUNT.example:8443/x",
      "https://c%6Funt.example/",
      "https://other.example/?to=count.example",
      "https://discount.example/",
    ];
    for (const address of addresses) await theirs.createQr({ data: { type: "url", url: address } });
    const { id } = await client.createQr({ data: { type: "url", url: "https://count.example/2" } });
    await client.send("DELETE", `/qr/${id}`);
    await client.createQr({
      qrType: "applink",
      data: { type: "applink", ios: "count.example", fallback: "fine.example" },
    });
    const { codes } = await block("count.example");
    const all = await env.DB.prepare("SELECT count(*) AS n FROM qr_codes").first("n");
    expect(codes).toEqual({ found: 4, examined: all, complete: true });
  });

  it("learns when only the newest codes were examined", async () => {
    const { most, atOnce } = examined;
    Object.assign(examined, { most: 6, atOnce: 2 });
    await client.createQr({ data: { type: "url", url: "https://oldest.example/" } });
    const { workspaceId } = client;
    await env.DB.prepare(
      `INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, data, tags, status, created_at, updated_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
       SELECT printf('f%07d-0000-7000-8000-000000000000', i), ?, printf('h%07d', i), 1, 'url',
         '{"type":"url","url":"https://fine.example/"}', '[]', 'active', 0, 0 FROM n`,
    )
      .bind(workspaceId)
      .run();
    const { codes } = await block("oldest.example");
    Object.assign(examined, { most, atOnce });
    expect(codes).toEqual({ found: 0, examined: 6, complete: false });
    await env.DB.exec("DELETE FROM qr_codes WHERE id LIKE 'f%'");
  });

  it("lists blocked hosts, newest first, in pages", async () => {
    for (const host of ["a.example", "b.example", "c.example"]) {
      await block(host);
      clock.advance(1);
    }
    const first = await list("?limit=2");
    expect(first.items.map(({ host }) => host)).toEqual(["c.example", "b.example"]);
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ items: [{ host: "a.example", reason: "phishing" }], nextCursor: null });
  });

  it("blocks a host once, with its newest reason", async () => {
    const { id } = await block("Twice.example");
    const body = { host: "twice.example", reason: "malware" };
    const again = await service.operator.expect(201, NewBlockedHost, "POST", "/operator/blocked-hosts", body);
    expect(again).toMatchObject({ id, host: "twice.example", reason: "malware" });
    expect((await list()).items).toHaveLength(1);
  });

  it.each(["https://evil.example", "com", "*.evil.example", "evil.example:80"])(
    "can't block %s",
    async (host) => {
      const answer = await service.operator.send("POST", "/operator/blocked-hosts", { host, reason: "r" });
      expect(await expectError(answer, 400, "invalid_input")).toMatch(/^host must be a host name/);
    },
  );

  it("can't block more than the limit, but can change the reason of one at the limit", async () => {
    const hosts = Array.from({ length: limits.blockedHosts.count }, (_, i) => `${i}.example`);
    await env.DB.prepare(
      "INSERT INTO blocked_hosts (id, host, reason, created_at) SELECT value, value, '', 0 FROM json_each(?)",
    )
      .bind(JSON.stringify(hosts))
      .run();
    const body = { host: "one-more.example", reason: "r" };
    const answer = await service.operator.send("POST", "/operator/blocked-hosts", body);
    expect(await expectError(answer, 400, "invalid_input")).toContain("at most 5000 hosts");
    const known = { ...body, host: "1.example" };
    expect((await service.operator.send("POST", "/operator/blocked-hosts", known)).status).toBe(201);
  });
});
