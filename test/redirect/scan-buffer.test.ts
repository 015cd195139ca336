import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { scansPerMessage } from "../../src/redirect/scan-buffer.ts";
import type { ScansMessage } from "../../src/protocol/messages.ts";
import { ScanListResponse } from "../../src/contract/resources/scans.ts";
import { phone, Service } from "../support/service.ts";

const scansOf = ({ batches }: ScansMessage) => batches.flatMap(({ scans }) => scans);

/**
 * A scan queue that stores its messages.
 * @param fails whether the send with this number, from 1, is refused
 */
function faultyQueue(fails: (sendNumber: number) => boolean) {
  const messages: ScansMessage[] = [];
  let sends = 0;
  const queue = {
    ...env.SCANS,
    send: async (message: ScansMessage) => {
      sends += 1;
      if (fails(sends)) throw new Error("Too Many Requests");
      messages.push(structuredClone(message));
    },
  } as unknown as Queue<ScansMessage>;
  return { queue, messages, sends: () => sends };
}

describe("scans of one isolate", () => {
  it("are sent once each, at most 100 to a message", async () => {
    const { queue, messages } = faultyQueue(() => false);
    const edge = new Service({ scanQueue: queue });
    const client = await edge.workspace();
    const qr = await client.createQr();
    await Promise.all(Array.from({ length: 250 }, () => edge.scan(qr.hash)));
    const scans = messages.flatMap(scansOf);
    expect(new Set(scans.map(([id]) => id)).size).toBe(250);
    expect(scans).toHaveLength(250);
    expect(messages.length).toBeLessThanOrEqual(10);
    for (const message of messages) expect(scansOf(message).length).toBeLessThanOrEqual(scansPerMessage);
  });

  it("fit a queue message of 128 KB, however long the user agent", async () => {
    const { queue, messages } = faultyQueue(() => false);
    const edge = new Service({ scanQueue: queue });
    const client = await edge.workspace();
    const qr = await client.createQr();
    const cf = { country: "DE", city: "Ü".repeat(80) } as IncomingRequestCfProperties;
    const headers = { "user-agent": "\\".repeat(8000) };
    await Promise.all(Array.from({ length: 100 }, () => edge.fetch(`/${qr.hash}`, { headers, cf })));
    for (const message of messages) {
      expect(new TextEncoder().encode(JSON.stringify(message)).length).toBeLessThan(128_000);
    }
  });

  it("are sent again when the queue refuses them once", async () => {
    const { queue, messages, sends } = faultyQueue((sendNumber) => sendNumber === 1);
    const edge = new Service({ scanQueue: queue });
    const client = await edge.workspace();
    const qr = await client.createQr();
    await edge.scan(qr.hash);
    expect(sends()).toBe(2);
    expect(messages.flatMap(scansOf)).toHaveLength(1);
  });

  it("are written to the ledger directly when the queue refuses them twice", async () => {
    const { queue, messages } = faultyQueue(() => true);
    const edge = new Service({ scanQueue: queue });
    const [first, second] = [await edge.workspace(), await edge.workspace()];
    const [a, b] = [await first.createQr(), await second.createQr()];
    await Promise.all(Array.from({ length: 40 }, (_, i) => edge.scan(i % 4 === 0 ? b.hash : a.hash)));
    expect(messages).toEqual([]);
    const total = async (client: typeof first, id: string) =>
      (await client.expect(200, ScanListResponse, "GET", `/qr/${id}/scans`)).stats.total;
    expect([await total(first, a.id), await total(second, b.id)]).toEqual([30, 10]);
  });

  it("are answered before they are queued", async () => {
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const edge = new Service({
      scanQueue: { ...env.SCANS, send: () => blocked } as unknown as Queue<ScansMessage>,
    });
    const client = await edge.workspace();
    const qr = await client.createQr();
    // The first scan of an isolate also shares the feed page that it read.
    await edge.fetch(`/${qr.hash}`, { method: "HEAD" });
    const backgroundTasks: Promise<unknown>[] = [];
    const response = await edge.worker.fetch(
      new Request<unknown, IncomingRequestCfProperties>(new URL(qr.hash, edge.deps.settings.scanOrigin), {
        headers: { "user-agent": phone },
        redirect: "manual",
      }),
      env,
      {
        waitUntil: (promise: Promise<unknown>) => backgroundTasks.push(promise),
      } as unknown as ExecutionContext,
    );
    expect(response.status).toBe(302);
    expect(backgroundTasks).toHaveLength(1);
    release();
    await Promise.all(backgroundTasks);
  });
});
