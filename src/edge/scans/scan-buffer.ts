import { describeError, log } from "../../lib/log.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { ScanBatch } from "../../protocol/messages.ts";
import type { EdgeDeps } from "../deps.ts";
import { keepScans } from "./keep.ts";
import { type Closed, ScanPacker } from "./pack.ts";
import { recordScans } from "./record.ts";
import { type PendingScan, pseudonymise } from "./scan.ts";
import { visitorKey } from "./visitor-key.ts";

/**
 * Upper bound on the bytes of a scan that shares nothing with others: ids and field names, 400 characters of a user
 * agent at up to three bytes each, 100 of a city at up to six, 253 of a referrer, 509 of a domain and an alias's path.
 */
const bytesPerScan = 3000;

/**
 * How long a scan waits in the buffer for others. An isolate that dies loses its buffer. A shorter wait would lose
 * fewer scans but send more messages, which are billed one by one.
 */
export const flushMilliseconds = 30;

/** Scans sent in one message. Plain data, because requests must not share promises. */
interface Flush {
  readonly scans: PendingScan[];
  readonly packer: ScanPacker;
  /** Scans, and what is counted without being one. */
  added: number;
  state: "open" | "sending" | "sent";
  /** When sending began, epoch milliseconds. */
  sendingSince: number;
}

/**
 * How many requests wait until the flush is sent: one sends it, the other takes over if the first is cancelled. More
 * would be no safer, and each wait costs 40 µs, as much as a redirect.
 */
const senders = 2;

/** A flush that takes longer than this is sent again. Scan ids make sending it twice harmless. */
const sendTimeoutMilliseconds = 5000;

/** Collects an isolate's scans, so that up to 500 of them share one message. */
export class ScanBuffer {
  readonly #deps: EdgeDeps;
  #open: Flush = newFlush();

  constructor(deps: EdgeDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a scan.
   * @returns a promise for `waitUntil`, if this request has to send the scans or wait in case the sender is cancelled
   */
  add(scan: PendingScan): Promise<void> | undefined {
    const flush = this.#open;
    flush.scans.push(scan);
    flush.packer.add(scan);
    return this.#sendWhenDue(flush);
  }

  /** Counts what is no scan. @returns as `add` */
  addClosed(closed: Closed): Promise<void> | undefined {
    const flush = this.#open;
    flush.packer.addClosed(closed, this.#deps.now());
    return this.#sendWhenDue(flush);
  }

  #sendWhenDue(flush: Flush): Promise<void> | undefined {
    flush.added += 1;
    const { scans, bytes } = bounds.scanMessage;
    const fits = flush.scans.length < scans && flush.packer.bytes <= bytes - bytesPerScan;
    if (!fits) return this.#send(flush);
    return flush.added <= senders ? this.#sendLater(flush) : undefined;
  }

  /** Waits, then sends the scans unless another sender has. */
  async #sendLater(flush: Flush): Promise<void> {
    do {
      await scheduler.wait(this.#deps.scanPause);
      if (flush.state === "open") return this.#send(flush);
    } while (flush.state === "sending" && this.#deps.now() - flush.sendingSince < sendTimeoutMilliseconds);
    if (flush.state === "sending") await this.#send(flush);
  }

  async #send(flush: Flush): Promise<void> {
    flush.state = "sending";
    flush.sendingSince = this.#deps.now();
    if (this.#open === flush) this.#open = newFlush();

    const key = await visitorKey(this.#deps);
    const visitors = await Promise.all(flush.scans.map((scan) => pseudonymise(scan, key)));
    await this.#deliver(flush.packer.pack(visitors));
    flush.state = "sent";
  }

  /** Sends batches to the queue; if it refuses twice, directly to the ledgers; if they fail, to the catalogue. */
  async #deliver(batches: readonly ScanBatch[]): Promise<void> {
    const count = batches.reduce((sum, { scans }) => sum + scans.length, 0);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      try {
        await this.#deps.scanQueue.send({ batches });
        return;
      } catch (error) {
        log("warn", "scans not queued", { scans: count, attempt, error: describeError(error) });
      }
    }
    const failed = await recordScans(this.#deps, batches);
    if (failed.size > 0) await this.#keep(batches, failed);
  }

  /** Keeps scans as a dead letter, from which the sweep records them on the next day. @param failed the ledgers' errors */
  async #keep(batches: readonly ScanBatch[], failed: ReadonlyMap<string, unknown>): Promise<void> {
    const kept = batches.filter(({ workspaceId }) => failed.has(workspaceId));
    const scans = kept.reduce((sum, batch) => sum + batch.scans.length, 0);
    const [error] = failed.values();
    try {
      await keepScans(this.#deps, kept);
      log("warn", "scans wait in the catalogue", { scans, error: describeError(error) });
    } catch (refusal) {
      for (const { workspaceId, scans: own } of kept) {
        log("error", "scans lost", { workspaceId, scans: own.length, error: describeError(refusal) });
      }
    }
  }
}

const newFlush = (): Flush => ({
  scans: [],
  packer: new ScanPacker(),
  added: 0,
  state: "open",
  sendingSince: 0,
});
