import { idFromHex, timeOfId } from "../../lib/text/ids.ts";
import type { EventOf } from "../../protocol/events.ts";
import type { ScanBatch } from "../../protocol/messages.ts";
import type { LedgerClosedScans } from "./analytics/closed-scans.ts";
import type { LedgerRollups } from "./analytics/rollups.ts";
import type { LedgerTotalCopies } from "./analytics/total-copies.ts";
import type { LedgerCapacity } from "./capacity.ts";
import type { LedgerMaintenance } from "./maintenance/maintenance.ts";
import type { UnusedEntries } from "./maintenance/unused-entries.ts";
import { LedgerPart } from "./part.ts";
import type { LedgerRecentScans, NewCall } from "./reading/recent-scans.ts";
import type { RawHistory } from "./scans/raw-history.ts";
import { factsOf } from "./scans/raw-scans.ts";
import type { HumanScan, LedgerScans } from "./scans/scans.ts";
import { isoTime } from "./times.ts";
import type { LedgerEvents } from "./webhooks/events.ts";
import type { LedgerWebhooks } from "./webhooks/webhooks.ts";

/** The outcome of recording scans. */
export interface RecordingOutcome {
  /** Undefined if no human scan was new. */
  readonly call: NewCall | undefined;
  /** Ids of webhooks with deliveries due. */
  readonly due: string[];
}

/** Stores scans and everything that follows from them. */
export class LedgerRecording extends LedgerPart<{
  capacity: LedgerCapacity;
  scans: LedgerScans;
  closedScans: LedgerClosedScans;
  rollups: LedgerRollups;
  totalCopies: LedgerTotalCopies;
  rawHistory: RawHistory;
  unusedEntries: UnusedEntries;
  maintenance: LedgerMaintenance;
  recentScans: LedgerRecentScans;
  events: LedgerEvents;
  webhooks: LedgerWebhooks;
}> {
  /** Stores scans and the deliveries they cause, and counts what is no scan. Call it in a transaction. @param now epoch milliseconds */
  record(batches: readonly ScanBatch[], workspaceId: string | undefined, now: number): RecordingOutcome {
    const { capacity, scans, closedScans, rollups, recentScans, events, webhooks } = this.parts;
    const { kept, exhausted, isHigh } = capacity.measure(workspaceId, now);
    const isCounted = closedScans.record(batches, now);
    const recorded = scans.record(batches, kept, now);
    if (recorded.humans.length > 0) this.parts.totalCopies.recorded(recorded.newCodes, now);
    const facts = factsOf(recorded, kept.visitors);
    const { stored = [], unstored = [] } = Object.groupBy(facts, ({ id }) =>
      recorded.unstored.has(id) ? "unstored" : "stored",
    );
    rollups.recorded(stored, true);
    if (unstored.length > 0) rollups.recorded(unstored, false);
    this.parts.unusedEntries.recorded(recorded);
    this.parts.maintenance.recorded(stored, { isHigh, isAllStored: unstored.length === 0 && !isCounted });
    if (!kept.rows) this.parts.rawHistory.lackScans(unstored);
    const call = recentScans.add(recorded.humans);
    if (exhausted || !events.hasSubscribers("qr.scanned")) return { call, due: [] };
    return { call, due: webhooks.markEnqueued(events.emit(recorded.humans.map(scannedEvent), now), now) };
  }
}

/** Creates the event of a scan, with the scan's id. */
function scannedEvent({ id: hexId, code, agent, place }: HumanScan): EventOf<"qr.scanned"> {
  const id = idFromHex(hexId);
  const at = timeOfId(id);
  const { qrId, hash } = code;
  const { country, city } = place;
  const { device, os } = agent;
  return {
    id,
    kind: "qr.scanned",
    at,
    data: { id, qrId, hash, scannedAt: isoTime(at), country, city, device, os },
  };
}
