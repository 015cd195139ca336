import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeProvider } from "../support/provider.ts";
import { type Client, Service, type SessionClient } from "../support/service.ts";

const provider = await FakeProvider.start();
const service = new Service({ fetch: provider.fetch });
const address = "203.0.113.77";
let client: Client;
let session: SessionClient;

/** Changes that fail. */
const refused = [
  "INSERT ON qr_codes",
  "UPDATE OF has_webhooks ON workspaces",
  "INSERT ON users",
  "INSERT ON dead_letters",
];

/** Makes D1 itself refuse these changes. */
beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
  for (const [i, change] of refused.entries()) {
    const trigger = `CREATE TRIGGER full_${i} BEFORE ${change} BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`;
    await env.DB.prepare(trigger).run();
  }
});
afterEach(() => vi.restoreAllMocks());

/** The lines that a call writes to the log, as one text. */
async function logged(call: () => Promise<unknown>): Promise<string> {
  const spies = (["log", "warn", "error"] as const).map((method) => vi.spyOn(console, method));
  await call();
  return spies.flatMap((spy) => spy.mock.calls.flat().map(String)).join("\n");
}

describe("the log of a change that D1 refuses", () => {
  it("has D1's error, and nothing of a new code or of its client", async () => {
    const body = {
      name: "Zebulon's Zinnias",
      qrType: "email",
      data: { type: "email", to: "zebulon@zinnias.example", body: "Zesty greetings" },
      tags: ["zucchini"],
    };
    const headers = { "cf-connecting-ip": address, "user-agent": "Zeppelin/1.0" };
    const log = await logged(async () => {
      const response = await client.send("POST", "/qr", body, headers);
      expect([response.status, await response.json()]).toEqual([
        500,
        { code: "internal", error: "Something went wrong on our side. Try again." },
      ]);
    });
    expect(log).toContain("request failed");
    expect(log).toContain("D1_ERROR: the disk is full");
    expect(log).not.toMatch(/ze[bps]|zinnias|zucchini|203\.0\.113/i);
    expect(log).not.toContain(client.key);
  });

  it("has the statement of a query that was no batch, without its parameters", async () => {
    const log = await logged(async () => {
      const hook = { url: "https://zebulon.zinnias.example/", events: ["qr.created"] };
      const response = await session.send("POST", "/developer/webhooks", hook);
      expect(response.status).toBe(500);
    });
    expect(log).toContain('Failed query: update \\"workspaces\\"');
    expect(log).toContain("Caused by: Error: D1_ERROR: the disk is full");
    expect(log).not.toMatch(/ze[bp]|zinnias|params/i);
  });

  it("has nothing of a new user or of their token", async () => {
    const token = await provider.token({
      sub: "zebulon-1",
      name: "Zebulon",
      email: "zebulon@zinnias.example",
    });
    const log = await logged(async () => {
      const headers = { authorization: `Bearer ${token}`, "cf-connecting-ip": address };
      expect((await service.fetch("/api/v1/developer/keys", { headers })).status).toBe(500);
    });
    expect(log).toContain("D1_ERROR: the disk is full");
    expect(log).not.toMatch(/zebulon|zinnias|203\.0\.113|eyJ/i);
  });

  it("has nothing of a dead letter, which is retried", async () => {
    const log = await logged(async () => {
      const message = { id: "letter-1", body: { userAgent: "Zeppelin/1.0" } };
      const result = await service.consume("scans-dead", [message]);
      expect(result).toMatchObject({
        outcome: "ok",
        explicitAcks: [],
        retryMessages: [{ msgId: "letter-1" }],
      });
    });
    expect(log).toContain("dead letter not stored");
    expect(log).toContain("D1_ERROR: the disk is full");
    expect(log).not.toMatch(/zeppelin/i);
  });

  it("has nothing of an unreadable message", async () => {
    const log = await logged(() => service.consume("bulk", [{ id: "odd-1", body: { name: "Zebulon" } }]));
    expect(log).toContain('"message":"unreadable message acknowledged","queue":"bulk","id":"odd-1"}');
    expect(log).not.toContain("Zebulon");
  });
});
