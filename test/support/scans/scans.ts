import { packScans, type ScanRecord } from "../../../src/edge/scans/pack.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import type { ScanBatch } from "../../../src/protocol/messages.ts";
import { phone } from "../service.ts";

/** Returns a scan by a phone in Cologne. @param overrides.at when it was made; the beginning of 2026 by default */
export function scanRecord(overrides: Partial<ScanRecord> & { at?: number } = {}): ScanRecord {
  const { at = Date.UTC(2026, 0, 1), ...fields } = overrides;
  return {
    id: newId(at),
    workspaceId: "w",
    qrId: "01900000-0000-7000-8000-0000000000aa",
    hash: "00000000",
    country: "DE",
    city: "Köln",
    userAgent: phone,
    visitor: "00000000000000aa",
    referrer: null,
    prefetch: false,
    isMailNetwork: false,
    via: null,
    ...fields,
  };
}

/** Packs scans into batches. */
export const packed = (...scans: ScanRecord[]): ScanBatch[] => packScans(scans);
