import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { ScanBatch, ScansMessage } from "../../src/protocol/messages.ts";
import { runs } from "../support/runner/runs.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import { type Client, phone, Service } from "../support/service.ts";
import { WebhookHarness } from "../support/webhooks.ts";

/** A queue that stores its messages. The limits of queues are enforced before it is called. */
function storingQueue() {
  const messages: ScansMessage[] = [];
  const send = async (message: ScansMessage) => void messages.push(structuredClone(message));
  return { messages, queue: { send } as unknown as Queue<ScansMessage> };
}

/** The longest user agent that is recorded, different for each scan, in characters of three bytes. */
const longUserAgent = (i: number) => `${phone} ${i}`.padEnd(400, "€");

describe("scans of the greatest size", () => {
  it("are all queued, in messages that the queue takes, if no two have anything in common", async () => {
    const { messages, queue } = storingQueue();
    const edge = new Service({ scanQueue: queue });
    // Of some 1.6 KB each, so that a message takes not even forty.
    const codes = Array.from({ length: 50 }, (_, i) => ({ id: newId(Date.now()), hash: `greatest-${i}` }));
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO workspaces (id, name, plan, created_at)
         SELECT value->>'id', 'Test', 'business', 0 FROM json_each(?)`,
      ).bind(JSON.stringify(codes)),
      env.DB.prepare(
        `INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, data, tags, status, created_at, updated_at)
         SELECT value->>'id', value->>'id', value->>'hash', 1, 'url', '{"type":"url","url":"https://example.com/"}', '[]',
           'active', 0, 0 FROM json_each(?)`,
      ).bind(JSON.stringify(codes)),
    ]);
    await Promise.all(
      codes.map(({ hash }, i) =>
        edge.fetch(`/${hash}`, {
          headers: { "user-agent": longUserAgent(i), "cf-connecting-ip": `192.0.2.${i}` },
          cf: { country: "DE", city: `${i}`.padEnd(100, "Ü") } as IncomingRequestCfProperties,
        }),
      ),
    );
    const queued = messages.flatMap(({ batches }) => batches.map(({ workspaceId }) => workspaceId));
    expect(queued.sort()).toEqual(codes.map(({ id }) => id).sort());
    expect(messages.length).toBeGreaterThan(1);
  });
});

/** Messages of 100 scans each of one code. */
const fullMessages = (client: Client, qrId: string, count: number, at: number) =>
  Array.from({ length: count }, (_, m) => ({
    id: `${m}`,
    body: {
      batches: packed(
        ...Array.from({ length: 100 }, (_, i) =>
          scanRecord({
            id: newId(at),
            workspaceId: client.workspaceId,
            qrId,
            userAgent: longUserAgent(m * 100 + i),
            city: `${m * 100 + i}`.padEnd(100, "Ü"),
            visitor: (m * 100 + i).toString(16).padStart(16, "0"),
          }),
        ),
      ),
    },
  }));

describe("the largest batch of messages", () => {
  it("of one workspace is recorded", async () => {
    const service = new Service();
    const client = await service.workspace();
    const qr = await client.createQr();
    const count = runs(2, 100);
    const result = await service.consume("scans", fullMessages(client, qr.id, count, Date.now()));
    expect(result.explicitAcks).toHaveLength(count);
    const { stats } = await client.expect(200, ScanListResponse, "GET", `/qr/${qr.id}/scans?limit=500`);
    expect(stats).toEqual({ total: count * 100, uniqueVisitors: count * 100 });
    const exported = await client.send("GET", "/scans/export?format=ndjson");
    expect((await exported.text()).trimEnd().split("\n")).toHaveLength(count * 100);
  });

  it.each(["realtime", "batched_5m"] as const)(
    "of scans that a webhook is sent in mode %s is recorded",
    async (mode) => {
      const harness = await new WebhookHarness().createWorkspace();
      await harness.createWebhook({ events: ["qr.scanned"], mode });
      const qr = await harness.client.createQr();
      const count = runs(2, 100);
      const messages = fullMessages(harness.client, qr.id, count, harness.clock.now());
      const result = await harness.service.consume("scans", messages);
      expect(result.explicitAcks).toHaveLength(count);
    },
  );

  it("of more workspaces than an invocation can call is recorded in several", async () => {
    const recorded = new Map<string, number>();
    const service = new Service({
      ledger: (workspaceId) =>
        ({
          recordScans: async (batches: readonly ScanBatch[]) => {
            for (const { scans } of batches) {
              recorded.set(workspaceId, (recorded.get(workspaceId) ?? 0) + scans.length);
            }
            return [];
          },
        }) as never,
    });
    const count = 11;
    const ids = Array.from({ length: count * 100 }, () => crypto.randomUUID());
    let messages = Array.from({ length: count }, (_, m) => ({
      id: `${m}`,
      body: {
        batches: ids
          .slice(m * 100, m * 100 + 100)
          .flatMap((workspaceId) => packed(scanRecord({ workspaceId }))),
      },
    }));
    let invocations = 0;
    while (messages.length > 0) {
      const { retryMessages } = await service.consume("scans", messages);
      invocations += 1;
      expect(retryMessages.length).toBeLessThan(messages.length);
      const again = new Set(retryMessages.map(({ msgId }) => msgId));
      messages = messages.filter(({ id }) => again.has(id));
    }
    expect(invocations).toBeGreaterThan(1);
    expect(ids.filter((id) => recorded.get(id) !== 1)).toEqual([]);
  });
});
