import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { ErrorBody } from "../../src/contract/errors.ts";
import { Deleted } from "../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import {
  CreatedWebhook,
  Delivery,
  DeliveryList,
  DeliveryWithAttempts,
  Webhook,
  WebhookList,
  WebhookSecret,
} from "../../src/contract/resources/webhooks/webhooks.ts";
import { readPublicUrl } from "../../src/lib/web/public-url.ts";
import { expectError } from "../support/endpoints.ts";
import { Service, type SessionClient } from "../support/service.ts";
import { answers, verify, WebhookHarness } from "../support/webhooks.ts";

const harness = new WebhookHarness();
let session: SessionClient;
const hooks = "/developer/webhooks";
const input = { url: "https://example.com/hook", events: ["qr.created", "qr.created", "qr.scanned"] };

beforeAll(async () => {
  await harness.createWorkspace();
  session = await harness.service.sessionIn(harness.client.workspaceId);
});

describe("a webhook", () => {
  it("is created, read, changed, paused, resumed, rotated and deleted", async () => {
    const created = await session.expect(201, CreatedWebhook.strict(), "POST", hooks, input);
    expect(created.secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
    const { secret, ...webhook } = created;
    expect(webhook).toEqual({
      id: expect.any(String),
      url: input.url,
      events: ["qr.created", "qr.scanned"],
      scopeQrId: null,
      scopePageId: null,
      mode: "realtime",
      headers: [],
      status: "active",
      keyId: null,
      pausedReason: null,
      consecutiveFailures: 0,
      pendingEvents: 0,
      backlogFull: false,
      createdAt: expect.any(String),
    });
    const path = `${hooks}/${webhook.id}`;
    expect(await session.expect(200, Webhook.strict(), "GET", path)).toEqual(webhook);
    const { webhooks } = await session.expect(200, WebhookList, "GET", hooks);
    expect(webhooks).toContainEqual(webhook);
    expect(JSON.stringify(webhooks)).not.toContain(secret);

    const changed = { url: "https://example.org/", events: ["bulk.completed"], mode: "batched_5m" };
    expect(await session.expect(200, Webhook, "PATCH", path, changed)).toEqual({ ...webhook, ...changed });
    const paused = await session.expect(200, Webhook, "PATCH", path, { status: "paused" });
    expect(paused).toMatchObject({ status: "paused", pausedReason: "Paused manually" });
    const resumed = await session.expect(200, Webhook, "PATCH", path, { status: "active" });
    expect(resumed).toMatchObject({ status: "active", pausedReason: null });
    const rotated = await session.expect(200, WebhookSecret, "POST", `${path}/rotate`);
    expect(rotated.secret).not.toBe(secret);

    await session.expect(200, Deleted, "DELETE", path);
    expect((await session.send("GET", path)).status).toBe(404);
    expect((await session.send("DELETE", path)).status).toBe(404);
  });

  it("can be tested with a signed sample, which is attempted once in every mode", async () => {
    for (const mode of ["realtime", "batched_5m"]) {
      const webhook = await session.expect(201, CreatedWebhook, "POST", hooks, { ...input, mode });
      const delivery = await session.expect(202, Delivery.strict(), "POST", `${hooks}/${webhook.id}/test`);
      expect(delivery).toMatchObject({ status: "pending", attempts: 0 });
      await harness.runQueue();
      const post = harness.received.pop();
      if (post === undefined) throw new Error("nothing was received");
      await verify(post, webhook.secret);
      const body = JSON.parse(post.body);
      const data = mode === "realtime" ? body.data : body.events[0].data;
      expect(data).toMatchObject({ test: true, scanUrl: expect.any(String), advanced: null });
      expect(data.data).toMatchObject({ type: "url" });
      if (mode === "batched_5m") expect(body.events[0].id).toMatch(/^[0-9a-f-]{36}$/);
      const path = `${hooks}/${webhook.id}/deliveries`;
      const shown = await session.expect(200, DeliveryWithAttempts.strict(), "GET", `${path}/${delivery.id}`);
      expect(shown).toMatchObject({ status: "succeeded", attempts: 1, payload: body });
      await session.expect(200, Deleted, "DELETE", `${hooks}/${webhook.id}`);
    }
  });

  it("is refused beyond the plan's limit, even for five simultaneous requests", async () => {
    const free = await new Service().session("free");
    const sent = await Promise.all([1, 2, 3, 4, 5].map(() => free.send("POST", hooks, input)));
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 402, 402, 402, 402]);
    const refused = sent.find(({ status }) => status === 402);
    expect(await refused?.json()).toEqual({
      code: "plan_limit",
      error: "Your Free plan allows 1 webhook endpoint. Delete one, or upgrade to create more.",
    });
  });

  it.each([
    ["no events", { ...input, events: [] }, "events"],
    ["an event that does not exist", { ...input, events: ["qr.exploded"] }, "events"],
    ["no url", { events: ["qr.created"] }, "url"],
    ["a mode that does not exist", { ...input, mode: "weekly" }, "mode"],
    ["a code that is not there", { ...input, scopeQrId: crypto.randomUUID() }, "scopeQrId"],
    ["a page that is not there", { ...input, scopePageId: crypto.randomUUID() }, "scopePageId"],
  ])("is refused with %s, naming the field", async (_, body, field) => {
    const response = await session.send("POST", hooks, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining(field) });
  });

  it("can't be limited to another workspace's code", async () => {
    const qr = await (await harness.service.workspace()).createQr();
    expect((await session.send("POST", hooks, { ...input, scopeQrId: qr.id })).status).toBe(400);
  });
});

