import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints.ts";
import { BulkJob } from "../../src/contract/bulk.ts";
import { Scope } from "../../src/contract/enums.ts";
import { ErrorBody } from "../../src/contract/errors.ts";
import { Folder } from "../../src/contract/folders.ts";
import { NewApiKey } from "../../src/contract/keys.ts";
import { CreatedWebhook } from "../../src/contract/webhooks.ts";
import { revokeKey } from "../../src/domain/keys.ts";
import { type ApiClient, type Client, origin, Service, type SessionClient } from "../support/service.ts";

/** Rules that hold for every endpoint, looped over the table: a new endpoint is held to them by being in it. */
const table = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({ name, ...endpoint }));
const withBody = table.filter((endpoint) => endpoint.body !== undefined);
const withId = table.filter((endpoint) => endpoint.path.includes("{"));

const service = new Service();
let keyClient: Client;
let sessionClient: SessionClient;
/** Ids of another workspace, by the path before the parameter. */
let foreign: Record<string, string>;
const foreignId = (endpoint: Endpoint) => foreign[endpoint.path.replace(/\/\{.*/, "")] ?? "";

beforeAll(async () => {
  keyClient = await service.workspace();
  sessionClient = await service.sessionIn(keyClient.workspaceId);
  const other = await service.workspace();
  const others = await service.sessionIn(other.workspaceId);
  foreign = {
    "/qr": (await other.createQr()).id,
    "/qr/bulk": (await other.expect(202, BulkJob, "POST", "/qr/bulk", validBody.createBulk)).jobId,
    "/folders": (await other.expect(201, Folder, "POST", "/folders", { name: "Theirs" })).id,
    "/operator/workspaces": crypto.randomUUID(),
    "/developer/webhooks": (
      await others.expect(201, CreatedWebhook, "POST", "/developer/webhooks", validBody.createWebhook)
    ).id,
    "/developer/keys": (await others.expect(201, NewApiKey, "POST", "/developer/keys", validBody.createKey))
      .id,
  };
});

const method = (endpoint: Endpoint) => endpoint.method.toUpperCase();
const somePath = (endpoint: Endpoint, id = crypto.randomUUID()) => endpoint.path.replace(/\{\w+\}/g, id);
const validBody: Record<string, object> = {
  createQr: { qrType: "url", data: { type: "url", url: "example.com" } },
  updateQr: { name: "New name" },
  createBulk: { items: [{ qrType: "url", data: { type: "url", url: "example.com" } }] },
  createFolder: { name: "A folder" },
  renameFolder: { name: "A folder" },
  createKey: { name: "A key", type: "secret" },
  createWebhook: { url: "https://example.com/hook", events: ["qr.created"] },
  updateWebhook: { status: "paused" },
  changePlan: { plan: "pro" },
};

/** Somebody who may call the endpoint. */
const clientOf = ({ auth }: Endpoint): ApiClient =>
  ({ key: keyClient, session: sessionClient, operator: service.operator })[auth];

async function expectError(response: Response, status: number, code: string): Promise<string> {
  const json = ErrorBody.strict().parse(await response.json());
  expect({ status: response.status, code: json.code, error: json.error }).toEqual({
    status,
    code,
    error: json.error,
  });
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-request-id")).toBeTruthy();
  return json.error;
}

/** How many rows each table has: what a refused request must leave as it was. */
async function rowCounts(): Promise<unknown> {
  const tables = ["qr_codes", "qr_tags", "folders", "outbox", "idempotent_answers", "workspaces", "api_keys"];
  const counts = tables.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`);
  return env.DB.prepare(`SELECT ${counts.join(", ")}`).first();
}

/** What is no credential, whatever an endpoint asks for. */
const neverCredentials = [undefined, "", "Bearer", "Bearer garbage", "Bearer a.b.c", "Bearer null"];

/** What an endpoint does not take, though it is near to what it does or is taken elsewhere. */
function wrongCredentials({ auth }: Endpoint): (string | undefined)[] {
  const { key } = keyClient;
  const secret = service.deps.operatorSecret;
  const others = {
    key: [`Bearer ${secret}`],
    session: [`Bearer ${key}`, `Bearer ${secret}`],
    operator: [`Bearer ${key}`],
  };
  const near = {
    key: [
      `Basic ${key}`,
      key,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer sk_live_${"0".repeat(32)}`,
      `Bearer ${key}' OR 1=1 --`,
    ],
    session: [`Bearer ${sessionClient.cookie.split("=")[1]}`],
    operator: [secret, `Basic ${secret}`, `Bearer ${secret}x`, `Bearer ${secret.slice(0, -1)}`],
  };
  return [...neverCredentials, ...others[auth], ...near[auth]];
}

