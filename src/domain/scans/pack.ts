import type { BatchedScan, ScanBatch, ScannedCode, ScanPlace } from "../../protocol/messages.ts";

/** One scan as the redirect saw it. */
export interface ScanRecord extends ScannedCode, ScanPlace {
  readonly id: string;
  readonly workspaceId: string;
  readonly userAgent: string | null;
  readonly visitor: string;
  /** The host of the page whose link led to the code. */
  readonly referrer: string | null;
  readonly prefetch: boolean;
}

/** A list that holds each item once, by its key. */
class Distinct<T> {
  readonly items: T[] = [];
  readonly #indexes = new Map<string, number>();

  /** The item's index. `make` is called for the first item with this key. */
  indexOf(key: string, make: () => T): number {
    const existing = this.#indexes.get(key);
    if (existing !== undefined) return existing;
    const index = this.items.push(make()) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}

/** Packs scans into one batch per workspace. */
export function packScans(records: readonly ScanRecord[]): ScanBatch[] {
  const byWorkspace = Map.groupBy(records, ({ workspaceId }) => workspaceId);
  return Array.from(byWorkspace, ([workspaceId, own]) => packBatch(workspaceId, own));
}

function packBatch(workspaceId: string, records: readonly ScanRecord[]): ScanBatch {
  const codes = new Distinct<ScannedCode>();
  const userAgents = new Distinct<string | null>();
  const places = new Distinct<ScanPlace>();
  const referrers = new Distinct<string | null>();
  const scans = records.map(
    ({ id, visitor, qrId, hash, userAgent, country, city, referrer, prefetch }): BatchedScan => [
      id,
      visitor,
      codes.indexOf(qrId, () => ({ qrId, hash })),
      userAgents.indexOf(userAgent ?? "", () => userAgent),
      places.indexOf(`${country}\n${city}`, () => ({ country, city })),
      prefetch ? 1 : 0,
      referrers.indexOf(referrer ?? "", () => referrer),
    ],
  );
  return {
    workspaceId,
    codes: codes.items,
    userAgents: userAgents.items,
    places: places.items,
    referrers: referrers.items,
    scans,
  };
}
