import { expect } from "vitest";
import { BulkJob, BulkJobWithItems } from "../../src/contract/resources/bulk.ts";
import type { BulkChunk } from "../../src/protocol/messages.ts";
import { type Client, FakeClock, Service } from "./service.ts";

/** A service whose bulk queue is held: chunks wait in `held` until a test delivers them. */
export class BulkHarness {
  readonly clock = new FakeClock();
  readonly held: BulkChunk[] = [];
  queueIsDown = false;
  readonly service = new Service({
    now: this.clock.now,
    bulkQueue: {
      sendBatch: async (messages: Iterable<MessageSendRequest<BulkChunk>>) => {
        if (this.queueIsDown) throw new Error("queue is away");
        for (const message of messages) this.held.push(message.body);
      },
    } as unknown as Queue<BulkChunk>,
  });

  /** Delivers chunks to the consumer, of another isolate if one is given. */
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
    await this.deliver(this.held.splice(0));
    return this.read(client, jobId);
  }
}

/** A good element of a JSON job. */
export const item = (i: number) => ({
  name: `Item ${i}`,
  qrType: "url",
  data: { type: "url", url: `example.com/${i}` },
});

/** So many good elements. */
export const goodItems = (count: number) => Array.from({ length: count }, (_, i) => item(i));
