import type { LedgerAlarm } from "./alarm.ts";
import type { LedgerSchedule } from "./schedule.ts";

/** Runs changes of a ledger. */
export class LedgerTransactions {
  readonly #storage: DurableObjectStorage;
  readonly #schedule: LedgerSchedule;
  readonly #alarm: LedgerAlarm;

  constructor(storage: DurableObjectStorage, schedule: LedgerSchedule, alarm: LedgerAlarm) {
    this.#storage = storage;
    this.#schedule = schedule;
    this.#alarm = alarm;
  }

  /**
   * Runs a change in a transaction, then sets the alarm for the state after it.
   * @param committed runs right after the transaction, before any other call
   */
  async run<T>(now: number, change: () => T, committed: () => void = () => {}): Promise<T> {
    const result = this.#storage.transactionSync(change);
    committed();
    const at = this.#schedule.nextAt();
    await this.#alarm.set(at === null ? null : Math.max(now, at));
    return result;
  }
}
