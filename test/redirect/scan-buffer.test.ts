import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { buildDeps } from "../../src/composition.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { flushMilliseconds } from "../../src/edge/scans/scan-buffer.ts";
import { bounds } from "../../src/protocol/bounds.ts";
import type { ScansMessage } from "../../src/protocol/messages.ts";
import { phone, Service } from "../support/service.ts";

const bytesOf = (message: ScansMessage) => new TextEncoder().encode(JSON.stringify(message)).length;
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
  /** An isolate whose scans wait for others until a message is full, or until `end`. */
  async function patientEdge() {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const pause = scheduler.wait.bind(scheduler);
    const wait = vi
      .spyOn(scheduler, "wait")
      .mockImplementation((milliseconds) =>
        milliseconds === flushMilliseconds ? ended : pause(milliseconds),
      );
    onTestFinished(() => wait.mockRestore());
    const { queue, messages } = faultyQueue(() => false);
    const edge = new Service({ scanQueue: queue, scanPause: buildDeps(env).scanPause });
    const qr = await (await edge.workspace()).createQr();
    return { edge, qr, messages, end: () => end() };
  }

  it("travel 500 to a message, once each", async () => {
    const { edge, qr, messages, end } = await patientEdge();
    // No scan. From here on the isolate answers from memory.
    await edge.fetch(`/${qr.hash}`, { method: "HEAD" });
    const answered = Promise.all(
      Array.from({ length: 2 * bounds.scanMessage.scans + 1 }, () => edge.scan(qr.hash)),
    );
    await expect.poll(() => messages.length).toBe(2);
    end();
    await answered;
    expect(messages.map((message) => scansOf(message).length)).toEqual([500, 500, 1]);
    expect(new Set(messages.flatMap(scansOf).map(([id]) => id)).size).toBe(1001);
    for (const message of messages) expect(bytesOf(message)).toBeLessThanOrEqual(bounds.scanMessage.bytes);
  });

  it("of the greatest size fill messages of 60 KB, one billed unit of a queue, and no more", async () => {
    const { edge, qr, messages, end } = await patientEdge();
    const answered = Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        edge.fetch(`/${qr.hash}`, {
          headers: {
            "user-agent": `${i}${"\\".repeat(8000)}`,
            referer: `https://${`${i}.`.padEnd(200, "a.")}example/`,
          },
          cf: { country: "DE", city: `${i}`.padEnd(1000, "\u0001") } as IncomingRequestCfProperties,
        }),
      ),
    );
    await expect.poll(() => messages.length).toBeGreaterThan(1);
    end();
    await answered;
    expect(messages.flatMap(scansOf)).toHaveLength(100);
    const sizes = messages.map(bytesOf);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(bounds.scanMessage.bytes);
    for (const size of sizes.slice(0, 2)) expect(size).toBeGreaterThan(0.9 * bounds.scanMessage.bytes);
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
    const scanQueue = { ...env.SCANS, send: () => blocked } as unknown as Queue<ScansMessage>;
    // Its background tasks are counted without those of another Worker.
    const edge = new Service({ scanQueue }, { edge: false });
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
