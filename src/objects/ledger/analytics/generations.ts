import { idsFrom } from "../../../lib/text/ids.ts";
import { type DaySlot, Zone } from "../../../lib/time/zone.ts";
import { LedgerPart } from "../part.ts";
import { lowestId } from "../scans/raw-scans.ts";

/** The rollups for one reporting time zone. */
export interface Generation {
  readonly ref: number;
  readonly zone: Zone;
  readonly zoneName: string;
  /** Reports read the active generation. A change of time zone builds a new one, which then replaces it. */
  readonly state: "active" | "building" | "retired";
  /** Raw scans up to this id have been folded: 32 hex digits. */
  readonly cursor: string;
  /** How many human scans it counts. */
  readonly scans: number;
  /** When the last fold ended, epoch milliseconds; `midway` while one is in progress. */
  readonly foldedAt: number;
  /**
   * The time zones of earlier days, oldest first. Those days can't be recounted, because their raw scans are
   * incomplete.
   */
  readonly earlierZones: readonly EarlierZone[];
  /** The last rollup copied from the previous generation; null once all are copied. */
  readonly copied: RollupKey | null;
  /** The last file of archived scans that was folded, and how many lines of the next one. */
  readonly archive: number;
  readonly archiveLines: number;
}

/** Identifies a rollup of a generation. */
export interface RollupKey {
  readonly code: number;
  readonly day: number;
}

/** A time zone in which days were counted, up to a time (epoch milliseconds, exclusive) and a day (exclusive). */
interface EarlierZone {
  readonly zone: string;
  readonly until: number;
  readonly untilDay: number;
}

/** The day and hour in which a scan counts. */
export interface ZonedSlot extends DaySlot {
  /** The time zone's name, unless it is the generation's own. */
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

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  /** Returns all generations, the active one first. Cached, because every recording of scans asks for them. */
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

  /** The generation being built, if any. */
  get building(): Generation | undefined {
    return this.list().find(({ state }) => state === "building");
  }

  /** The generation that reports read. */
  get active(): Generation {
    const [active] = this.list();
    if (active?.state !== "active") throw new Error("a ledger lacks its active generation");
    return active;
  }

  /** Returns a time zone by its IANA name, with its cache of days. */
  zone(name: string): Zone {
    let zone = this.#zones.get(name);
    if (zone === undefined) {
      zone = new Zone(name);
      this.#zones.set(name, zone);
    }
    return zone;
  }

  /** Returns where a scan counts in a generation. @param time epoch milliseconds */
  slotOf({ zone, earlierZones }: Generation, time: number): ZonedSlot {
    const earlier = earlierZones.find(({ until }) => time < until);
    if (earlier === undefined) return { ...zone.slotOf(time), zone: null };
    return { ...this.zone(earlier.zone).slotOf(time), zone: earlier.zone };
  }

  /**
   * Starts building a generation for a time zone, in place of any other being built. Days before `rawSince` will be
   * copied from the active generation, as whole days of its zone.
   * @param rawSince when raw scans begin to be complete, epoch milliseconds
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

  /** Records the last rollup that was copied. @param copied null once all are */
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

  /** Discards the generation being built. */
  cancel(): void {
    this.#change("UPDATE generations SET state = 'retired' WHERE state = 'building'");
  }

  /**
   * Records a generation's progress.
   * @param scans how many more human scans it counts
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

  /** Adds to a generation's human scans without moving its cursor. @param scans negative for erased scans */
  addScans({ ref }: Generation, scans: number): void {
    if (scans !== 0) this.#change("UPDATE generations SET scans = scans + ? WHERE ref = ?", scans, ref);
  }

  /** Makes a generation the active one. */
  activate({ ref }: Generation): void {
    this.#change("UPDATE generations SET state = 'retired' WHERE state = 'active'");
    this.#change("UPDATE generations SET state = 'active' WHERE ref = ?", ref);
  }

  /** Removes a generation whose rollups have been deleted. */
  remove({ ref }: Generation): void {
    this.#change("DELETE FROM generations WHERE ref = ?", ref);
  }

  #change(sql: string, ...values: (string | number | null)[]): void {
    this.#known = undefined;
    this.parts.sql.exec(sql, ...values);
  }
}

/**
 * Returns the earlier zones of the generation that will replace the active one. Days of the active one that begin
 * before raw scans are complete are taken over as they are. So each scan is either part of such a day or counted from
 * its row.
 */
function earlierZonesFor({ zone, zoneName, earlierZones }: Generation, rawSince: number): EarlierZone[] {
  const last = earlierZones.at(-1);
  if (last === undefined && rawSince === 0) return [];
  const from = Math.max(rawSince, last?.until ?? 0);
  let day = Math.max(zone.dayOf(from), last?.untilDay ?? 0);
  while (zone.startOf(day) < from) day += 1;
  return [...earlierZones, { zone: zoneName, until: zone.startOf(day), untilDay: day }];
}
