import { LedgerAlarm } from "./alarm.ts";
import { LedgerBatches } from "./batches.ts";
import { LedgerCapacity } from "./capacity.ts";
import { LedgerDeliveries } from "./deliveries.ts";
import { LedgerDispatch } from "./dispatch.ts";
import { LedgerErasure } from "./erasure.ts";
import { LedgerEvents } from "./events.ts";
import { LedgerExport } from "./export.ts";
import { LedgerGenerations } from "./generations.ts";
import { LedgerPruning } from "./pruning.ts";
import { RawScans } from "./raw-scans.ts";
import { LedgerReport } from "./report.ts";
import { LedgerSparklines } from "./report-sparklines.ts";
import { LedgerReporting } from "./reporting.ts";
import { LedgerRollups } from "./rollups.ts";
import { LedgerScans } from "./scans.ts";
import { LedgerSchedule } from "./schedule.ts";
import { LedgerSubmissions } from "./submissions.ts";
import { LedgerWebhooks } from "./webhooks.ts";

/** What a ledger is made of. All parts share the object's storage, whose tables must exist. */
export function ledgerParts(storage: DurableObjectStorage) {
  const { sql } = storage;
  const webhooks = new LedgerWebhooks(sql);
  const deliveries = new LedgerDeliveries(sql);
  const batches = new LedgerBatches(sql, webhooks, deliveries);
  const dispatch = new LedgerDispatch(webhooks, deliveries, batches);
  const raw = new RawScans(sql);
  const generations = new LedgerGenerations(sql);
  const rollups = new LedgerRollups(sql, generations, raw);
  const report = new LedgerReport(sql, generations, raw);
  return {
    alarm: new LedgerAlarm(storage),
    capacity: new LedgerCapacity(sql),
    scans: new LedgerScans(sql),
    rollups,
    report,
    sparklines: new LedgerSparklines(sql, generations, raw),
    reporting: new LedgerReporting(storage, generations, report),
    export: new LedgerExport(sql),
    submissions: new LedgerSubmissions(sql),
    webhooks,
    deliveries,
    batches,
    events: new LedgerEvents(webhooks, deliveries, batches),
    dispatch,
    erasure: new LedgerErasure(sql, webhooks, batches),
    schedule: new LedgerSchedule(webhooks, batches, dispatch, new LedgerPruning(sql, webhooks), rollups),
  };
}

export type LedgerParts = ReturnType<typeof ledgerParts>;
