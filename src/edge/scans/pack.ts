import type { ClosedReason } from "../../contract/resources/enums.ts";
import { idLength, newId } from "../../lib/text/ids.ts";
import { utf8Length } from "../../lib/text/utf8.ts";
import type {
  ClosedCount,
  ClosedCounts,
  DomainVisits,
  ScanBatch,
  ScannedCode,
  ScanPlace,
} from "../../protocol/messages.ts";

/** A scan as the redirect saw it, without its visitor. */
export interface ScanFacts extends ScannedCode, ScanPlace {
  readonly id: string;
  readonly workspaceId: string;
  readonly userAgent: string | null;
  /** The host of the page whose link led to the code. */
  readonly referrer: string | null;
  readonly prefetch: boolean;
  readonly isMailNetwork: boolean;
  /**
   * The address by which the scan came: `host` for a domain of the workspace, `host/path` for an alias; null for the
   * short link at the scan origin.
   */
  readonly via: string | null;
}

/** A scan with its visitor, in 16 hex digits. */
export interface ScanRecord extends ScanFacts {
  readonly visitor: string;
}

/** A scan that gets no target. */
interface ClosedScan extends ScannedCode {
  readonly workspaceId: string;
  readonly reason: ClosedReason;
}

/** A visit of a domain's own address. */
export interface DomainVisit {
  readonly workspaceId: string;
  readonly host: string;
}

/** A visit that is counted without being a scan. */
export type Closed = ClosedScan | DomainVisit;

type BatchedScan = ScanBatch["scans"][number];
/** A scan of a batch whose visitor is filled in last. */
type OpenScan = { -readonly [Part in keyof BatchedScan]: BatchedScan[Part] };

/** Returns the bytes of a value as JSON, with the comma after it. */
const jsonBytes = (value: unknown): number => utf8Length(JSON.stringify(value)) + 1;

/** Bytes of an empty batch, code and scan, without their texts. Indexes have at most three digits. */
const emptyBytes = {
  batch: jsonBytes({ workspaceId: "", codes: [], userAgents: [], places: [], referrers: [], scans: [] }),
  code: jsonBytes({ qrId: "", hash: "" }),
  scan: jsonBytes(["", "0123456789abcdef", 999, 999, 999, 1, 999]),
  /** More bytes of a batch and of a scan with a `via`. */
  vias: jsonBytes({ vias: [] }),
  via: jsonBytes(999),
  /** More bytes of a batch with closed counts, and of a count of a code and of a domain. */
  closed: jsonBytes({ closed: { id: "0".repeat(idLength), codes: [], domains: [] } }),
  closedCode: jsonBytes({ qrId: "", hash: "", reason: "not_started", scans: 999_999_999 }),
  domain: jsonBytes({ host: "", visits: 999_999_999 }),
};

type Open<T> = { -readonly [Field in keyof T]: T[Field] };

/** The closed counts of one workspace. */
class ClosedPacker {
  readonly #codes = new Map<string, Open<ClosedCount>>();
  readonly #domains = new Map<string, Open<DomainVisits>>();
  readonly #id: string;
  bytes = emptyBytes.closed;

  /** @param now the time of the first one, epoch milliseconds */
  constructor(now: number) {
    this.#id = newId(now);
  }

  add(closed: Closed): void {
    if ("host" in closed) this.#addVisit(closed);
    else this.#addScan(closed);
  }

  #addScan({ qrId, hash, reason }: ClosedScan): void {
    const key = `${reason}\n${qrId}`;
    const count = this.#codes.get(key);
    if (count !== undefined) count.scans += 1;
    else {
      this.#codes.set(key, { qrId, hash, reason, scans: 1 });
      this.bytes += emptyBytes.closedCode + qrId.length + hash.length;
    }
  }

  #addVisit({ host }: DomainVisit): void {
    const count = this.#domains.get(host);
    if (count !== undefined) count.visits += 1;
    else {
      this.#domains.set(host, { host, visits: 1 });
      this.bytes += emptyBytes.domain + host.length;
    }
  }

  counts(): ClosedCounts {
    return { id: this.#id, codes: [...this.#codes.values()], domains: [...this.#domains.values()] };
  }
}

/** A list of distinct items, by key, that counts their bytes. */
class Distinct<T> {
  readonly items: T[] = [];
  bytes = 0;
  readonly #indexes = new Map<string, number>();
  readonly #bytesOf: (item: T) => number;

  constructor(bytesOf: (item: T) => number = jsonBytes) {
    this.#bytesOf = bytesOf;
  }