describe("headers of a webhook's own", () => {
  const at = "https://example.com/hook";
  const secrets = [
    { name: "Authorization", value: "Bearer 1nvisible" },
    { name: "x-tenant", value: " harbour " },
  ];
  const create = async (headers: object = secrets) =>
    `${hooks}/${(await session.expect(201, CreatedWebhook.strict(), "POST", hooks, { ...input, url: at, headers })).id}`;
  const patch = (path: string, body: object) => session.expect(200, Webhook.strict(), "PATCH", path, body);
  /** The own headers of the delivery of a test. */
  const sent = async (path: string, names = ["authorization", "x-tenant"]) => {
    harness.received.length = 0;
    await session.expect(202, Delivery, "POST", `${path}/test`);
    await harness.runQueue();
    const { headers } = harness.received.pop() ?? expect.fail("not sent");
    expect(headers.get("x-service-event")).toBe("qr.created");
    return names.map((name) => headers.get(name));
  };

  it("are sent with each delivery, and shown by their names alone", async () => {
    const path = await create();
    expect(await sent(path)).toEqual(["Bearer 1nvisible", "harbour"]);
    const shown = await session.expect(200, Webhook.strict(), "GET", path);
    expect(shown.headers).toEqual([{ name: "authorization" }, { name: "x-tenant" }]);
    const [row] = await runInDurableObject(harness.ledger, (_, { storage }) =>
      storage.sql.exec("SELECT headers FROM webhooks ORDER BY ref DESC LIMIT 1").toArray(),
    );
    expect(row?.headers).toMatch(/authorization/);
    for (const text of [
      JSON.stringify(row),
      ...["", "/deliveries"].map((end) => `${path}${end}`),
      "/developer/history?kind=webhook",
    ]) {
      const answer = text.startsWith("/") ? await (await session.send("GET", text)).text() : text;
      expect(answer).not.toMatch(/1nvisible|harbour/);
    }
    // It can be sent back as it was read.
    expect(await patch(path, shown)).toEqual(shown);
    expect(await sent(path)).toEqual(["Bearer 1nvisible", "harbour"]);
  });

  it.each<[name: string, headers: object, sent: (string | null)[]]>([
    ["none", {}, [null, null]],
    ["one", { "x-tenant": "harbour" }, [null, "harbour"]],
    ["two", { authorization: "Bearer 2", "x-tenant": "h" }, ["Bearer 2", "h"]],
    ["names in any case, and spaces", { " X-Tenant ": " harbour " }, [null, "harbour"]],
    ["a name like a number", { 1: "x", "x-tenant": "1" }, [null, "1"]],
    ["the longest value", { "x-tenant": "a".repeat(1024) }, [null, "a".repeat(1024)]],
  ])("may be an object in requests: %s", async (_, headers, expected) => {
    const path = await create(headers);
    expect(await sent(path)).toEqual(expected);
    const answer = await session.send("PATCH", path, { headers });
    expect([answer.status, answer.headers.get("x-ignored-fields")]).toEqual([200, null]);
    const names = Object.keys(headers).map((name) => ({ name: name.trim().toLowerCase() }));
    expect(await answer.json()).toMatchObject({ headers: names });
    expect(await sent(path)).toEqual(expected);
  });

  it("name what they have beyond a name and a value", async () => {
    const headers = [{ name: "x-a", value: "1", secret: true }];
    const answer = await session.send("POST", hooks, { ...input, headers });
    expect([answer.status, answer.headers.get("x-ignored-fields")]).toEqual([201, "headers[].secret"]);
  });

  it("are replaced by a list, whose entries without a value keep the stored one", async () => {
    const path = await create();
    await patch(path, { headers: [{ name: "X-TENANT" }, { name: "x-new", value: "2" }] });
    expect(await sent(path, ["authorization", "x-tenant", "x-new"])).toEqual([null, "harbour", "2"]);
    const history = await session.expect(200, HistoryList, "GET", "/developer/history?kind=webhook");
    const changed = history.items.find(
      ({ object, action }) => action === "webhook.updated" && path.endsWith(object.id),
    );
    expect(changed?.changes).toEqual({
      headers: { before: ["authorization", "x-tenant"], after: ["x-tenant", "x-new"] },
    });
    await patch(path, { headers: [] });
    expect(await sent(path)).toEqual([null, null]);
  });

  it("don't go to another origin unless they are sent again", async () => {
    const path = await create();
    await patch(path, { url: `${at}/other` });
    expect(await sent(path)).toEqual(["Bearer 1nvisible", "harbour"]);
    const url = "https://example.org/";
    for (const body of [{ url }, { url, headers: [{ name: "x-tenant" }] }]) {
      await expectError(await session.send("PATCH", path, body), 400, "invalid_input");
    }
    // As a release that knows no headers would change the address.
    await runInDurableObject(harness.ledger, (_, { storage }) =>
      storage.sql.exec("UPDATE webhooks SET url = ? WHERE url = ?", url, `${at}/other`),
    );
    expect(await sent(path)).toEqual([null, null]);
    await patch(path, { url: at, headers: [{ name: "x-tenant", value: "3" }] });
    expect(await sent(path)).toEqual([null, "3"]);
  });

  it("that can't be decrypted aren't left out: the delivery fails", async () => {
    const path = await create();
    await runInDurableObject(harness.ledger, (_, { storage }) =>
      storage.sql.exec('UPDATE webhooks SET headers = replace(headers, \'"value":"\', \'"value":"x\')'),
    );
    const { id } = await session.expect(202, Delivery, "POST", `${path}/test`);
    await harness.runQueue();
    expect(await session.expect(200, DeliveryWithAttempts, "GET", `${path}/deliveries/${id}`)).toMatchObject({
      status: "failed",
      lastError: "A header can't be decrypted. Set its value again.",
    });
  });

  const refused: readonly (readonly [headers: object, problem: string])[] = [
    [Array.from({ length: 11 }, (_, i) => ({ name: `x-${i}`, value: "1" })), "at most 10"],
    [[{ name: "x-a" }], "value for x-a"],
    [[{ name: "x-a", value: "" }], "value of x-a"],
    [[{ name: "x-a", value: "a\r\nx-b: 1" }], "value of x-a"],
    [[{ name: "x-a", value: "ü" }], "value of x-a"],
    [[{ name: "x-a", value: "a".repeat(1025) }], "value of x-a"],
    [[{ name: "a".repeat(101), value: "1" }], "named"],
    [["x-a", "X-A"].map((name) => ({ name, value: "1" })), "only once"],
    ...["", "x a", "x:a", "x-ä", "x\n"].map((name) => [[{ name: `${name}?`, value: "1" }], "named"] as const),
    ...[
      ...["Content-Type", "User-Agent", "X-Service-Signature", "x-service-new", "Host", "content-length"],
      ...["Connection", "Keep-Alive", "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade"],
      ...["X-Forwarded-For", "cf-connecting-ip", "Forwarded"],
    ].map((name) => [[{ name, value: "1" }], `set ${name.toLowerCase()}`] as const),
    [{ "x-a": 1 }, 'text as the value of "x-a"'],
    [{ "x-b": "1", "x-a": ["1"] }, 'text as the value of "x-a"'],
    [{ "x-a": { value: "1" } }, 'text as the value of "x-a"'],
    [{ "x-a": null }, 'text as the value of "x-a"'],
    [{ "x-a": "" }, "value of x-a"],
    [{ "x-a": "1", "X-A": "2" }, "only once"],
    [{ host: "example.com" }, "set host"],
    [{ name: "x-a", value: "1", "x a": "" }, "named"],
    [Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, "1"])), "at most 10"],
  ];

  it.each(refused)("are refused: %j", async (headers, problem) => {
    const error = await expectError(
      await session.send("POST", hooks, { ...input, headers }),
      400,
      "invalid_input",
    );
    expect(error).toMatch(/^headers /);
    expect(error).toContain(problem);
  });

  it("may be those of a Cloudflare Access service token", async () => {
    const names = ["cf-access-client-id", "cf-access-client-secret"];
    const path = await create(names.map((name) => ({ name, value: name })));
    expect(await sent(path, names)).toEqual(names);
  });
});

