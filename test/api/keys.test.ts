import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { Folder } from "../../src/contract/resources/codes/folders.ts";
import { Deleted } from "../../src/contract/resources/codes/qr.ts";
import { ApiKeyList, NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { OperatorWorkspaceList } from "../../src/contract/resources/operations/operations.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import { Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const service = new Service();
const secret = { name: "Import", type: "secret" };
const publishable = { name: "Widget", type: "publishable", origins: ["https://shop.example"] };
let owner: SessionClient;

beforeAll(async () => {
  owner = await service.session();
});

const code = { qrType: "url", data: { type: "url", url: "example.com" } };

describe("a key", () => {
  it("that may write codes may read them, but not their scans; one that may read can't write", async () => {
    const owner = await service.workspace();
    const { id } = await owner.createQr();
    const statuses = async (...scopes: ("qr:read" | "qr:write" | "scans:read")[]) => {
      const client = await service.client(owner.workspaceId, scopes);
      return Promise.all([
        client.send("GET", `/qr/${id}`).then(({ status }) => status),
        client.send("PATCH", `/qr/${id}`, { name: "Menu" }).then(({ status }) => status),
        client.send("GET", `/qr/${id}/scans`).then(({ status }) => status),
      ]);
    };
    expect(await statuses("qr:write")).toEqual([200, 200, 403]);
    expect(await statuses("qr:read")).toEqual([200, 403, 403]);
    expect(await statuses("scans:read")).toEqual([403, 403, 200]);
  });

  it("is shown in full once, and works until it is revoked", async () => {
    const session = await service.session();
    const { key, ...made } = await session.expect(201, NewApiKey, "POST", "/developer/keys", secret);
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
    expect(made).toMatchObject({
      name: "Import",
      type: "secret",
      scopes: ["qr:read", "qr:write", "scans:read"],
      origins: [],
      prefix: "sk_live_",
      lastFour: key.slice(-4),
      lastUsedAt: null,
    });
    const list = await session.send("GET", "/developer/keys");
    const text = await list.text();
    expect(JSON.parse(text)).toEqual({ keys: [made] });
    expect(text).not.toContain(key);

    const client = new Client(service, session.workspaceId, made.id, key);
    expect((await client.send("GET", "/qr")).status).toBe(200);
    await session.expect(200, Deleted, "DELETE", `/developer/keys/${made.id}`);
    expect((await client.send("GET", "/qr")).status).toBe(401);
    expect(await session.expect(200, ApiKeyList, "GET", "/developer/keys")).toEqual({ keys: [] });
    expect((await session.send("DELETE", `/developer/keys/${made.id}`)).status).toBe(404);
  });

  it("has the scopes it was created with, each once", async () => {
    const session = await service.session();
    const made = await session.expect(201, NewApiKey, "POST", "/developer/keys", {
      ...secret,
      scopes: ["scans:read", "qr:read", "scans:read"],
    });
    expect(made.scopes).toEqual(["qr:read", "scans:read"]);
    const client = new Client(service, session.workspaceId, made.id, made.key);
    expect((await client.send("POST", "/folders", { name: "No" })).status).toBe(403);
  });

  it("may be publishable, with origins normalised to the form that browsers send", async () => {
    const session = await service.session("free");
    const made = await session.expect(201, NewApiKey, "POST", "/developer/keys", {
      ...publishable,
      origins: [
        "HTTPS://Shop.Example:443/",
        "https://shop.example",
        "http://localhost:3000",
        "https://bücher.example",
      ],
    });
    expect(made).toMatchObject({
      type: "publishable",
      prefix: "pk_live_",
      scopes: ["qr:write"],
      origins: ["https://shop.example", "http://localhost:3000", "https://xn--bcher-kva.example"],
    });
    const client = new Client(service, session.workspaceId, made.id, made.key);
    expect((await client.send("POST", "/qr", code, { origin: "https://shop.example" })).status).toBe(201);
    expect((await client.send("POST", "/qr", code, { origin: "https://evil.example" })).status).toBe(403);
  });

  it("of either type can be created on a free plan, where a secret key does not work", async () => {
    const session = await service.session("free");
    const { id, key } = await session.expect(201, NewApiKey, "POST", "/developer/keys", secret);
    const client = new Client(service, session.workspaceId, id, key);
    expect((await client.send("GET", "/qr")).status).toBe(403);
  });

  const origins = Array.from({ length: limits.keyOrigins.count + 1 }, (_, i) => `https://s${i}.example`);
  const bad: [string, object][] = [
    ["name", { type: "secret" }],
    ["name", { ...secret, name: "  " }],
    ["name", { ...secret, name: "x".repeat(101) }],
    ["type", { name: "x" }],
    ["type", { ...secret, type: "root" }],
    ["scopes", { ...secret, scopes: [] }],
    ["scopes.0", { ...secret, scopes: ["admin"] }],
    ["scopes", { ...publishable, scopes: ["qr:write"] }],
    ["origins", { ...secret, origins: ["https://shop.example"] }],
    ["origins", { name: "x", type: "publishable" }],
    ["origins", { ...publishable, origins: [] }],
    ["origins", { ...publishable, origins }],
    ["origins", { ...publishable, origins: "https://shop.example" }],
    ...[
      "*",
      "shop.example",
      "https://*.example",
      "https://shop.example/path",
      "https://shop.example?",
      "https://shop.example#",
      "https://me@shop.example",
      "https://me:word@shop.example",
      "https:shop.example",
      "ftp://shop.example",
      "null",
      "",
      " https://shop.example",
      "https://shop.example:99999",
      "https://sh op.example",
      `https://${"x".repeat(300)}.example`,
    ].map(
      (origin) =>
        ["origins.1", { ...publishable, origins: ["https://a.example", origin] }] as [string, object],
    ),
  ];
  it.each(bad)("with a bad %s is a 400 that names it: %j", async (field, body) => {
    const answer = await owner.send("POST", "/developer/keys", body);
    const { error } = (await answer.json()) as { error: string };
    expect(answer.status).toBe(400);
    expect(error).toMatch(new RegExp(`^${field.replace(".", "\\.")} `));
    expect(await owner.expect(200, ApiKeyList, "GET", "/developer/keys")).toEqual({ keys: [] });
  });

  it("beyond the limit is a 400, even when many are created at once", async () => {
    const session = await service.session();
    const make = () => session.send("POST", "/developer/keys", secret);
    const room = 4;
    await env.DB.prepare(
      `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
       SELECT value, ?1, 'Old', 'secret', '[]', '[]', value, 'sk_live_', '0000', 0 FROM json_each(?2)`,
    )
      .bind(
        session.workspaceId,
        JSON.stringify(Array.from({ length: limits.keys - room }, () => crypto.randomUUID())),
      )
      .run();
    const answers = await Promise.all(Array.from({ length: room + 5 }, make));
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
    expect(await refused[0]?.json()).toMatchObject({ error: expect.stringContaining("at most 100 keys") });
    const { keys } = await session.expect(200, ApiKeyList, "GET", "/developer/keys");
    await session.expect(200, Deleted, "DELETE", `/developer/keys/${keys[0]?.id}`);
    expect((await make()).status).toBe(201);
  });
});

describe("when a key was last used", () => {
  it("is recorded at most every five minutes, by one write", async () => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1));
    const one = new Service({ now: clock.now });
    const session = await one.session();
    const { id, key } = await session.expect(201, NewApiKey, "POST", "/developer/keys", secret);
    const other = new Service({ now: clock.now });
    const use = (at: Service) => new Client(at, session.workspaceId, id, key).send("GET", "/folders");
    const lastUsed = async () =>
      (await session.expect(200, ApiKeyList, "GET", "/developer/keys")).keys[0]?.lastUsedAt;

    expect(await lastUsed()).toBeNull();
    clock.advance(1000);
    await use(one);
    expect(await lastUsed()).toBe("2026-06-01T00:00:01.000Z");
    clock.advance(4 * 60_000);
    await use(one);
    await use(other);
    expect(await lastUsed()).toBe("2026-06-01T00:00:01.000Z");
    clock.advance(60_000);
    await use(one);
    expect(await lastUsed()).toBe("2026-06-01T00:05:01.000Z");
  });

  it("costs an isolate one statement in five minutes", async () => {
    const statements: string[] = [];
    const db = {
      prepare(text: string) {
        statements.push(text);
        return env.DB.prepare(text);
      },
      batch: (batched: D1PreparedStatement[]) => env.DB.batch(batched),
    } as D1Database;
    const clock = new FakeClock();
    const one = new Service({ now: clock.now, db });
    const client = await one.workspace();
    for (let i = 0; i < 10; i += 1) {
      expect((await client.send("GET", "/folders")).status).toBe(200);
      clock.advance(29_000);
    }
    expect(statements.filter((text) => text.startsWith("update"))).toHaveLength(1);
    clock.advance(10_000);
    await client.send("GET", "/folders");
    expect(statements.filter((text) => text.startsWith("update"))).toHaveLength(2);
  });

  it("is not changed by a refused request", async () => {
    const session = await service.session("free");
    const { id, key } = await session.expect(201, NewApiKey, "POST", "/developer/keys", secret);
    await new Client(service, session.workspaceId, id, key).send("GET", "/folders");
    const { keys } = await session.expect(200, ApiKeyList, "GET", "/developer/keys");
    expect(keys[0]?.lastUsedAt).toBeNull();
  });
});

