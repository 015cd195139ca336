import { LedgerAlarm } from "./alarm.ts";
import { LedgerArrivals } from "./arrivals.ts";
import { LedgerBatches } from "./batches.ts";
import { LedgerCapacity } from "./capacity.ts";
import { LedgerDeliveries } from "./deliveries.ts";
import { LedgerDispatch } from "./dispatch.ts";
import { LedgerErasure } from "./erasure.ts";
import { LedgerEvents } from "./events.ts";
import { LedgerExport } from "./export.ts";
import { LedgerLive } from "./live.ts";
import { LedgerPruning } from "./pruning.ts";
import { LedgerScanList } from "./scan-list.ts";
import { LedgerScans } from "./scans.ts";
import { LedgerSchedule } from "./schedule.ts";
import { LedgerSubmissions } from "./submissions.ts";
import { LedgerWebhooks } from "./webhooks.ts";

/** What a ledger is made of. All parts share the object's storage, whose tables must exist. */
export function ledgerParts(ctx: DurableObjectState) {
  const { storage } = ctx;
  const { sql } = storage;
  const arrivals = new LedgerArrivals(sql);
  const scanList = new LedgerScanList(storage);
  const webhooks = new LedgerWebhooks(sql);
  const deliveries = new LedgerDeliveries(sql);
  const batches = new LedgerBatches(sql, webhooks, deliveries);
  const dispatch = new LedgerDispatch(webhooks, deliveries, batches);
  return {
    alarm: new LedgerAlarm(storage),
    capacity: new LedgerCapacity(sql),
    scans: new LedgerScans(sql),
    arrivals,
    scanList,
    live: new LedgerLive(ctx, arrivals, scanList),
    export: new LedgerExport(sql),
    submissions: new LedgerSubmissions(sql),
    webhooks,
    deliveries,
    batches,
    events: new LedgerEvents(webhooks, deliveries, batches),
    dispatch,
    erasure: new LedgerErasure(sql, webhooks, batches),
    schedule: new LedgerSchedule(webhooks, batches, dispatch, new LedgerPruning(sql, webhooks)),
  };
}

export type LedgerParts = ReturnType<typeof ledgerParts>;
