import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DurableObjectStorageHandle, Miniflare, type MiniflareOptions } from "miniflare";
import { expect } from "vitest";
import { seedCodes, seedWorkspace, workspaceId } from "../../../scripts/lib/seed.ts";
import { serviceOptions } from "../../../scripts/lib/service-options.ts";
import { root, runWrangler } from "../../../scripts/lib/wrangler.ts";
import { requireCleanLog } from "../../support/runner/log-watch.ts";
import { builtOnce } from "./built-once.ts";
import { freePort } from "./dev-server.ts";
import { waitTimeout } from "./load.ts";
import { runtimeProcesses } from "./runtime-processes.ts";

/** A line of the service's log, with the fields that tests read. */
export interface LogLine {
  readonly message: string;
  readonly scans?: number;
  readonly attempt?: number;
}

/** Batches of 100 messages after which a queue is taken to be unlimited. */
const maxFillBatches = 200;

/** How a server differs from the deployed Worker. */
interface ServerOptions {
  /** The scan queue in place of the deployed one. */
  readonly queue?: "faulty" | "durable";
  /** Variables by its own origin, besides those that all benchmarks set. */
  readonly variables?: (origin: string) => Record<string, string>;
}

/** Builds the Worker of these tests. @returns the path of its script */
async function builtWorker(): Promise<string> {
  const entry = join(root, "test/e2e/support/load-worker.ts");
  const folder = await builtOnce("load-worker", async (outdir) => {
    const args = ["deploy", entry, "--dry-run", "--outdir", outdir];
    await runWrangler(args, AbortSignal.timeout(2 * waitTimeout));
  });
  return join(folder, "load-worker.js");
}

/** The built Worker and a persisted state with codes. Each server starts on a copy of the state. */
export class LoadFixture implements AsyncDisposable {
  readonly #script: string;
  readonly #directory: string;
  #paths: readonly string[] = [];

  private constructor(script: string, directory: string) {
    this.#script = script;
    this.#directory = directory;
  }