describe("the workspace", () => {
  it("is answered with its plan, limits and usage", async () => {
    const session = await service.session("pro", null);
    const client = await service.client(session.workspaceId);
    const { id, hash } = await client.createQr();
    await client.createQr();
    await service.deps
      .ledger(session.workspaceId)
      .recordScans(packed(scanRecord({ workspaceId: session.workspaceId, qrId: id, hash })), Date.now());
    const deleted = await client.expect(201, Folder, "POST", "/folders", { name: "Deleted" });
    await client.send("DELETE", `/folders/${deleted.id}`);
    await client.send("POST", "/folders", { name: "Menus" });
    await session.send("GET", "/developer/keys");
    expect(await session.expect(200, Workspace, "GET", "/developer/workspace")).toEqual({
      id: session.workspaceId,
      name: "Test",
      logoId: null,
      plan: "pro",
      limits: {
        requestsPerMinute: 120,
        bulkRows: 1000,
        liveCodes: 5000,
        creationsPerDay: 50_000,
        folders: 5000,
        pages: 1000,
        templates: 100,
        domains: 3,
        storedBytes: 500_000_000,
        jobBytes: 32_000_000,
        webhooks: 10,
        secretKeys: true,
        qrTypes: expect.arrayContaining(["url", "servicepage"]),
      },
      usage: {
        requestsThisMinute: 2,
        liveCodes: 2,
        creationsToday: 2,
        storedBytes: expect.any(Number),
        jobBytes: 0,
        folders: 1,
        pages: 0,
        templates: 0,
        domains: 0,
        webhooks: 0,
        scans: 1,
        storage: {
          bytes: expect.any(Number),
          status: "ok",
          archive: { files: 0, scans: 0, bytes: 0, failingSince: null },
          erasures: 0,
        },
      },
      suspended: null,
    });
  });

  it("is renamed, which the operator's search and shared reports follow", async () => {
    const session = await service.session("pro");
    const renamed = await session.expect(200, Workspace, "PATCH", "/developer/workspace", {
      name: "  Harbour Öl  ",
    });
    expect(renamed.name).toBe("Harbour Öl");
    const found = await service.operator.expect(
      200,
      OperatorWorkspaceList,
      "GET",
      "/operator/workspaces?q=HARBOUR%20%C3%B6",
    );
    expect(found.items.map(({ id }) => id)).toEqual([session.workspaceId]);
    for (const name of ["", " ", "a\nb", "x".repeat(101), null]) {
      const answer = await session.send("PATCH", "/developer/workspace", { name });
      expect([name, answer.status]).toEqual([name, 400]);
    }
    expect(await session.expect(200, Workspace, "PATCH", "/developer/workspace", {})).toMatchObject({
      name: "Harbour Öl",
    });
  });

  it("shows a raised cap, and null for no cap", async () => {
    const session = await service.session("business", 1234);
    const { limits: allowed } = await session.expect(200, Workspace, "GET", "/developer/workspace");
    expect(allowed).toMatchObject({ requestsPerMinute: 1234, liveCodes: null });
  });
});
