import type { LedgerAlarm } from "./alarm.ts";
import { LedgerPart } from "./part.ts";
import type { LedgerSchedule } from "./schedule.ts";

/** A part of the ledger that holds in memory what is stored. */
interface Remembering {
  /** Forgets it. */
  clearMemory(): void;
}

/** Runs changes of a ledger. */
export class LedgerTransactions extends LedgerPart<{
  storage: DurableObjectStorage;
  schedule: LedgerSchedule;
  alarm: LedgerAlarm;
  remembering: readonly Remembering[];
}> {
  /**
   * Runs a change in a transaction, then sets the alarm for the state after it.
   * @param committed runs right after the transaction, before any other call
   */
  async run<T>(now: number, change: () => T, committed: (result: T) => void = () => {}): Promise<T> {
    const result = this.#transact(change);
    committed(result);
    await this.setAlarm(now);
    return result;
  }

  /**
   * The same for the changes of which there are by far the most: scans, claims and settlements. Of what the schedule holds
   * in memory they change nothing that it is not told.
   */
  async runFrequent<T>(now: number, change: () => T, committed: (result: T) => void = () => {}): Promise<T> {
    const result = this.#transact(change);
    committed(result);
    await this.parts.alarm.set(this.parts.schedule.nextAt(now), now);
    return result;
  }

  /** Sets the alarm for the present state. */
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