  /** @param codes how many there are */
  static async create(codes: number): Promise<LoadFixture> {
    const fixture = new LoadFixture(await builtWorker(), await mkdtemp(join(tmpdir(), "qr-load-")));
    try {
      const miniflare = new Miniflare(fixture.#options(await freePort(), fixture.#seed));
      try {
        await seedWorkspace(miniflare);
        const dataOf = (i: number) => ({ type: "url", url: `https://example.com/${i}` });
        fixture.#paths = (await seedCodes(miniflare, codes, dataOf)).map((hash) => `/${hash}`);
      } finally {
        await miniflare.dispose();
      }
      return fixture;
    } catch (error) {
      await fixture[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts the Worker on a free port, with all codes and no scans. */
  async serve(options: ServerOptions = {}): Promise<LoadServer> {
    const data = join(this.#directory, `data-${crypto.randomUUID()}`);
    await cp(this.#seed, data, { recursive: true });
    return this.#start(data, options);
  }

  /** Starts the Worker on the data of another server, which has been killed. */
  async restart(killed: LoadServer, options: ServerOptions): Promise<LoadServer> {
    await killed.hasEnded();
    return this.#start(killed.data, options);
  }

  async #start(data: string, { queue, variables }: ServerOptions): Promise<LoadServer> {
    const port = await freePort();
    const others = runtimeProcesses();
    const log: string[] = [];
    const origin = `http://127.0.0.1:${port}`;
    const options = this.#options(port, data, (line) => log.push(line), {
      ...(queue === undefined ? {} : { SCAN_QUEUE: queue }),
      ...variables?.(origin),
    });
    const miniflare = new Miniflare(options);
    const ledger = await miniflare.unsafeGetDurableObjectStorage(
      options.workers[0]?.config.name ?? "",
      "WorkspaceLedger",
      { name: workspaceId },
    );
    const processes = runtimeProcesses().filter((pid) => !others.includes(pid));
    return new LoadServer(origin, this.#paths, {
      miniflare,
      ledger,
      log,
      data,
      processes,
    });
  }

  get #seed(): string {
    return join(this.#directory, "seed");
  }

  #options(
    port: number,
    data: string,
    onLog?: (line: string) => void,
    variables: Record<string, string> = {},
  ): MiniflareOptions {
    return {
      ...serviceOptions(port, this.#script, { variables }),
      resourcePersistencePath: data,
      unsafeInspectDurableObjects: true,
      handleStructuredLogs: ({ message }) => onLog?.(message),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.#directory, { recursive: true });
  }
}

/** The parts of a running service that its tests use. */
interface Runtime {
  readonly miniflare: Miniflare;
  readonly ledger: DurableObjectStorageHandle;
  readonly log: readonly string[];
  readonly data: string;
  /** Process ids of its workerd. */
  readonly processes: readonly number[];
}

/** The service in workerd, without a proxy in front of it. `await using` ends it. */
export class LoadServer implements AsyncDisposable {
  readonly origin: string;
  /** Paths of its codes: each answers 302. */
  readonly paths: readonly string[];
  /** The folder of its data. */
  readonly data: string;
  readonly #miniflare: Miniflare;
  readonly #ledger: DurableObjectStorageHandle;
  readonly #log: readonly string[];
  readonly #processes: readonly number[];

  constructor(origin: string, paths: readonly string[], runtime: Runtime) {
    this.origin = origin;
    this.paths = paths;
    this.data = runtime.data;
    this.#miniflare = runtime.miniflare;
    this.#ledger = runtime.ledger;
    this.#log = runtime.log;
    this.#processes = runtime.processes;
  }

  /** Kills the runtime at once: it runs no further code. */
  kill(): void {
    for (const pid of this.#processes) process.kill(pid, "SIGKILL");
  }

  /** Waits until the killed runtime is gone, with its locks on the databases. */
  async hasEnded(): Promise<void> {
    const left = () => runtimeProcesses().filter((pid) => this.#processes.includes(pid));
    await expect.poll(left, { timeout: waitTimeout }).toEqual([]);
  }

  /** The path and user agent of each human scan in the ledger, with a space between them. */
  async scans(): Promise<string[]> {
    const rows = await this.#ledger.exec<{ scan: string }>(
      `SELECT '/' || c.hash || ' ' || a.user_agent AS scan
       FROM scans s JOIN codes c ON c.ref = s.code JOIN agents a ON a.ref = s.agent`,
    );
    return rows.map(({ scan }) => scan);
  }

  /** Counts of scans in the ledger: raw rows, and the total of its statistics. */
  async ledger() {
    const [row] = await this.#ledger.exec<Record<"humans" | "bots" | "total", number>>(`
      SELECT (SELECT count(*) FROM scans) AS humans,
        (SELECT count(*) FROM bot_scans) AS bots,
        (SELECT coalesce(sum(scans), 0) FROM codes) AS total`);
    return {
      rows: { humans: row?.humans, bots: row?.bots },
      total: row?.total,
    };
  }

  /** How many events of a kind webhooks in mode `batched_5m` have got. */
  async batchedEvents(kind: string): Promise<number> {
    const [row] = await this.#ledger.exec<{ n: number }>(
      "SELECT count(*) AS n FROM batch_events WHERE event = ?",
      kind,
    );
    return row?.n ?? 0;
  }

  /** Log lines with this message. */
  logLines(message: string): LogLine[] {
    return this.#log.map(readLine).filter((line) => line.message === message);
  }

  /** Waits until the consumer has finished all messages that are in the scan queue now. */
  async drain(): Promise<void> {
    const queue = await this.#miniflare.getQueueProducer("SCANS");
    // The consumer logs an unreadable message when it begins its batch. Batches run one after another, so that the
    // second marker's log line shows that the first marker's batch has ended.
    const logged = () => this.logLines("unreadable message acknowledged").length;
    for (let marker = 1; marker <= 2; marker += 1) {
      const before = logged();
      await queue.send("marker");
      await expect.poll(logged, { timeout: waitTimeout, interval: 100 }).toBeGreaterThan(before);
    }
  }

  /** Fills the scan queue, until it refuses more, with messages without scans that are delayed by an hour. */
  async fillQueue(): Promise<void> {
    const queue = await this.#miniflare.getQueueProducer("SCANS");
    const batch = Array.from({ length: 100 }, () => ({ body: { scans: [] } }));
    for (let sent = 0; sent < maxFillBatches; sent += 1) {
      try {
        await queue.sendBatch(batch, { delaySeconds: 3600 });
      } catch {
        return;
      }
    }
    throw new Error(`the queue still accepted messages after ${maxFillBatches * batch.length}`);
  }

  /** @throws if its log held a secret */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#miniflare.dispose();
    requireCleanLog(this.#log);
  }
}

/** The service logs JSON, the runtime plain text. */
function readLine(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { message: text };
  }
}