describe.each(table)("$name", (endpoint) => {
  it("refuses every kind of missing, malformed, foreign and unknown credential with 401", async () => {
    for (const authorization of wrongCredentials(endpoint)) {
      const response = await service.fetch(`/api/v1${somePath(endpoint)}`, {
        method: method(endpoint),
        headers: authorization === undefined ? {} : { authorization },
      });
      await expectError(response, 401, "unauthorized");
      expect(response.headers.get("x-ratelimit-limit")).toBeNull();
    }
  });

  it("answers 405 with what is allowed to another method", async () => {
    const taken = table.filter(({ path }) => path === endpoint.path).map(method);
    const other = ["PUT", "DELETE", "PATCH"].find((name) => !taken.includes(name)) ?? "";
    const response = await clientOf(endpoint).send(other, somePath(endpoint));
    await expectError(response, 405, "invalid_input");
    expect(response.headers.get("allow")).toContain(method(endpoint));
    expect(response.headers.has("x-ratelimit-limit")).toBe(endpoint.auth !== "operator");
  });

  it("repeats a sane request id and replaces another", async () => {
    const send = async (id: string) =>
      (
        await clientOf(endpoint).send(method(endpoint), somePath(endpoint), undefined, { "x-request-id": id })
      ).headers.get("x-request-id");
    expect(await send("my-request.1")).toBe("my-request.1");
    expect(await send("has spaces")).not.toBe("has spaces");
    expect(await send("x".repeat(500))).toHaveLength(36);
  });
});

/** Endpoints whose requests are counted: all but the operator's. */
const counted = table.filter(({ auth }) => auth !== "operator");