  /** Returns the item's index. `make` is called for the first item with this key. */
  indexOf(key: string, make: () => T): number {
    const existing = this.#indexes.get(key);
    if (existing !== undefined) return existing;
    const item = make();
    this.bytes += this.#bytesOf(item);
    const index = this.items.push(item) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}

/** The scans of one workspace. */
class BatchPacker {
  readonly #codes = new Distinct<ScannedCode>(
    ({ qrId, hash }) => emptyBytes.code + qrId.length + hash.length,
  );
  readonly #userAgents = new Distinct<string | null>();
  readonly #places = new Distinct<ScanPlace>();
  readonly #referrers = new Distinct<string | null>();
  /** Nearly all batches have none. */
  #vias: Distinct<string> | undefined;
  readonly #scans: OpenScan[] = [];
  #closed: ClosedPacker | undefined;

  /** Bytes of the lists. */
  get bytes(): number {
    const always = this.#codes.bytes + this.#userAgents.bytes + this.#places.bytes + this.#referrers.bytes;
    const vias = this.#vias === undefined ? 0 : emptyBytes.vias + this.#vias.bytes;
    return always + vias + (this.#closed?.bytes ?? 0);
  }

  addClosed(closed: Closed, now: number): void {
    this.#closed ??= new ClosedPacker(now);
    this.#closed.add(closed);
  }

  add({
    id,
    qrId,
    hash,
    userAgent,
    country,
    city,
    referrer,
    prefetch,
    isMailNetwork,
    via,
  }: ScanFacts): OpenScan {
    const scan: OpenScan = [
      id,
      "",
      this.#codes.indexOf(qrId, () => ({ qrId, hash })),
      this.#userAgents.indexOf(userAgent ?? "", () => userAgent),
      this.#places.indexOf(`${country}\n${city}${isMailNetwork ? "\n" : ""}`, () =>
        isMailNetwork ? { country, city, isMailNetwork } : { country, city },
      ),
      prefetch ? 1 : 0,
      this.#referrers.indexOf(referrer ?? "", () => referrer),
    ];
    if (via !== null) {
      this.#vias ??= new Distinct<string>();
      scan[7] = this.#vias.indexOf(via, () => via);
    }
    this.#scans.push(scan);
    return scan;
  }

  batch(workspaceId: string): ScanBatch {
    return {
      workspaceId,
      codes: this.#codes.items,
      userAgents: this.#userAgents.items,
      places: this.#places.items,
      referrers: this.#referrers.items,
      ...(this.#vias !== undefined && { vias: this.#vias.items }),
      scans: this.#scans,
      ...(this.#closed !== undefined && { closed: this.#closed.counts() }),
    };
  }
}

/** Packs scans into one batch per workspace, counting their bytes along the way. */
export class ScanPacker {
  readonly #batches = new Map<string, BatchPacker>();
  readonly #scans: OpenScan[] = [];
  #bytes = jsonBytes({ batches: [] });

  /** An upper bound on the bytes of a message with the scans so far. */
  get bytes(): number {
    return this.#bytes;
  }

  add(scan: ScanFacts): void {
    const { id, workspaceId, via } = scan;
    const batch = this.#batches.get(workspaceId) ?? this.#begin(workspaceId);
    const before = batch.bytes;
    this.#scans.push(batch.add(scan));
    this.#bytes += batch.bytes - before + emptyBytes.scan + id.length + (via === null ? 0 : emptyBytes.via);
  }

  /** Counts what is no scan. @param now epoch milliseconds */
  addClosed(closed: Closed, now: number): void {
    const batch = this.#batches.get(closed.workspaceId) ?? this.#begin(closed.workspaceId);
    const before = batch.bytes;
    batch.addClosed(closed, now);
    this.#bytes += batch.bytes - before;
  }

  #begin(workspaceId: string): BatchPacker {
    const batch = new BatchPacker();
    this.#batches.set(workspaceId, batch);
    this.#bytes += emptyBytes.batch + workspaceId.length;
    return batch;
  }

  /** @param visitors of the scans, in the order these were added; 16 hex digits each */
  pack(visitors: readonly string[]): ScanBatch[] {
    for (const [i, scan] of this.#scans.entries()) scan[1] = visitors[i] ?? "";
    return Array.from(this.#batches, ([workspaceId, batch]) => batch.batch(workspaceId));
  }
}

/** Returns a batch without scans. */
export const emptyBatch = (workspaceId: string): ScanBatch => new BatchPacker().batch(workspaceId);

/** Packs scans whose visitors are known. */
export function packScans(records: readonly ScanRecord[]): ScanBatch[] {
  const packer = new ScanPacker();
  for (const record of records) packer.add(record);
  return packer.pack(records.map(({ visitor }) => visitor));
}
