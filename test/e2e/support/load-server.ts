import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type DurableObjectStorageHandle, Miniflare, type MiniflareOptions } from "miniflare";
import { expect } from "vitest";
import { seedCodes, seedWorkspace, workspaceId } from "../../../bench/seed.ts";
import { serviceOptions } from "../../../bench/service-options.ts";
import { root, runWrangler } from "../../../scripts/lib/wrangler.ts";
import { freePort } from "./dev-server.ts";
import { patience } from "./load.ts";

/** A line of the service's log, with those of its fields that are looked at. */
export interface LogLine {
  readonly message: string;
  readonly body?: unknown;
  readonly scans?: number;
  readonly attempt?: number;
}

/** Batches of 100 that a queue may take before it is held to be one that never refuses. */
const fillingBatches = 200;

/** The service built as it is deployed, and data with codes in it: made once, for servers that start on copies. */
export class Site implements AsyncDisposable {
  readonly #directory: string;
  #paths: readonly string[] = [];

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param entries of Workers to build, from the project's folder. The first one makes the codes. */
  static async build(entries: readonly [string, ...string[]], codes: number): Promise<Site> {
    // Inside the project: a module's name is its path from there, and workerd refuses one that leads out.
    const parent = join(root, ".wrangler");
    await mkdir(parent, { recursive: true });
    const site = new Site(await mkdtemp(join(parent, "load-")));
    try {
      const builds = entries.map((entry) => {
        const build = ["deploy", join(root, entry), "--dry-run", "--outdir", dirname(site.#script(entry))];
        return runWrangler(build, AbortSignal.timeout(patience));
      });
      await Promise.all(builds);
      const miniflare = new Miniflare(site.#options(entries[0], await freePort(), site.#seed));
      try {
        await seedWorkspace(miniflare);
        const dataOf = (i: number) => ({ type: "url", url: `https://example.com/${i}` });
        site.#paths = (await seedCodes(miniflare, codes, dataOf)).map((hash) => `/${hash}`);
      } finally {
        await miniflare.dispose();
      }
      return site;
    } catch (error) {
      await site[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts one of the Workers on a free port, with the codes and no scans. */
  async serve(entry: string): Promise<LoadServer> {
    const port = await freePort();
    const data = join(this.#directory, `data-${port}`);
    await cp(this.#seed, data, { recursive: true });
    const log: LogLine[] = [];
    const options = this.#options(entry, port, data, (line) => log.push(line));
    const miniflare = new Miniflare(options);
    const ledger = await miniflare.unsafeGetDurableObjectStorage(
      options.workers[0]?.config.name ?? "",
      "WorkspaceLedger",
      { name: workspaceId },
    );
    return new LoadServer(`http://127.0.0.1:${port}`, this.#paths, miniflare, ledger, log);
  }

  get #seed(): string {
    return join(this.#directory, "seed");
  }

  #script(entry: string): string {
    const name = basename(entry, ".ts");
    return join(this.#directory, name, `${name}.js`);
  }

  #options(entry: string, port: number, data: string, onLog?: (line: LogLine) => void): MiniflareOptions {
    return {
      ...serviceOptions(port, this.#script(entry)),
      resourcePersistencePath: data,
      unsafeInspectDurableObjects: true,
      handleStructuredLogs: ({ message }) => onLog?.(readLine(message)),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.#directory, { recursive: true });
  }
}

/** The service in workerd, its socket wired straight to it. `await using` ends it. */
export class LoadServer implements AsyncDisposable {
  readonly origin: string;
  /** Paths of its codes: each answers 302. */
  readonly paths: readonly string[];
  readonly #miniflare: Miniflare;
  readonly #ledger: DurableObjectStorageHandle;
  readonly #log: readonly LogLine[];

  constructor(
    origin: string,
    paths: readonly string[],
    miniflare: Miniflare,
    ledger: DurableObjectStorageHandle,
    log: readonly LogLine[],
  ) {
    this.origin = origin;
    this.paths = paths;
    this.#miniflare = miniflare;
    this.#ledger = ledger;
    this.#log = log;
  }

  /** What the ledger holds: rows, what its rollups by day add up to, and what its statistics say. */
  async ledger() {
    const [row] = await this.#ledger.exec<
      Record<"humans" | "bots" | "dayHumans" | "dayBots" | "total", number>
    >(`
      SELECT (SELECT count(*) FROM scans) AS humans,
        (SELECT count(*) FROM bot_scans) AS bots,
        (SELECT coalesce(sum(scans), 0) FROM daily_totals) AS dayHumans,
        (SELECT coalesce(sum(bot_scans), 0) FROM daily_totals) AS dayBots,
        (SELECT coalesce(sum(scans), 0) FROM codes) AS total`);
    return {
      rows: { humans: row?.humans, bots: row?.bots },
      days: { humans: row?.dayHumans, bots: row?.dayBots },
      total: row?.total,
    };
  }

  /** Log lines with a message. */
  logged(message: string): LogLine[] {
    return this.#log.filter((line) => line.message === message);
  }

  /** Waits until the consumer is done with all that is in the queue of scans now. */
  async drain(): Promise<void> {
    const queue = await this.#miniflare.getQueueProducer("SCANS");
    // A marker is logged and dropped when its batch begins. Batches follow one another: when the second marker's
    // has begun, the first one's, and all before it, have ended.
    for (const marker of ["first", "second"]) {
      const body = `${marker} marker ${crypto.randomUUID()}`;
      await queue.send(body);
      const read = () => this.logged("unreadable message acknowledged").map((line) => line.body);
      await expect.poll(read, { timeout: patience, interval: 100 }).toContain(body);
    }
  }

  /** Fills the queue of scans with messages of no scans that stay for an hour, until it refuses more. */
  async fillQueue(): Promise<void> {
    const queue = await this.#miniflare.getQueueProducer("SCANS");
    const batch = Array.from({ length: 100 }, () => ({ body: { scans: [] } }));
    for (let sent = 0; sent < fillingBatches; sent += 1) {
      try {
        await queue.sendBatch(batch, { delaySeconds: 3600 });
      } catch {
        return;
      }
    }
    throw new Error(`the queue still took messages after ${fillingBatches * batch.length}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#miniflare.dispose();
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
