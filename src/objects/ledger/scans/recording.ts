import type { ScanBatch } from "../../../protocol/messages.ts";
import type { LedgerRollups } from "../analytics/rollups.ts";
import type { LedgerCapacity } from "../capacity.ts";
import type { LedgerUpkeep } from "../maintenance.ts";
import { LedgerPart } from "../part.ts";
import { scannedEvent } from "../webhooks/event-data.ts";
import type { LedgerEvents } from "../webhooks/events.ts";
import type { LedgerWebhooks } from "../webhooks/webhooks.ts";
import type { RawHistory } from "./raw-history.ts";
import { factsOf } from "./raw-scans.ts";
import type { LedgerArrivals, NewArrival } from "./recent-scans.ts";
import type { LedgerScans } from "./scans.ts";
import type { UnusedEntries } from "./unused-entries.ts";

/** What a call recorded. */
export interface Recorded {
  /** Undefined if no human scan was new. */
  readonly arrival: NewArrival | undefined;
  /** Ids of webhooks with deliveries due. */
  readonly due: string[];
}

/** Stores scans with everything that follows from them. */
export class LedgerRecording extends LedgerPart<{
  capacity: LedgerCapacity;
  scans: LedgerScans;
  rollups: LedgerRollups;
  rawHistory: RawHistory;
  unusedEntries: UnusedEntries;
  maintenance: LedgerUpkeep;
  recentScans: LedgerArrivals;
  events: LedgerEvents;
  webhooks: LedgerWebhooks;
}> {
  /** Stores scans, and the deliveries they cause. Call it in a transaction. @param now epoch milliseconds */
  record(batches: readonly ScanBatch[], workspaceId: string | undefined, now: number): Recorded {
    const { capacity, scans, rollups, recentScans, events, webhooks } = this.parts;
    const { kept, exhausted, isHigh } = capacity.measure(workspaceId, now);
    const recorded = scans.record(batches, kept, now);
    const facts = factsOf(recorded, kept.visitors);
    const { stored = [], unstored = [] } = Object.groupBy(facts, ({ id }) =>
      recorded.unstored.has(id) ? "unstored" : "stored",
    );
    rollups.recorded(stored, true);
    if (unstored.length > 0) rollups.recorded(unstored, false);
    this.parts.unusedEntries.recorded(recorded);
    this.parts.maintenance.recorded(stored, { isHigh, isAllStored: unstored.length === 0 });
    if (!kept.rows) this.parts.rawHistory.lackScans(unstored);
    const arrival = recentScans.add(recorded.humans);
    if (exhausted || !events.hasSubscribers("qr.scanned")) return { arrival, due: [] };
    return { arrival, due: webhooks.markEnqueued(events.emit(recorded.humans.map(scannedEvent), now), now) };
  }
}
