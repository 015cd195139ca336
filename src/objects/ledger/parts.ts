import { LedgerAlarm } from "./alarm.ts";
import { LedgerArrivals } from "./arrivals.ts";
import { LedgerBatches } from "./batches.ts";
import { LedgerCapacity } from "./capacity.ts";
import { LedgerDeliveries } from "./deliveries.ts";
import { LedgerDispatch } from "./dispatch.ts";
import { LedgerErasure } from "./erasure.ts";
import { LedgerEvents } from "./events.ts";
import { LedgerExport } from "./export.ts";
import { LedgerGenerations } from "./generations.ts";
import { LedgerLive } from "./live.ts";
import { LedgerPruning } from "./pruning.ts";
import { RawScans } from "./raw-scans.ts";
import { LedgerRecording } from "./recording.ts";
import { LedgerReport } from "./report.ts";
import { LedgerSparklines } from "./report-sparklines.ts";
import { LedgerReporting } from "./reporting.ts";
import { LedgerRollups } from "./rollups.ts";
import { LedgerScanList } from "./scan-list.ts";
import { LedgerScans } from "./scans.ts";
import { LedgerSchedule } from "./schedule.ts";
import { LedgerSubmissions } from "./submissions.ts";
import { LedgerTransactions } from "./transactions.ts";
import { WebhookActions } from "./webhook-actions.ts";
import { LedgerWebhooks } from "./webhooks.ts";

/** What a ledger is made of. All parts share the object's storage, whose tables must exist. */
export function ledgerParts(ctx: DurableObjectState) {
  const { storage } = ctx;
  const { sql } = storage;
  const alarm = new LedgerAlarm(storage);
  const capacity = new LedgerCapacity(sql);
  const scans = new LedgerScans(sql);
  const arrivals = new LedgerArrivals(sql);
  const scanList = new LedgerScanList(storage);
  const webhooks = new LedgerWebhooks(sql);
  const deliveries = new LedgerDeliveries(sql);
  const batches = new LedgerBatches(sql, webhooks, deliveries);
  const dispatch = new LedgerDispatch(webhooks, deliveries, batches);
  const events = new LedgerEvents(webhooks, deliveries, batches);
  const raw = new RawScans(sql);
  const generations = new LedgerGenerations(sql);
  const rollups = new LedgerRollups(sql, generations, raw);
  const report = new LedgerReport(sql, generations, raw);
  const pruning = new LedgerPruning(sql, webhooks);
  const schedule = new LedgerSchedule(webhooks, batches, dispatch, pruning, rollups);
  const transactions = new LedgerTransactions(storage, schedule, alarm);
  return {
    transactions,
    alarm,
    schedule,
    capacity,
    recording: new LedgerRecording({ capacity, scans, rollups, arrivals, events, webhooks }),
    scans,
    scanList,
    live: new LedgerLive(ctx, arrivals, scanList),
    report,
    sparklines: new LedgerSparklines(sql, generations, raw),
    reporting: new LedgerReporting(storage, generations, report),
    export: new LedgerExport(sql),
    submissions: new LedgerSubmissions(sql),
    webhooks,
    deliveries,
    events,
    webhookActions: new WebhookActions({ webhooks, deliveries, batches, events, dispatch }, transactions),
    erasure: new LedgerErasure(sql, webhooks, batches),
  };
}

export type LedgerParts = ReturnType<typeof ledgerParts>;
