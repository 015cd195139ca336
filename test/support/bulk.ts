import { expect } from "vitest";
import { BulkJob, BulkJobWithItems } from "../../src/contract/resources/bulk.ts";
import type { BulkChunk } from "../../src/protocol/messages.ts";
import { type Client, FakeClock, Service } from "./service.ts";

/** A service whose bulk queue collects chunks in `queuedChunks` until a test delivers them. */
export class BulkHarness {
  readonly clock = new FakeClock();
  readonly queuedChunks: BulkChunk[] = [];
  queueIsDown = false;
  readonly service = new Service({
    now: this.clock.now,
    bulkQueue: {
      sendBatch: async (messages: Iterable<MessageSendRequest<BulkChunk>>) => {
        if (this.queueIsDown) throw new Error("queue is down");
        for (const message of messages) this.queuedChunks.push(message.body);
      },
    } as unknown as Queue<BulkChunk>,
  });

  /** Delivers chunks to the consumer, by default in this isolate. */
  async deliver(chunks: readonly BulkChunk[], service = this.service) {
    return service.consume(
      "bulk",
      chunks.map((body) => ({ body })),
    );
  }

  csv(client: Client, text: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
    return client.send("POST", "/qr/bulk", text, { "content-type": "text/csv", ...headers });
  }

  json(client: Client, items: unknown): Promise<Response> {
    return client.send("POST", "/qr/bulk", { items });
  }

  read(client: Client, jobId: string): Promise<BulkJobWithItems> {
    return client.expect(200, BulkJobWithItems, "GET", `/qr/bulk/${jobId}`);
  }

  async accepted(response: Response): Promise<BulkJob> {
    const body = await response.json();
    expect({ status: response.status, body }).toEqual({ status: 202, body: expect.anything() });
    return BulkJob.parse(body);
  }

  /** Stages and runs a job to its end. */
  async run(client: Client, response: Response): Promise<BulkJobWithItems> {
    const { jobId } = await this.accepted(response);
    await this.deliver(this.queuedChunks.splice(0));
    return this.read(client, jobId);
  }
}

/** A valid item of a JSON job. */
export const item = (i: number) => ({
  name: `Item ${i}`,
  qrType: "url",
  data: { type: "url", url: `example.com/${i}` },
});

/** A number of valid items. */
export const goodItems = (count: number) => Array.from({ length: count }, (_, i) => item(i));
