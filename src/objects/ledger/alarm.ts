const key = "alarm_at";

/** The object's one alarm. Its time is stored as well, so that only a change of it is written. */
export class LedgerAlarm {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /**
   * Marks the alarm as fired.
   * @param clock epoch milliseconds
   * @returns the time to act on: the alarm's own if the clock lags behind it, so that it always finds its work due
   */
  fired(clock: number): number {
    const scheduled = this.#storage.kv.get<number | null>(key) ?? 0;
    this.#storage.kv.delete(key);
    return Math.max(clock, scheduled);
  }

  /** Sets the alarm. @param at epoch milliseconds; null for no alarm */
  async set(at: number | null): Promise<void> {
    if (at === (this.#storage.kv.get<number | null>(key) ?? null)) return;
    this.#storage.kv.put(key, at);
    if (at === null) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(at);
  }
}