describe.each(counted)("$name, counted,", (endpoint) => {
  it("carries the rate headers, on errors too, and ends at the cap with 429", async () => {
    const takesBody = endpoint.body ?? endpoint.upload;
    const { auth } = endpoint;
    const own = auth === "key" ? await service.workspace("pro", 3) : await service.session("pro", 3);
    const seen: (string | null)[] = [];
    for (let i = 0; i < 3; i += 1) {
      const response = await own.send(method(endpoint), somePath(endpoint), takesBody && "{");
      expect(response.headers.get("x-ratelimit-limit")).toBe("3");
      seen.push(response.headers.get("x-ratelimit-remaining"));
    }
    expect(seen).toEqual(["2", "1", "0"]);
    const over = await own.send(method(endpoint), somePath(endpoint), takesBody && "{");
    expect(over.headers.get("x-ratelimit-limit")).toBe("3");
    expect(over.headers.get("x-ratelimit-remaining")).toBe("0");
    const wait = Number(over.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(await expectError(over, 429, "rate_limited")).toBe("Rate limit exceeded");
  });
});

describe.each(table.filter((endpoint) => endpoint.auth === "key"))("$name, for keys,", (endpoint) => {
  it("refuses a revoked key at once, also where it is still remembered", async () => {
    const own = await service.workspace();
    expect((await own.send("GET", "/qr")).status).toBe(200);
    await revokeKey(service.deps, { workspaceId: own.workspaceId, plan: "business" }, own.keyId);
    await expectError(await own.send(method(endpoint), somePath(endpoint)), 401, "unauthorized");
  });

  it("asks for its scope", async () => {
    const without = Scope.options.filter(
      (scope) => scope !== endpoint.scope && !(endpoint.scope === "qr:read" && scope === "qr:write"),
    );
    const lacking = await service.client(keyClient.workspaceId, without);
    const response = await lacking.send(method(endpoint), somePath(endpoint), validBody[endpoint.name]);
    expect(await expectError(response, 403, "forbidden")).toContain(endpoint.scope);

    const having = await service.client(keyClient.workspaceId, [endpoint.scope]);
    const allowed = await having.send(method(endpoint), somePath(endpoint), validBody[endpoint.name]);
    expect([endpoint.status, 404]).toContain(allowed.status);
  });

  it("refuses a secret key on a plan that has none, and a publishable key where it may not act", async () => {
    const free = await service.workspace("free");
    const request = [method(endpoint), somePath(endpoint), validBody[endpoint.name]] as const;
    expect(await expectError(await free.send(...request), 403, "forbidden")).toContain("Free");
    const publishable = await service.client(keyClient.workspaceId, ["qr:write"], "publishable", [
      "https://a.example",
    ]);
    await expectError(await publishable.send(...request), 403, "forbidden");
  });
});

const changes = table.filter(({ auth, method }) => auth === "session" && method !== "get");

describe.each(changes)("$name, by cookie,", (endpoint) => {
  it.each([
    ["no Origin", {}],
    ["another Origin", { origin: "https://evil.example" }],
    ["a null Origin", { origin: "null" }],
    ["an Origin that begins like ours", { origin: `${origin}.evil.example` }],
    ["another port", { origin: "http://localhost:1" }],
  ])("refuses %s with 403, and writes nothing", async (_, headers) => {
    const before = await rowCounts();
    const body = validBody[endpoint.name];
    const response = await service.fetch(`/api/v1${somePath(endpoint)}`, {
      method: method(endpoint),
      headers: { cookie: sessionClient.cookie, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.headers.get("x-ratelimit-limit")).not.toBeNull();
    expect(await expectError(response, 403, "forbidden")).toContain("Origin");
    expect(await rowCounts()).toEqual(before);
  });
});

describe.each(withId)("$name with an id", (endpoint) => {
  it("takes malformed, unknown and foreign ids for the same 404", async () => {
    const ids = ["x", "1", "%00", "..%2f", "'", crypto.randomUUID(), foreignId(endpoint)];
    const errors = new Set<string>();
    for (const id of ids) {
      const response = await clientOf(endpoint).send(
        method(endpoint),
        somePath(endpoint, id),
        validBody[endpoint.name],
      );
      errors.add(await expectError(response, 404, "not_found"));
    }
    expect(errors.size).toBe(1);
  });
});

describe.each(withBody)("$name with a bad body", (endpoint) => {
  const utf8 = new TextEncoder();
  const cases: [string, string | Uint8Array | undefined, number, Record<string, string>?][] = [
    ["nothing", undefined, 415],
    ["an empty body", "", 400],
    ["malformed JSON", '{"name": ', 400],
    ["two values", "{}{}", 400],
    ["a number", "7", 400],
    ["null", "null", 400],
    ["an array", "[]", 400],
    ["a string", '"name"', 400],
    ["invalid UTF-8", new Uint8Array([...utf8.encode('{"name":"'), 0xff, 0xfe, ...utf8.encode('"}')]), 400],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), 400],
    ["a __proto__ key", '{"__proto__": {"admin": true}, "name": "x"}', 400],
    ["a nested, escaped __proto__ key", '{"name": "x", "data": {"\\u005f_proto__": 1}}', 400],
    ["a name that is a number", '{"name": 7}', 400],
    ["a name of 201 characters", JSON.stringify({ name: "x".repeat(201) }), 400],
    ["5 MB", JSON.stringify({ name: "x".repeat(5 * 1024 * 1024) }), 413],
    ["a form", "name=x", 415, { "content-type": "application/x-www-form-urlencoded" }],
    ["no content type", "{}", 415, { "content-type": "" }],
    ["text", '{"name":"x"}', 415, { "content-type": "text/plain" }],
  ];

  const named = validBody[endpoint.name] !== undefined && "name" in (validBody[endpoint.name] ?? {});
  const own = cases.filter(([title]) => named || !title.startsWith("a name"));
  it.each(own)("refuses %s and writes nothing", async (_, body, status, headers) => {
    const before = await rowCounts();
    const path = somePath(endpoint, foreignId(endpoint));
    const response = await clientOf(endpoint).send(method(endpoint), path, body, headers);
    await expectError(response, status, "invalid_input");
    expect(await rowCounts()).toEqual(before);
  });

  it("refuses 5 MB that come without a length", async () => {
    const chunk = utf8.encode("x".repeat(64 * 1024));
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= 5 * 1024 * 1024) controller.close();
        else controller.enqueue(chunk);
        sent += chunk.length;
      },
    });
    const response = await clientOf(endpoint).send(method(endpoint), somePath(endpoint), stream);
    await expectError(response, 413, "invalid_input");
  });
});

describe("what is not in the table", () => {
  const nowhere = { key: "/nothing/here", session: "/developer/nothing/here", operator: "/operator/nothing" };

  it.each(Object.entries(nowhere))("is 404 for who has a %s, and 401 for others", async (auth, path) => {
    const clients = { key: keyClient, session: sessionClient, operator: service.operator };
    for (const [held, client] of Object.entries<ApiClient>(clients)) {
      const answer = await client.send("GET", path);
      if (held === auth) await expectError(answer, 404, "not_found");
      else await expectError(answer, 401, "unauthorized");
    }
    await expectError(await service.fetch(`/api/v1${path}`), 401, "unauthorized");
  });
});
