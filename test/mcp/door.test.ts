import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { limits } from "../../src/contract/limits.ts";
import { QrList } from "../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Me, NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { Answer } from "../../src/mcp/tools/changes.ts";
import { Agent } from "../support/agents.ts";
import { BulkHarness } from "../support/bulk.ts";
import { Client, type SessionClient } from "../support/service.ts";

let harness: BulkHarness;
let client: Client;
let session: SessionClient;

beforeEach(async () => {
  harness = new BulkHarness();
  client = await harness.service.workspace();
  session = await harness.service.sessionIn(client.workspaceId);
});

const call = (name: string, input: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: input },
});

/** Sends a message without a client. */
const post = (body: unknown, headers: Record<string, string> = {}, key: string | null = client.key) =>
  harness.service.fetch("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const initialize = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "desk-helper", version: "1" },
};

const Refusal = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.null(),
  error: z.object({ code: z.number(), message: z.string(), data: z.object({ code: z.string() }) }),
});

async function expectRefusal(response: Response, status: number, message: string): Promise<void> {
  const { error } = Refusal.parse(await response.json());
  expect({ status: response.status, message: error.message }).toEqual({
    status,
    message: expect.stringContaining(message),
  });
}

describe("the door", () => {
  it("needs a secret key, and reads no cookie", async () => {
    const unauthorized = await post(call("workspace"), {}, null);
    expect(unauthorized.headers.get("www-authenticate")).toBe("Bearer");
    await expectRefusal(unauthorized, 401, "API key is missing");
    await expectRefusal(await post(call("workspace"), { cookie: session.cookie }, null), 401, "missing");
    const publishable = await harness.service.client(client.workspaceId, ["qr:write"], "publishable", [
      "https://shop.example",
    ]);
    await expectRefusal(await post(call("workspace"), {}, publishable.key), 403, "secret key");
    const free = await harness.service.workspace("free");
    await expectRefusal(await post(call("workspace"), {}, free.key), 403, "doesn't include secret keys");
  });

  it("is closed to web pages of other origins, and sends no CORS headers", async () => {
    await expectRefusal(await post(call("workspace"), { origin: "https://evil.example" }), 403, "origins");
    await expectRefusal(await post(call("workspace"), { origin: "null" }), 403, "origins");
    const own = await post(call("workspace"), { origin: harness.service.deps.settings.appOrigin });
    expect(own.status).toBe(200);
    expect([...own.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(own.headers.get("cache-control")).toBe("no-store");
    expect((await harness.service.fetch("/mcp", { method: "OPTIONS" })).status).toBe(405);
    expect((await harness.service.fetch("/mcp")).headers.get("allow")).toBe("POST");
  });

  it("takes one message, and counts each as a request", async () => {
    await expectRefusal(await post([call("workspace"), call("workspace")]), 400, "one JSON-RPC message");
    const limited = await harness.service.workspace("business", 3);
    for (const remaining of ["2", "1", "0"]) {
      const response = await post(call("workspace"), {}, limited.key);
      expect(response.headers.get("x-ratelimit-remaining")).toBe(remaining);
    }
    const over = await post(call("workspace"), {}, limited.key);
    expect(over.headers.get("retry-after")).not.toBeNull();
    await expectRefusal(over, 429, "");
  });

  it("keeps no stream open", async () => {
    const modern = await Agent.connect(client);
    await expect(modern.mcp.listen({ toolsListChanged: true })).rejects.toThrow();
  });

  it("speaks the protocol of 2025, too, whose clients are named by their User-Agent", async () => {
    const agent = await Agent.connect(client, "legacy");
    expect((await agent.toolNames()).length).toBeGreaterThan(5);
    const response = await post(
      call("create_codes", { codes: [{ qrType: "url", data: { type: "url", url: "a.example" } }] }),
      { "user-agent": "desk-helper/2.1 (linux)" },
    );
    const text = await response.text();
    const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    await post(call("create_codes", { token: result.structuredContent.token }), {
      "user-agent": "desk-helper/2.1 (linux)",
    });
    const { items } = await session.expect(200, HistoryList, "GET", "/developer/history?kind=code");
    expect(items).toMatchObject([{ action: "code.created", via: "mcp", client: "desk-helper" }]);
  });

  it.each(["application/json", "*/*", "application/*;q=0.9, text/plain", null])(
    "answers with JSON who accepts %s",
    async (accept) => {
      for (const [method, params, result] of [
        ["initialize", initialize, { serverInfo: { title: expect.any(String) } }],
        ["tools/list", {}, { tools: expect.any(Array) }],
        ["tools/list", null, { tools: expect.any(Array) }],
        ["tools/call", { name: "workspace", arguments: null }, { structuredContent: expect.any(Object) }],
        ["tools/call", { name: "workspace" }, { structuredContent: expect.any(Object) }],
      ] as const) {
        const { service, key } = client;
        const response = await service.fetch("/mcp", {
          method: "POST",
          headers: {
            ...(accept !== null && { accept }),
            "content-type": "application/json",
            authorization: `Bearer ${key}`,
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
        });
        expect([method, response.status, response.headers.get("content-type")]).toEqual([
          method,
          200,
          "application/json",
        ]);
        expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: 7, result });
      }
    },
  );

  it("refuses a key that was revoked between the dry run and the change", async () => {
    await client.createQr();
    const agent = await Agent.connect(client);
    const { token } = await agent.ask(Answer, "change_codes", { filter: {}, change: { status: "paused" } });
    expect((await session.send("DELETE", `/developer/keys/${client.keyId}`)).status).toBe(200);
    await expect(agent.call("change_codes", { token })).rejects.toThrow();
  });

  it("bounds the bytes of the changes that wait", async () => {
    await client.createQr();
    const agent = await Agent.connect(client);
    const dryRun = () => agent.call("change_codes", { filter: {}, change: { status: "paused" } });
    expect((await dryRun()).isError).toBeUndefined();
    await harness.service.deps.db
      .prepare("UPDATE proposals SET bytes = ? WHERE workspace_id = ?")
      .bind(limits.proposals.bytes, client.workspaceId)
      .run();
    expect(await agent.refusal("change_codes", { filter: {}, change: { status: "paused" } })).toMatch(
      /Try again in 600 seconds\. \(rate_limited\)$/,
    );
    harness.clock.advance(11 * 60_000);
    expect((await dryRun()).isError).toBeUndefined();
  });

  it("counts the changes that were made or have expired, which make room for others", async () => {
    const bytes = 12_000;
    const before = limits.proposals.bytes;
    Object.assign(limits.proposals, { bytes });
    try {
      await client.createQr();
      const agent = await Agent.connect(client);
      for (let i = 0; i < 12; i += 1) {
        const tag = { addTags: [`tag ${i}`] };
        const { token } = await agent.ask(Answer, "change_codes", { filter: {}, change: tag });
        if (i % 2 === 0) await agent.ask(Answer, "change_codes", { token });
        else harness.clock.advance(11 * 60_000);
        const stored = await harness.service.deps.db
          .prepare(
            `SELECT sum(bytes) AS counted, sum(length(change) + length(seen) + length(difference)) AS contents
             FROM proposals WHERE workspace_id = ?`,
          )
          .bind(client.workspaceId)
          .first<{ counted: number; contents: number }>();
        expect(stored?.counted).toBeLessThanOrEqual(bytes);
        expect(stored?.contents).toBeLessThan(stored?.counted ?? 0);
      }
      for (let i = 0; i < bytes / 2048 - 1; i += 1) {
        await agent.call("change_codes", { filter: {}, change: { addTags: [`waiting ${i}`] } });
      }
      expect(
        await agent.refusal("change_codes", { filter: {}, change: { addTags: ["one too many"] } }),
      ).toContain("(rate_limited)");
    } finally {
      Object.assign(limits.proposals, { bytes: before });
    }
  });

  it("empties proposals once they are used or have expired", async () => {
    await client.createQr({ name: "Menu" });
    const agent = await Agent.connect(client);
    const dryRun = (status: string) =>
      agent.ask(Answer, "change_codes", { filter: {}, change: { status, addTags: ["contents"] } });
    const used = await dryRun("paused");
    const expired = await dryRun("paused");
    await agent.ask(Answer, "change_codes", { token: used.token });
    const contents = async () => {
      const { results } = await harness.service.deps.db
        .prepare("SELECT change, seen, difference FROM proposals WHERE workspace_id = ? ORDER BY id")
        .bind(client.workspaceId)
        .all();
      return results.map((row) => JSON.stringify(row).includes("contents"));
    };
    expect(await contents()).toEqual([false, true]);
    harness.clock.advance(10 * 60_000);
    await harness.sweep();
    expect(await contents()).toEqual([false, false]);
    expect(await agent.refusal("change_codes", { token: expired.token })).toContain("has expired");
    expect(await agent.refusal("change_codes", { token: used.token })).toContain("only once");
  });

  it("forgets proposals a day after they expired", async () => {
    await client.createQr();
    const agent = await Agent.connect(client);
    await agent.ask(Answer, "change_codes", { filter: {}, change: { status: "paused" } });
    const count = () =>
      harness.service.deps.db
        .prepare("SELECT count(*) AS n FROM proposals WHERE workspace_id = ?")
        .bind(client.workspaceId)
        .first<number>("n");
    harness.clock.advance(23 * 60 * 60_000);
    await harness.sweep();
    expect(await count()).toBe(1);
    harness.clock.advance(2 * 60 * 60_000);
    await harness.sweep();
    expect(await count()).toBe(0);
  });
});

describe("a key whose changes a person confirms", () => {
  let key: Client;
  let agent: Agent;

  beforeEach(async () => {
    const created = await session.expect(201, NewApiKey, "POST", "/developer/keys", {
      name: "Agent",
      type: "secret",
      scopes: ["qr:write", "history:read"],
      personConfirms: true,
    });
    expect(created.personConfirms).toBe(true);
    key = new Client(harness.service, client.workspaceId, created.id, created.key);
    agent = await Agent.connect(key);
  });

  const propose = async () => {
    await client.createQr({ name: "Menu" });
    return agent.ask(Answer, "change_codes", { filter: {}, change: { addTags: ["summer"] } });
  };
  const pageOf = ({ confirmAt }: z.output<typeof Answer>) => new URL(confirmAt ?? "").pathname;
  const open = (address: string, by = session) =>
    harness.service.fetch(address, { headers: { cookie: by.cookie } });
  const confirm = (address: string, by = session) =>
    harness.service.fetch(address, {
      method: "POST",
      headers: { cookie: by.cookie, origin: harness.service.deps.settings.appOrigin },
      body: new URLSearchParams({ workspace: client.workspaceId }),
    });
  const tags = async () => (await client.expect(200, QrList, "GET", "/qr")).items.flatMap((qr) => qr.tags);

  it("changes nothing by the API", async () => {
    expect(await key.expect(200, Me, "GET", "/me")).toMatchObject({ key: { personConfirms: true } });
    expect((await key.send("GET", "/qr")).status).toBe(200);
    const { items } = await session.expect(200, HistoryList, "GET", "/developer/history");
    for (const [method, path, body] of [
      ["POST", "/qr", { qrType: "url", data: { type: "url", url: "a.example" } }],
      ["POST", "/qr/bulk", { items: [] }],
      ["POST", "/qr/bulk-update", { filter: {}, change: { delete: true } }],
      ["POST", `/developer/history/${items[0]?.id}/revert`, undefined],
    ] as const) {
      const response = await key.send(method, path, body);
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("/mcp")]);
    }
  });

  it("proposes a change, which a person looks at and makes", async () => {
    const proposal = await propose();
    expect(proposal.token).toBeUndefined();
    const page = await (await open(pageOf(proposal))).text();
    for (const text of ["Agent", "Desk Helper", "Sets the tags of 1 code.", "Menu", "summer", "Approve"]) {
      expect(page).toContain(text);
    }
    expect(await tags()).toEqual([]);
    expect(await agent.ask(z.any(), "job", { id: proposal.proposalId })).toMatchObject({
      proposal: { status: "waiting", usedBy: null },
    });
    const made = await confirm(pageOf(proposal));
    expect([made.status, made.headers.get("location")]).toEqual([
      303,
      expect.stringContaining("/dashboard/jobs/"),
    ]);
    expect(await tags()).toEqual(["summer"]);
    const { proposal: done } = await agent.ask(z.any(), "job", { id: proposal.proposalId });
    expect(done).toMatchObject({ status: "used", result: { jobId: expect.any(String), error: null } });
    const { items } = await session.expect(200, HistoryList, "GET", "/developer/history?kind=job");
    expect(items[0]).toMatchObject({
      actor: { kind: "person", id: session.userId },
      changes: { proposedBy: { after: "Agent" } },
    });
    expect(await (await confirm(pageOf(proposal))).text()).toContain("can be made only once");
    expect(await (await open(pageOf(proposal))).text()).toContain("approved this change on");
  });

  it("isn't obeyed for viewers, strangers, after its revocation or a day", async () => {
    const proposal = await propose();
    const viewer = await harness.service.sessionIn(client.workspaceId, "viewer");
    expect((await open(pageOf(proposal), viewer)).status).toBe(403);
    expect((await confirm(pageOf(proposal), viewer)).status).toBe(403);
    const stranger = await harness.service.session();
    expect((await open(pageOf(proposal), stranger)).status).toBe(404);
    const other = await propose();
    harness.clock.advance(24 * 60 * 60_000);
    const again = await session.again();
    expect(await (await confirm(pageOf(other), again)).text()).toContain("has expired");
    const third = await propose();
    expect((await again.send("DELETE", `/developer/keys/${key.keyId}`)).status).toBe(200);
    expect(await (await confirm(pageOf(third), again)).text()).toContain("has been revoked");
    expect(await tags()).toEqual([]);
  });

  it("keeps the mark when it is rotated", async () => {
    const rotated = await session.expect(201, NewApiKey, "POST", `/developer/keys/${key.keyId}/rotate`, {});
    expect(rotated.personConfirms).toBe(true);
  });
});
