import { Counts } from "../../../lib/packed/counts.ts";
import { Distinct } from "../../../lib/packed/distinct.ts";
import type { ScanFacts } from "../scans/raw-scans.ts";

/** The columns of a rollup that hold packed sums. */
export const packedColumns = ["hours", "clients", "referrers", "places", "codes"] as const;
export type PackedColumn = (typeof packedColumns)[number];

/** A row of rollups: the sums of a code, or of the workspace (code 0), for one day. */
export type RollupRow = Record<PackedColumn, ArrayBuffer> & {
  visitors: number | null;
  visitor_set: ArrayBuffer;
};

/** `hours` has three counts per slot of the day: human scans, new visitors, and scans by bots and prefetches. */
export const hourWidth = 3;

/** The sums of one day's scans, of a code or the workspace. */
export class DaySums {
  readonly hours = new Counts(hourWidth);
  /** Human scans by reference: of client, referrer, place and code. Only the workspace's sums count by code. */
  readonly clients = new Counts(1);
  readonly referrers = new Counts(1);
  readonly places = new Counts(1);
  readonly codes = new Counts(1);
  visitors = new Distinct();
  /** Whether a scan without a visitor is among them. */
  lacksVisitors = false;

  /** Counts a scan. @param slot the scan's hour of the day @param byCode whether to count by code */
  add(scan: ScanFacts, slot: number, byCode: boolean): void {
    if (scan.isBot) {
      this.hours.add(slot, 0, 0, 1);
      return;
    }
    this.hours.add(slot, 1, scan.isFirst ? 1 : 0, 0);
    this.clients.add(scan.client, 1);
    this.referrers.add(scan.referrer, 1);
    this.places.add(scan.place, 1);
    if (byCode) this.codes.add(scan.code, 1);
    if (scan.visitor === null) this.lacksVisitors = true;
    else this.visitors.add(scan.visitor);
  }

  /** Adds a row's sums. */
  addRow(row: RollupRow): void {
    for (const column of packedColumns) this[column].addPacked(new Uint8Array(row[column]));
    this.visitors.addPacked(new Uint8Array(row.visitor_set));
    if (row.visitors === null) this.lacksVisitors = true;
  }

  /**
   * Subtracts a code's sums. The visitors stay, because other codes may have had them too, unless no human scan is
   * left. @throws RangeError if these sums don't include the code's
   */
  subtractCode(code: number, other: DaySums): void {
    for (const column of ["hours", "clients", "referrers", "places"] as const)
      this[column].subtract(other[column]);
    const humans = other.hours.total(0);
    const ofCode = new Counts(1);
    if (humans > 0) ofCode.add(code, humans);
    this.codes.subtract(ofCode);
    if (this.hours.total(0) > 0) return;
    this.visitors = new Distinct();
    this.lacksVisitors = false;
  }

  /** Returns the sums as a row. */
  toRow(): RollupRow {
    const row = { visitors: this.lacksVisitors ? null : this.visitors.count().count };
    const packed = packedColumns.map((column) => [column, bufferOf(this[column].pack())]);
    return { ...row, ...Object.fromEntries(packed), visitor_set: bufferOf(this.visitors.pack()) };
  }
}

/** SQL takes buffers, and a view may cover only part of its buffer. */
function bufferOf(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const { buffer } = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
  return buffer;
}
