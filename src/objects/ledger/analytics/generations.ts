import { idsFrom } from "../../../lib/text/ids.ts";
import { type DaySlot, Zone } from "../../../lib/time/zone.ts";
import { LedgerPart } from "../part.ts";
import { lowestId } from "../scans/raw-scans.ts";

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
  /** The zones of the time before its own, oldest first: raw scans of that time are not complete any more. */
  readonly earlierZones: readonly EarlierZone[];
  /** The last rollup that was copied from the generation before; null once all are. */
  readonly copied: RollupKey | null;
  /** The last file of archived scans that was folded, and how many lines of the next one. */
  readonly archive: number;
  readonly archiveLines: number;
}

/** A rollup of a generation. */
export interface RollupKey {
  readonly code: number;
  readonly day: number;
}

/** A time zone that days were counted in, up to a time (epoch milliseconds, exclusive) and a day (exclusive). */
interface EarlierZone {
  readonly zone: string;
  readonly until: number;
  readonly untilDay: number;
}

/** Where a scan counts. */
export interface ZonedSlot extends DaySlot {
  /** The name of the time zone, if it is not the generation's own. */
  readonly zone: string | null;
}

/** Between two chunks of the same fold. */
export const midway = -1;

type GenerationRow = {
  ref: number;
  zone: string;
  state: Generation["state"];
  digits: string;
  scans: number;
  folded_at: number;
  earlier_zones: string;
  copied_code: number | null;
  copied_day: number | null;
  archive: number;
  archive_lines: number;
};

/** The generations of a ledger's rollups. */
export class LedgerGenerations extends LedgerPart<{ sql: SqlStorage }> {
  readonly #zones = new Map<string, Zone>();
  #known: readonly Generation[] | undefined;

  /** Forgets what is held in memory. Call it after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  /** All generations, the active one first. Held in memory, because each recording of scans asks for them. */
  list(): readonly Generation[] {
    this.#known ??= this.#read();
    return this.#known;
  }

  #read(): Generation[] {
    return this.parts.sql
      .exec<GenerationRow>(
        `SELECT ref, zone, state, lower(hex(cursor)) AS digits, scans, folded_at, earlier_zones, copied_code,
           copied_day, archive, archive_lines FROM generations
         ORDER BY state = 'active' DESC, ref`,
      )
      .toArray()
      .map((row) => ({
        ref: row.ref,
        zone: this.zone(row.zone),
        zoneName: row.zone,
        state: row.state,
        cursor: row.digits,
        scans: row.scans,
        foldedAt: row.folded_at,
        earlierZones: JSON.parse(row.earlier_zones) as EarlierZone[],
        copied:
          row.copied_code === null || row.copied_day === null
            ? null
            : { code: row.copied_code, day: row.copied_day },
        archive: row.archive,
        archiveLines: row.archive_lines,
      }));
  }

  /** The generation that is being built, if one is. */
  get building(): Generation | undefined {
    return this.list().find(({ state }) => state === "building");
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

  /** Where a scan counts in a generation. @param time epoch milliseconds */
  slotOf({ zone, earlierZones }: Generation, time: number): ZonedSlot {
    const earlier = earlierZones.find(({ until }) => time < until);
    if (earlier === undefined) return { ...zone.slotOf(time), zone: null };
    return { ...this.zone(earlier.zone).slotOf(time), zone: earlier.zone };
  }

  /**
   * Begins a generation for a time zone. One that is being built for another is given up. Scans from before `rawSince`
   * are taken from the active generation, by whole days of its zone.
   * @param rawSince from when raw scans are complete, epoch milliseconds
   */
  begin(zoneName: string, rawSince: number): void {
    this.cancel();
    const earlierZones = earlierZonesFor(this.active, rawSince);
    const until = earlierZones.at(-1)?.until;
    this.#change(
      `INSERT INTO generations (zone, state, cursor, earlier_zones, copied_code, copied_day)
       VALUES (?, 'building', unhex(?), ?, ?, ?)`,
      zoneName,
      until === undefined ? lowestId : idsFrom(until),
      JSON.stringify(earlierZones),
      until === undefined ? null : -1,
      until === undefined ? null : -1,
    );
  }

  /** Records the last rollup that was copied. @param copied null if all are */
  setCopied({ ref }: Generation, copied: RollupKey | null): void {
    this.#change(
      "UPDATE generations SET copied_code = ?, copied_day = ? WHERE ref = ?",
      copied?.code ?? null,
      copied?.day ?? null,
      ref,
    );
  }

  /** Records the last file of archived scans that was folded, and how many lines of the next one. */
  setArchive({ ref }: Generation, archive: number, lines: number): void {
    this.#change("UPDATE generations SET archive = ?, archive_lines = ? WHERE ref = ?", archive, lines, ref);
  }

  /** Gives up the generation that is being built. */
  cancel(): void {
    this.#change("UPDATE generations SET state = 'retired' WHERE state = 'building'");
  }

  /**
   * Records how far a generation has come.
   * @param scans human scans that it counts in addition
   * @param foldedAt epoch milliseconds, or `midway`
   */
  advance({ ref }: Generation, cursor: string, scans: number, foldedAt: number): void {
    this.#change(
      "UPDATE generations SET cursor = unhex(?), scans = scans + ?, folded_at = ? WHERE ref = ?",
      cursor,
      scans,
      foldedAt,
      ref,
    );
  }

  /** Counts human scans of a generation that do not move its cursor. @param scans negative for those that are erased */
  addScans({ ref }: Generation, scans: number): void {
    if (scans !== 0) this.#change("UPDATE generations SET scans = scans + ? WHERE ref = ?", scans, ref);
  }

  /** Makes a generation the active one, in place of the one that was. */
  activate({ ref }: Generation): void {
    this.#change("UPDATE generations SET state = 'retired' WHERE state = 'active'");
    this.#change("UPDATE generations SET state = 'active' WHERE ref = ?", ref);
  }

  /** Removes a generation whose rollups are gone. */
  remove({ ref }: Generation): void {
    this.#change("DELETE FROM generations WHERE ref = ?", ref);
  }

  #change(sql: string, ...values: (string | number | null)[]): void {
    this.#known = undefined;
    this.parts.sql.exec(sql, ...values);
  }
}

/**
 * The earlier zones of a generation that follows the active one. Of the active one's own days, those are taken over that
 * begin before raw scans are complete, so that each scan is either in a day that is taken over or counted from its row.
 */
function earlierZonesFor({ zone, zoneName, earlierZones }: Generation, rawSince: number): EarlierZone[] {
  const last = earlierZones.at(-1);
  if (last === undefined && rawSince === 0) return [];
  const from = Math.max(rawSince, last?.until ?? 0);
  let day = Math.max(zone.dayOf(from), last?.untilDay ?? 0);
  while (zone.startOf(day) < from) day += 1;
  return [...earlierZones, { zone: zoneName, until: zone.startOf(day), untilDay: day }];
}
