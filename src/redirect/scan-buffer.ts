import type { ScanRecord } from "../protocol/messages.ts";
import type { Deps } from "../domain/deps.ts";
import { recordScans } from "../domain/scans/record.ts";
import { hmacKey } from "../lib/crypto/crypto.ts";
import { describeError, log } from "../lib/log.ts";
import { type PendingScan, sealScan } from "./scan.ts";

/** Scans in one queue message at most. */
export const scansPerMessage = 100;

/** How long a scan waits in the buffer for others. */
const flushMilliseconds = 30;

/** Scans that travel together. Plain data: requests share it, never each other's promises. */
interface Batch {
  readonly scans: PendingScan[];
  state: "open" | "sending" | "sent";
  /** When the sender took it, epoch milliseconds. */
  sendingSince: number;
}

/**
 * The first scans' requests stay alive until the batch has been sent: one sends, should it end halfway the other
 * does. More of them would be no safer, and waiting is what costs most: 40 µs a request, as much as redirecting.
 */
const guardians = 2;

/** A sender that has not finished after this many milliseconds is taken for dead; ids make a second sending harmless. */
const senderPatience = 5000;

/** Gathers the isolate's scans, so that a hundred of them cost one message. */
export class ScanBuffer {
  readonly #deps: Deps;
  #batch: Batch = newBatch();
  #key: CryptoKey | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Takes a scan in.
   * @returns for a request that has to send, or to see that the scans are sent: a promise for `waitUntil`
   */
  add(scan: PendingScan): Promise<void> | undefined {
    const batch = this.#batch;
    const count = batch.scans.push(scan);
    if (count === scansPerMessage) return this.#send(batch);
    return count <= guardians ? this.#guard(batch) : undefined;
  }

  /** Whichever guardian wakes first sends for all. */
  async #guard(batch: Batch): Promise<void> {
    do {
      await scheduler.wait(flushMilliseconds);
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
