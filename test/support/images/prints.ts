import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { PrintJob } from "../../../src/contract/resources/images/prints.ts";
import { slice } from "../../../src/domain/print/pace.ts";
import { readTable } from "../../../src/lib/text/csv.ts";
import type { DuePrints } from "../../../src/protocol/messages.ts";
import { BulkHarness, insertCodes } from "../bulk.ts";
import type { Client, Service } from "../service.ts";
import { readZip } from "../zip.ts";

/** A service whose queue of print jobs collects messages in `prints` until a test delivers them. */
export class PrintHarness extends BulkHarness {
  readonly prints: DuePrints[] = [];
  printsAreDown = false;

  override isolate(overrides: DepsOverrides = {}): Service {
    const send = async (message: DuePrints) => {
      if (this.printsAreDown) throw new Error("queue is down");
      this.prints.push(message);
    };
    return super.isolate({ printQueue: { send } as unknown as Queue<DuePrints>, ...overrides });
  }

  /** Delivers messages to the consumer, one at a time. */
  async print(messages: readonly DuePrints[], service = this.service) {
    for (const body of messages) {
      const { explicitAcks } = await service.consume("prints", [{ body }]);
      expect(explicitAcks).toHaveLength(1);
    }
  }

  /** Delivers what is queued now: a slice of each workspace's job. */
  printSlices = (service = this.service) => this.print(this.prints.splice(0), service);

  /** Delivers what is queued, and what that queues, until nothing is left. */
  async printAll(service = this.service): Promise<void> {
    while (this.prints.length > 0) await this.printSlices(service);
  }

  /** A workspace with codes. */
  async workspaceWith(count: number): Promise<Client> {
    const client = await this.service.workspace();
    await insertCodes(client, count);
    return client;
  }

  /** Starts a job, a moment after the one before. */
  start(client: Client, kind: PrintJob["kind"], body: object, headers: Record<string, string> = {}) {
    this.clock.advance(1);
    return client.expect(202, PrintJob.strict(), "POST", `/qr/${kind}/jobs`, body, headers);
  }

  job(client: Client, { jobId }: PrintJob): Promise<PrintJob> {
    return client.expect(200, PrintJob.strict(), "GET", `/qr/print-jobs/${jobId}`);
  }

  file(client: Client, { jobId }: PrintJob): Promise<Response> {
    return client.send("GET", `/qr/print-jobs/${jobId}/file`);
  }

  /** The files of a completed job, and the rows of their table without its header. */
  async archive(client: Client, job: PrintJob) {
    const response = await this.file(client, job);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
    const files = readZip(new Uint8Array(await response.arrayBuffer()));
    const table = files.get("codes.csv") ?? new Uint8Array();
    files.delete("codes.csv");
    const [header, ...rows] = readTable(table, { maxColumns: 5, maxRecords: 20_000 });
    const last = job.kind === "labels" ? "note" : "@image";
    expect(header).toEqual(["name", "scanUrl", "file", "error", last]);
    return { files, rows };
  }
}

/** How many codes a small slice has. */
export const inSlice = 5;

/** The same with small slices. */
export class SlicedPrintHarness extends PrintHarness {
  override isolate(overrides: DepsOverrides = {}): Service {
    return super.isolate({ printSlice: { ...slice, codes: inSlice }, ...overrides });
  }
}

/** The names of a job's objects in R2. */
export async function objectsOf({ jobId }: PrintJob): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: "prints/" });
  return objects.map(({ key }) => key).filter((key) => key.includes(jobId));
}

/** The bucket, some of whose methods are others. */
export const bucketWith = (
  methods: Partial<Record<keyof R2Bucket, (...args: never[]) => unknown>>,
): R2Bucket =>
  new Proxy(env.FILES, {
    get(target, name) {
      const own: unknown = methods[name as keyof R2Bucket];
      if (own !== undefined) return own;
      const method: unknown = Reflect.get(target, name, target);
      return typeof method === "function" ? (method.bind(target) as unknown) : method;
    },
  });