describe("deliveries", () => {
  it("are listed by status, page by page, each once, and replayed; another's are not found", async () => {
    const webhook = await session.expect(201, CreatedWebhook, "POST", hooks, input);
    await harness.emitAndDeliver(5);
    harness.receiver = answers(410);
    await harness.emitAndDeliver(1);
    harness.receiver = answers(200);
    await session.expect(200, Webhook, "PATCH", `${hooks}/${webhook.id}`, { status: "active" });
    const path = `${hooks}/${webhook.id}/deliveries`;
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = `?status=succeeded&limit=2${cursor && `&cursor=${cursor}`}`;
      const page: DeliveryList = await session.expect(200, DeliveryList, "GET", path + query);
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect((await session.send("GET", `${path}?cursor=nonsense`)).status).toBe(400);
    expect((await session.send("GET", `${path}?status=lost`)).status).toBe(400);

    const { items } = await session.expect(200, DeliveryList, "GET", `${path}?status=failed`);
    const [failed] = items;
    const replay = `${path}/${failed?.id}/replay`;
    const other = await harness.service.session();
    const theirs = await other.expect(201, CreatedWebhook, "POST", hooks, input);
    for (const [who, url] of [
      [other, replay],
      [other, `${hooks}/${theirs.id}/deliveries/${failed?.id}/replay`],
      [session, `${hooks}/${theirs.id}/deliveries/${failed?.id}/replay`],
      [session, `${path}/${crypto.randomUUID()}/replay`],
    ] as const) {
      expect((await who.send("POST", url)).status).toBe(404);
    }
    expect((await other.send("GET", `${path}/${failed?.id}`)).status).toBe(404);
    expect(await session.expect(202, Delivery, "POST", replay)).toMatchObject({
      id: failed?.id,
      status: "pending",
    });
    await harness.runQueue();
    expect((await session.send("POST", replay)).status).toBe(400);
    expect((await session.send("POST", `${path}/${seen[0]}/replay`)).status).toBe(400);
    const byKey = await harness.client.send("POST", replay);
    expect(byKey.status).toBe(403);
  });
});

