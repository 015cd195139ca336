import type { ScanRecord } from "../../src/protocol/messages.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { phone } from "./service.ts";

/** A scan by a phone in Cologne, at the beginning of 2026. */
export function scanRecord(overrides: Partial<ScanRecord> = {}): ScanRecord {
  const at = overrides.at ?? Date.UTC(2026, 0, 1);
  return {
    id: newId(at),
    workspaceId: "w",
    qrId: "01900000-0000-7000-8000-0000000000aa",
    hash: "00000000",
    at,
    country: "DE",
    city: "Köln",
    userAgent: phone,
    visitor: "00000000000000aa",
    prefetch: false,
    ...overrides,
  };
}
