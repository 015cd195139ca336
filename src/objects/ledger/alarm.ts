import { LedgerPart } from "./part.ts";

const alarmKey = "alarm_at";

/** An alarm that is this late, in milliseconds, counts as lost: the platform abandons one that fails repeatedly. */
const maxDelay = 60_000;

/** Alarms can't be set later than 2189. */
const latest = Date.UTC(2189, 0, 1);

/** The object's only alarm. Its time is also stored, so that it is written only when it changes. */
export class LedgerAlarm extends LedgerPart<{
  kv: SyncKvStorage;
  storage: DurableObjectStorage;
}> {
  /** The stored time once it has been read. */
  #known: number | null | undefined;

  /** When the alarm is set to fire; null for never. */
  get #scheduled(): number | null {
    if (this.#known === undefined) this.#known = this.parts.kv.get<number | null>(alarmKey) ?? null;
    return this.#known;
  }

  /**
   * Marks the alarm as fired.
   * @param clock epoch milliseconds
   * @returns the time to act on: the alarm's own if the clock lags behind it, so that its work is always due
   */
  fired(clock: number): number {
    const scheduled = this.#scheduled ?? 0;
    this.parts.kv.delete(alarmKey);
    this.#known = null;
    return Math.max(clock, scheduled);
  }

  /**
   * Sets the alarm, to `now` if its time has passed. An alarm that is due and about to fire is left alone.
   * @param at epoch milliseconds; null for no alarm
   */
  async set(at: number | null, now: number): Promise<void> {
    const scheduled = this.#scheduled;
    const next = at === null ? null : Math.min(Math.max(now, at), latest);
    const isAboutToFire = scheduled !== null && scheduled <= now && now < scheduled + maxDelay;
    if (next === scheduled || (next === now && isAboutToFire)) return;
    this.parts.kv.put(alarmKey, next);
    this.#known = next;
    if (next === null) await this.parts.storage.deleteAlarm();
    else await this.parts.storage.setAlarm(next);
  }
}
