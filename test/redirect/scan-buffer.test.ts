import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { scansPerMessage } from "../../src/redirect/scan-buffer.ts";
import type { ScansMessage } from "../../src/protocol/messages.ts";
import { ScanListResponse } from "../../src/contract/resources/scans.ts";
import { phone, Service } from "../support/service.ts";

const scansOf = ({ batches }: ScansMessage) => batches.flatMap(({ scans }) => scans);

/** The scans queue with a fault: `fail` says which sends are refused. What gets through is kept here. */
function faultyQueue(fail: (send: number) => boolean) {
  const messages: ScansMessage[] = [];
  let sends = 0;
  const queue = {
    ...env.SCANS,
    send: async (message: ScansMessage) => {
      sends += 1;
      if (fail(sends)) throw new Error("Too Many Requests");
      messages.push(structuredClone(message));
    },
  } as unknown as Queue<ScansMessage>;
  return { queue, messages, sends: () => sends };
}

describe("scans of one isolate", () => {
  it("travel together, at most a hundred to a message, each once", async () => {
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

  it("fit a queue message of 128 KB, however long the browser's name", async () => {
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

  it("are sent again when the queue refuses once", async () => {
    const { queue, messages, sends } = faultyQueue((send) => send === 1);
    const edge = new Service({ scanQueue: queue });
    const client = await edge.workspace();
    const qr = await client.createQr();
    await edge.scan(qr.hash);
    expect(sends()).toBe(2);
    expect(messages.flatMap(scansOf)).toHaveLength(1);
  });

  it("reach the ledger itself when the queue goes on refusing", async () => {
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

  it("answers the scan before any of this", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const edge = new Service({
      scanQueue: { ...env.SCANS, send: () => held } as unknown as Queue<ScansMessage>,
    });
    const client = await edge.workspace();
    const qr = await client.createQr();
    const work: Promise<unknown>[] = [];
    const response = await edge.worker.fetch(
      new Request<unknown, IncomingRequestCfProperties>(new URL(qr.hash, edge.deps.scanOrigin), {
        headers: { "user-agent": phone },
        redirect: "manual",
      }),
      env,
      { waitUntil: (promise: Promise<unknown>) => work.push(promise) } as unknown as ExecutionContext,
    );
    expect(response.status).toBe(302);
    expect(work).toHaveLength(1);
    release();
    await Promise.all(work);
  });
});
