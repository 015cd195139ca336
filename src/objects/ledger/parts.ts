import { LedgerAlarm } from "./alarm.ts";
import { LedgerGenerations } from "./analytics/generations.ts";
import { LedgerRebuild } from "./analytics/rebuild.ts";
import { LedgerReport } from "./analytics/report.ts";
import { LedgerSparklines } from "./analytics/report-sparklines.ts";
import { LedgerReporting } from "./analytics/reporting.ts";
import { LedgerRollups } from "./analytics/rollups.ts";
import { LedgerArchive } from "./archive/archive.ts";
import { LedgerArchiveFiles } from "./archive/archive-files.ts";
import { ArchivedRows } from "./archive/archived-rows.ts";
import { LedgerRetention } from "./archive/retention.ts";
import { LedgerCapacity } from "./capacity.ts";
import { LedgerUpkeep } from "./maintenance.ts";
import { LedgerExport } from "./scans/export.ts";
import { LedgerExportLeases } from "./scans/export-leases.ts";
import { LedgerLive } from "./scans/live.ts";
import { RawHistory } from "./scans/raw-history.ts";
import { RawScans } from "./scans/raw-scans.ts";
import { LedgerArrivals } from "./scans/recent-scans.ts";
import { LedgerRecording } from "./scans/recording.ts";
import { LedgerScanErasing } from "./scans/scan-erasing.ts";
import { ScanErasures } from "./scans/scan-erasures.ts";
import { LedgerScanList } from "./scans/scan-list.ts";
import { LedgerScans } from "./scans/scans.ts";
import { UnusedEntries } from "./scans/unused-entries.ts";
import { LedgerSchedule } from "./schedule.ts";
import { LedgerErasure } from "./submissions/submission-erasure.ts";
import { LedgerSubmissions } from "./submissions/submissions.ts";
import { LedgerTransactions } from "./transactions.ts";
import { LedgerBatches } from "./webhooks/batches.ts";
import { LedgerDeliveries } from "./webhooks/deliveries.ts";
import { LedgerDispatch } from "./webhooks/dispatch.ts";
import { LedgerEvents } from "./webhooks/events.ts";
import { LedgerPruning } from "./webhooks/pruning.ts";
import { LedgerReplays } from "./webhooks/replays.ts";
import { WebhookActions } from "./webhooks/webhook-actions.ts";
import { LedgerWebhooks } from "./webhooks/webhooks.ts";

/** The storage key of the workspace's id. */
const nameKey = "workspace_id";

/** The workspace's id, which is the object's name. It is stored, because the object has no name while its alarm runs. */
function storedName({ kv }: DurableObjectStorage, { name }: DurableObjectId): string | undefined {
  const stored = kv.get<string>(nameKey);
  if (stored === undefined && name !== undefined) kv.put(nameKey, name);
  return stored ?? name;
}

/**
 * What a ledger is made of. All parts share the object's storage, whose tables must exist.
 * @param bucket the bucket of archived scans
 */
export function ledgerParts(ctx: DurableObjectState, bucket: () => R2Bucket) {
  const { storage, id } = ctx;
  const workspaceId = storedName(storage, id) ?? id.toString();
  const { sql } = storage;
  const alarm = new LedgerAlarm(storage);
  const capacity = new LedgerCapacity(sql);
  const scans = new LedgerScans(storage);
  const arrivals = new LedgerArrivals(sql);
  const webhooks = new LedgerWebhooks(sql);
  const deliveries = new LedgerDeliveries(sql);
  const batches = new LedgerBatches(sql, webhooks, deliveries);
  const replays = new LedgerReplays(sql, deliveries);
  const dispatch = new LedgerDispatch(webhooks, deliveries, batches, replays);
  const events = new LedgerEvents(webhooks, deliveries, batches);
  const raw = new RawScans(sql);
  const generations = new LedgerGenerations(sql);
  const rollups = new LedgerRollups(sql, generations, raw);
  const report = new LedgerReport(sql, generations, raw);
  const history = new RawHistory(storage.kv);
  const files = new LedgerArchiveFiles(storage, bucket, workspaceId);
  const scanList = new LedgerScanList(sql, history, files);
  const rows = new ArchivedRows(sql);
  const scanErasures = new ScanErasures(sql, history, generations, files);
  const exports = new LedgerExport(sql, history, files, scanErasures);
  const unused = new UnusedEntries(storage, generations, () => {
    scans.clearMemory();
    exports.clearMemory();
  });
  const rebuild = new LedgerRebuild(sql, generations, rollups, files, rows, scanErasures);
  const retention = new LedgerRetention(sql, history, files, raw, rollups, unused);
  const archive = new LedgerArchive(storage, files, rows, raw, generations, rollups, unused);
  const erasing = new LedgerScanErasing(storage, generations, rollups, files, scanErasures, unused);
  const upkeep = new LedgerUpkeep(files, rebuild, retention, archive, erasing, unused, raw);
  const pruning = new LedgerPruning(sql, webhooks);
  const schedule = new LedgerSchedule(webhooks, batches, dispatch, replays, pruning, rollups, upkeep);
  const remembering = [scans, arrivals, generations, rollups, unused, schedule];
  const transactions = new LedgerTransactions(storage, schedule, alarm, remembering);
  const recorded = { capacity, scans, rollups, history, unused, upkeep, arrivals, events, webhooks };
  return {
    workspaceId,
    transactions,
    alarm,
    schedule,
    upkeep,
    capacity,
    recording: new LedgerRecording(recorded),
    scans,
    scanList,
    arrivals,
    live: new LedgerLive(ctx, arrivals, scanList),
    report,
    sparklines: new LedgerSparklines(sql, generations, raw),
    reporting: new LedgerReporting(history, generations, report, scanErasures),
    export: exports,
    exportLeases: new LedgerExportLeases(storage.kv),
    scanErasures,
    submissions: new LedgerSubmissions(sql),
    webhooks,
    deliveries,
    events,
    webhookActions: new WebhookActions(
      { webhooks, deliveries, batches, events, dispatch, replays },
      transactions,
    ),
    erasure: new LedgerErasure(sql, webhooks, batches),
    files,
  };
}

export type LedgerParts = ReturnType<typeof ledgerParts>;
