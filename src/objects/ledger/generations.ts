import { Zone } from "../../lib/time/zone.ts";
import { lowestId } from "./raw-scans.ts";

/** The rollups of one reporting time zone. */
export interface Generation {
  readonly ref: number;
  readonly zone: Zone;
  readonly zoneName: string;
  /** One generation is active: reports read it. A change of zone builds another, which then replaces it. */
  readonly state: "active" | "building" | "retired";
  /** The id up to which raw scans have been folded: 32 hex digits. */
  readonly cursor: string;
  /** The human scans that it counts. */
  readonly scans: number;
  /** When no scan was left to fold, epoch milliseconds; `midway` while folding goes on. */
  readonly foldedAt: number;
}

/** Between two chunks of the same fold. */
export const midway = -1;

type Row = {
  ref: number;
  zone: string;
  state: Generation["state"];
  digits: string;
  scans: number;
  folded_at: number;
};

/** The generations of a ledger's rollups. */
export class LedgerGenerations {
  readonly #sql: SqlStorage;
  readonly #zones = new Map<string, Zone>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** All generations, the active one first. */
  list(): Generation[] {
    return this.#sql
      .exec<Row>(
        `SELECT ref, zone, state, lower(hex(cursor)) AS digits, scans, folded_at FROM generations
         ORDER BY state = 'active' DESC, ref`,
      )
      .toArray()
      .map(({ ref, zone, state, digits, scans, folded_at }) => ({
        ref,
        zone: this.zone(zone),
        zoneName: zone,
        state,
        cursor: digits,
        scans,
        foldedAt: folded_at,
      }));
  }

  /** The generation that reports read. */
  get active(): Generation {
    const [active] = this.list();
    if (active?.state !== "active") throw new Error("a ledger lacks its active generation");
    return active;
  }

  /** A time zone by its IANA name, with its cache of days. */
  zone(name: string): Zone {
    let zone = this.#zones.get(name);
    if (zone === undefined) {
      zone = new Zone(name);
      this.#zones.set(name, zone);
    }
    return zone;
  }

  /** Begins a generation for a time zone. One that is being built for another is given up. */
  begin(zoneName: string): void {
    this.#sql.exec("UPDATE generations SET state = 'retired' WHERE state = 'building'");
    this.#sql.exec(
      "INSERT INTO generations (zone, state, cursor) VALUES (?, 'building', unhex(?))",
      zoneName,
      lowestId,
    );
  }

  /** Gives up the generation that is being built. */
  cancel(): void {
    this.#sql.exec("UPDATE generations SET state = 'retired' WHERE state = 'building'");
  }

  /**
   * Records how far a generation has come.
   * @param scans human scans that it counts in addition
   * @param foldedAt epoch milliseconds, or `midway`
   */
  advance({ ref }: Generation, cursor: string, scans: number, foldedAt: number): void {
    this.#sql.exec(
      "UPDATE generations SET cursor = unhex(?), scans = scans + ?, folded_at = ? WHERE ref = ?",
      cursor,
      scans,
      foldedAt,
      ref,
    );
  }

  /** Counts human scans of a generation that do not move its cursor. */
  addScans({ ref }: Generation, scans: number): void {
    if (scans > 0) this.#sql.exec("UPDATE generations SET scans = scans + ? WHERE ref = ?", scans, ref);
  }

  /** Makes a generation the active one, in place of the one that was. */
  activate({ ref }: Generation): void {
    this.#sql.exec("UPDATE generations SET state = 'retired' WHERE state = 'active'");
    this.#sql.exec("UPDATE generations SET state = 'active' WHERE ref = ?", ref);
  }

  /** Removes a generation whose rollups are gone. */
  remove({ ref }: Generation): void {
    this.#sql.exec("DELETE FROM generations WHERE ref = ?", ref);
  }
}
