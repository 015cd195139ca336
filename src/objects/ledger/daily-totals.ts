import { timeOfId } from "../../lib/text/ids.ts";

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Numbers to add to one code's totals of one day. */
export interface DailyTotal {
  readonly code: number;
  /** Days since the epoch, UTC. */
  readonly day: number;
  scans: number;
  newVisitors: number;
  botScans: number;
}

/** The sums over the scans of a message, by code and day. */
export class DailyTotals {
  readonly #byCodeAndDay = new Map<string, DailyTotal>();

  /** The total that a scan counts in. @param scan its id determines the day */
  of({
    code: { ref: code },
    id,
  }: {
    readonly code: { readonly ref: number };
    readonly id: string;
  }): DailyTotal {
    const day = Math.floor(timeOfId(id) / dayMilliseconds);
    const key = `${code}/${day}`;
    let total = this.#byCodeAndDay.get(key);
    if (total === undefined) {
      total = { code, day, scans: 0, newVisitors: 0, botScans: 0 };
      this.#byCodeAndDay.set(key, total);
    }
    return total;
  }

  all(): DailyTotal[] {
    return [...this.#byCodeAndDay.values()];
  }
}
