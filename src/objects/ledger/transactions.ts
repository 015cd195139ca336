import type { LedgerAlarm } from "./alarm.ts";
import { LedgerPart } from "./part.ts";
import type { LedgerSchedule } from "./schedule.ts";

/** A part of the ledger that caches stored data. */
interface Remembering {
  clearMemory(): void;
}

/** Runs changes of a ledger in transactions. */
export class LedgerTransactions extends LedgerPart<{
  storage: DurableObjectStorage;
  schedule: LedgerSchedule;
  alarm: LedgerAlarm;
  remembering: readonly Remembering[];
}> {
  /**
   * Runs a change in a transaction, then sets the alarm.
   * @param committed runs right after the transaction, before any other call
   */
  async run<T>(now: number, change: () => T, committed: (result: T) => void = () => {}): Promise<T> {
    const result = this.#transact(change);
    committed(result);
    await this.setAlarm(now);
    return result;
  }

  /**
   * The same for the most frequent changes: scans, claims and settlements. They update the schedule's cached state
   * themselves, so it is kept.
   */
  async runFrequent<T>(now: number, change: () => T, committed: (result: T) => void = () => {}): Promise<T> {
    const result = this.#transact(change);
    committed(result);
    await this.parts.alarm.set(this.parts.schedule.nextAt(now), now);
    return result;
  }

  /** Sets the alarm according to the current state. */
  async setAlarm(now: number): Promise<void> {
    this.parts.schedule.clearMemory();
    await this.parts.alarm.set(this.parts.schedule.nextAt(now), now);
  }

  #transact<T>(change: () => T): T {
    try {
      return this.parts.storage.transactionSync(change);
    } catch (error) {
      for (const part of this.parts.remembering) part.clearMemory();
      throw error;
    }
  }
}
