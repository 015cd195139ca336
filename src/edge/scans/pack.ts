import { utf8Length } from "../../lib/text/utf8.ts";
import type { ScanBatch, ScannedCode, ScanPlace } from "../../protocol/messages.ts";

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
};

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

  /** Bytes of the lists. */
  get bytes(): number {
    const always = this.#codes.bytes + this.#userAgents.bytes + this.#places.bytes + this.#referrers.bytes;
    return this.#vias === undefined ? always : always + emptyBytes.vias + this.#vias.bytes;
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

/** Packs scans whose visitors are known. */
export function packScans(records: readonly ScanRecord[]): ScanBatch[] {
  const packer = new ScanPacker();
  for (const record of records) packer.add(record);
  return packer.pack(records.map(({ visitor }) => visitor));
}
