import { idsFrom, timeOfId } from "../../../lib/text/ids.ts";
import type { LedgerArchiveFiles, NumberedFile } from "../archive/archive-files.ts";
import type { ArchivedRows } from "../archive/archived-rows.ts";
import { LedgerPart, type Transact } from "../part.ts";
import type { ScanErasures } from "../scans/scan-erasures.ts";
import { DaySums, packedColumns, type RollupRow } from "./day-sums.ts";
import type { Generation, LedgerGenerations } from "./generations.ts";
import { type LedgerRollups, workspaceCode } from "./rollups.ts";

/** How many rollups one run copies. */
export const copiedRows = 500;

/** How many scans one run folds, of humans and of bots each, or how many lines of a file. */
export const rebuiltScans = 2000;

/**
 * Builds the rollups for another time zone, chunk by chunk. It copies the days whose raw scans are no longer complete,
 * then folds the files of archived scans, then the ledger's rows. Nothing is archived or deleted until it is done.
 *
 * A scan that arrives late for one of the copied days is added to the copy if that exists already. Otherwise the active
 * generation has it, and the copy will include it.
 */
export class LedgerRebuild extends LedgerPart<{
  sql: SqlStorage;
  generations: LedgerGenerations;
  rollups: LedgerRollups;
  archiveFiles: LedgerArchiveFiles;
  archivedRows: ArchivedRows;
  scanErasures: ScanErasures;
}> {
  /** When there is something to build, epoch milliseconds; 0 for now, null for never. */
  nextAt(): number | null {
    const { building } = this.parts.generations;
    if (building === undefined) return null;
    return this.#nextFile(building) === undefined ? 0 : this.parts.archiveFiles.retryAt;
  }

  /** Copies or folds a chunk, unless that needs a file. */
  run(now: number): void {
    const { building } = this.parts.generations;
    if (building === undefined) return;
    if (building.copied !== null) this.#copyNext(building, now);
    else if (
      this.#nextFile(building) === undefined &&
      this.parts.rollups.foldNext(building, rebuiltScans, now)
    ) {
      this.parts.generations.activate(building);
    }
  }

  /** Whether a file must be folded next. */
  needsFile(): boolean {
    const { building } = this.parts.generations;
    return building !== undefined && this.#nextFile(building) !== undefined;
  }

  #nextFile(building: Generation): NumberedFile | undefined {
    if (building.copied !== null) return undefined;
    return this.parts.archiveFiles.next(building.archive, idsFrom(beginning(building)));
  }

  /** Folds the next file. @throws if R2 fails */
  async foldFile(transact: Transact): Promise<void> {
    const begun = this.parts.generations.building;
    const file = begun && this.#nextFile(begun);
    if (file === undefined) return;
    const factsOf = this.parts.archivedRows.reader();
    const countedFrom = this.parts.scanErasures.countedFrom();
    let lines = 0;
    for await (const scans of this.parts.archiveFiles.read(file.key, rebuiltScans)) {
      lines += scans.length;
      const isCurrent = await transact(() => {
        const { building } = this.parts.generations;
        if (building === undefined || building.ref !== begun?.ref) return false;
        const added = lines - building.archiveLines;
        if (added <= 0) return true;
        // An earlier attempt may have folded the beginning of the file.
        const unfolded = scans.slice(Math.max(0, scans.length - added));
        // The dictionary may lack values that the other scans refer to.
        const own = unfolded.filter(
          ({ id, qrId }) => timeOfId(id) >= Math.max(beginning(building), countedFrom.get(qrId) ?? 0),
        );
        this.parts.generations.addScans(building, this.parts.rollups.fold(building, own.map(factsOf)));
        this.parts.generations.setArchive(building, building.archive, lines);
        return true;
      });
      if (!isCurrent) return;
    }
    await transact(() => {
      const { building } = this.parts.generations;
      if (building?.ref === begun?.ref && building)
        this.parts.generations.setArchive(building, file.number, 0);
    });
  }

  /** Copies the next rollups of the active generation. */
  #copyNext(building: Generation, now: number): void {
    const { active } = this.parts.generations;
    const firstId = idsFrom(beginning(building));
    // Once the active generation's cursor is past the days to copy, late scans of these days are counted right away.
    if (!this.parts.rollups.foldBefore(firstId, now)) return;
    if (active.cursor < firstId) this.parts.generations.advance(active, firstId, 0, active.foldedAt);
    const last = building.earlierZones.at(-1);
    const rows = this.parts.sql
      .exec<RollupRow & { code: number; day: number; zone: string | null }>(
        `SELECT code, day, zone, visitors, visitor_set, ${packedColumns.join(", ")} FROM rollups
         WHERE generation = ? AND (code, day) > (?, ?) ORDER BY code, day LIMIT ?`,
        active.ref,
        building.copied?.code ?? -1,
        building.copied?.day ?? -1,
        copiedRows,
      )
      .toArray();
    for (const { code, day, zone, ...row } of rows) {
      if (last === undefined || day >= last.untilDay) continue;
      const sums = new DaySums();
      sums.addRow(row);
      if (code === workspaceCode) this.parts.generations.addScans(building, sums.hours.total(0));
      this.parts.rollups.add(building, { code, day, zone: zone ?? last.zone, sums });
    }
    const end = rows.at(-1);
    this.parts.generations.setCopied(building, rows.length < copiedRows || end === undefined ? null : end);
  }
}

/** When a generation begins to count scans in its own zone, epoch milliseconds. */
const beginning = ({ earlierZones }: Generation): number => earlierZones.at(-1)?.until ?? 0;