const withDelivery = Object.entries<Endpoint>(endpoints)
  .filter(([, { path }]) => path.includes("{deliveryId}"))
  .map(([name, endpoint]) => ({ name, ...endpoint }));

describe.each(withDelivery)("$name", ({ method, path }) => {
  it("answers 404 for another workspace's webhook and delivery", async () => {
    const other = await harness.service.session();
    const own = await session.expect(201, CreatedWebhook, "POST", hooks, input);
    const theirs = await other.expect(201, CreatedWebhook, "POST", hooks, input);
    const test = await other.expect(202, Delivery, "POST", `${hooks}/${theirs.id}/test`);
    const errors = new Set<string>();
    for (const [webhook, delivery] of [
      [theirs.id, test.id],
      [own.id, test.id],
      [own.id, crypto.randomUUID()],
      [own.id, "x"],
      ["x", test.id],
    ] as const) {
      const url = path.replace("{id}", webhook).replace("{deliveryId}", delivery);
      const response = await session.send(method.toUpperCase(), url);
      expect([url, response.status]).toEqual([url, 404]);
      errors.add(ErrorBody.parse(await response.json()).error);
    }
    expect(errors.size).toBe(1);
  });
});

describe("a receiver's address", () => {
  const production = { maxLength: 2048, ownHosts: ["qr.example.com", "app.example.com"], loopback: false };

  it.each([
    "http://example.com/",
    "ftp://example.com/",
    "example.com",
    "https:example.com",
    "https:///example.com/",
    "https://user:word@example.com/",
    "https://user@example.com/",
    "https://localhost/",
    "https://localhost./",
    "https://a.localhost/",
    "https://intranet/",
    "https://printer.local/",
    "https://db.internal/",
    "https://router.home.arpa/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://10.0.0.1/",
    "https://8.8.8.8/",
    "https://8.8.8.8./",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[2606:4700::1111]/",
    "https://qr.example.com/hook",
    "https://QR.example.com./hook",
    "https://app.example.com/hook",
    "https://App.example.com.:8443/hook",
    "https://example.com:8080/",
    "https://example.com:22/",
    "https://",
    "",
    `https://example.com/${"x".repeat(2049 - 20)}`,
  ])("is refused: %s", (url) => {
    expect(readPublicUrl(url, production)).toMatchObject({ ok: false });
  });

  it.each([
    "https://example.com/hook?a=b",
    "https://example.com:8443/",
    "https://müller.example/",
    `https://example.com/${"x".repeat(2048 - 20)}`,
  ])("is taken: %s", (url) => {
    expect(readPublicUrl(url, production)).toMatchObject({ ok: true });
  });

  it("may be this machine in local development, but not the service itself", () => {
    const local = { ...production, ownHosts: ["localhost:8787"], loopback: true };
    expect(readPublicUrl("http://127.0.0.1:9000/hook", local)).toMatchObject({ ok: true });
    expect(readPublicUrl("http://localhost:8787/hook", local)).toMatchObject({ ok: false });
    expect(readPublicUrl("http://10.0.0.1/hook", local)).toMatchObject({ ok: false });
    expect(readPublicUrl("http://example.com/hook", local)).toMatchObject({ ok: false });
  });

  it("is checked when webhooks are created and changed", async () => {
    const webhook = await session.expect(201, CreatedWebhook, "POST", hooks, input);
    for (const request of [
      () => session.send("POST", hooks, { ...input, url: "https://10.0.0.1/" }),
      () => session.send("PATCH", `${hooks}/${webhook.id}`, { url: "https://10.0.0.1/" }),
    ]) {
      const response = await request();
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: expect.stringMatching(/^url /) },
      ]);
    }
  });
});
