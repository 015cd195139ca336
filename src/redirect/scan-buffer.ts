import { limits } from "../contract/limits.ts";
import type { ScanRecord } from "../contract/messages.ts";
import type { Deps } from "../deps.ts";
import { recordScans } from "../domain/ledger.ts";
import { hmacKey } from "../lib/crypto.ts";
import { describeError, log } from "../lib/log.ts";
import { type PendingScan, sealScan } from "./scan.ts";

/** Scans that travel together. Plain data: requests share it, never each other's promises. */
interface Batch {
  readonly scans: PendingScan[];
  state: "open" | "sending" | "sent";
  /** When the sender took it, epoch milliseconds. */
  sendingSince: number;
}

/** A sender that has not finished after this many milliseconds is taken for dead; ids make a second sending harmless. */
const senderPatience = 10_000;

/**
 * Gathers the isolate's scans, so that a hundred of them cost one message. Each request waits for its own scan
 * to be sent; whoever wakes first sends for all.
 */
export class ScanBuffer {
  readonly #deps: Deps;
  #batch: Batch = newBatch();
  #key: CryptoKey | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes a scan in. The promise, which is for `waitUntil`, ends when this scan has been sent. */
  async add(scan: PendingScan): Promise<void> {
    const batch = this.#batch;
    batch.scans.push(scan);
    if (batch.scans.length >= limits.scansPerMessage) return this.#send(batch);

    do {
      await sleep(limits.scanFlushMilliseconds);
      if (batch.state === "open") return this.#send(batch);
    } while (batch.state === "sending" && this.#deps.now() - batch.sendingSince < senderPatience);
    if (batch.state === "sending") await this.#send(batch);
  }

  async #send(batch: Batch): Promise<void> {
    batch.state = "sending";
    batch.sendingSince = this.#deps.now();
    if (this.#batch === batch) this.#batch = newBatch();

    this.#key ??= await hmacKey(this.#deps.visitorSecret);
    const key = this.#key;
    const scans = await Promise.all(batch.scans.map((scan) => sealScan(scan, key)));
    await this.#deliver(scans);
    batch.state = "sent";
  }

  /** To the queue; if it refuses twice, straight to the ledgers. */
  async #deliver(scans: readonly ScanRecord[]): Promise<void> {
    for (let tries = 1; tries <= 2; tries += 1) {
      try {
        await this.#deps.scanQueue.send({ scans });
        return;
      } catch (error) {
        log("warn", "scans not queued", { scans: scans.length, tries, error: describeError(error) });
      }
    }
    for (const [workspaceId, error] of await recordScans(this.#deps, scans)) {
      const lost = scans.filter((scan) => scan.workspaceId === workspaceId).length;
      log("error", "scans lost", { workspaceId, scans: lost, error: describeError(error) });
    }
  }
}

const newBatch = (): Batch => ({ scans: [], state: "open", sendingSince: 0 });

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
