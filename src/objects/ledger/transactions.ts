import type { LedgerAlarm } from "./alarm.ts";
import type { LedgerSchedule } from "./schedule.ts";

/** A part of the ledger that holds in memory what is stored. */
interface Remembering {
  /** Forgets it. */
  clearMemory(): void;
}

/** Runs changes of a ledger. */
export class LedgerTransactions {
  readonly #storage: DurableObjectStorage;
  readonly #schedule: LedgerSchedule;
  readonly #alarm: LedgerAlarm;
  readonly #remembering: readonly Remembering[];

  /** @param remembering the parts that have to forget what was rolled back */
  constructor(
    storage: DurableObjectStorage,
    schedule: LedgerSchedule,
    alarm: LedgerAlarm,
    remembering: readonly Remembering[],
  ) {
    this.#storage = storage;
    this.#schedule = schedule;
    this.#alarm = alarm;
    this.#remembering = remembering;
  }

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
    await this.#alarm.set(this.#schedule.nextAt(now), now);
    return result;
  }

  /** Sets the alarm for the present state. */
  async setAlarm(now: number): Promise<void> {
    this.#schedule.clearMemory();
    await this.#alarm.set(this.#schedule.nextAt(now), now);
  }

  #transact<T>(change: () => T): T {
    try {
      return this.#storage.transactionSync(change);
    } catch (error) {
      for (const part of this.#remembering) part.clearMemory();
      throw error;
    }
  }
}
