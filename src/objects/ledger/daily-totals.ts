import { timeOfId } from "../../lib/text/ids.ts";

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** What a code's day grows by. */
export interface Tally {
  readonly code: number;
  /** Days since the epoch, UTC. */
  readonly day: number;
  scans: number;
  newVisitors: number;
  machineScans: number;
}

/** Adds up a message's scans by code and day. */
export class Tallies {
  readonly #byCodeAndDay = new Map<string, Tally>();

  /** The tally a scan belongs to. @param id of the scan, whose time tells the day */
  of(scan: { readonly code: number } | undefined, id: string): Tally {
    if (scan === undefined) throw new Error(`scan ${id} is not of this message`);
    const day = Math.floor(timeOfId(id) / dayMilliseconds);
    const key = `${scan.code}/${day}`;
    let tally = this.#byCodeAndDay.get(key);
    if (tally === undefined) {
      tally = { code: scan.code, day, scans: 0, newVisitors: 0, machineScans: 0 };
      this.#byCodeAndDay.set(key, tally);
    }
    return tally;
  }

  all(): Tally[] {
    return [...this.#byCodeAndDay.values()];
  }
}
