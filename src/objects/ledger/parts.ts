import { LedgerAlarm } from "./alarm.ts";
import { LedgerClosedScans } from "./analytics/closed-scans.ts";
import { LedgerGenerations } from "./analytics/generations.ts";
import { LedgerLastScans } from "./analytics/last-scans.ts";
import { LedgerRebuild } from "./analytics/rebuild.ts";
import { LedgerReport } from "./analytics/report.ts";
import { DimensionPresenter } from "./analytics/report-dimensions.ts";
import { LedgerSparklines } from "./analytics/report-sparklines.ts";
import { LedgerReporting } from "./analytics/reporting.ts";
import { LedgerRollups } from "./analytics/rollups.ts";
import { LedgerTotalCopies } from "./analytics/total-copies.ts";
import { LedgerArchiveFiles } from "./archive/archive-files.ts";
import { ArchivedRows } from "./archive/archived-rows.ts";
import { LedgerCopy } from "./backup/copy.ts";
import { LedgerRestore } from "./backup/restore.ts";
import { LedgerCapacity } from "./capacity.ts";
import { LedgerHistory } from "./history/history.ts";
import { LedgerArchive } from "./maintenance/archive.ts";
import { LedgerMaintenance } from "./maintenance/maintenance.ts";
import { LedgerRetention } from "./maintenance/retention.ts";
import { ScanEraser } from "./maintenance/scan-eraser.ts";
import { LedgerScanRemoval } from "./maintenance/scan-removal.ts";
import { UnusedEntries } from "./maintenance/unused-entries.ts";
import { LedgerExport } from "./reading/export.ts";
import { LedgerExportLeases } from "./reading/export-leases.ts";
import { LedgerLive } from "./reading/live.ts";
import { LedgerRecentScans } from "./reading/recent-scans.ts";
import { LedgerScanList } from "./reading/scan-list.ts";
import { LedgerRecording } from "./recording.ts";
import { RawHistory } from "./scans/raw-history.ts";
import { RawScans } from "./scans/raw-scans.ts";
import { ScanErasures } from "./scans/scan-erasures.ts";
import { LedgerScans } from "./scans/scans.ts";
import { LedgerSchedule } from "./schedule.ts";
import { SubmissionErasure } from "./submissions/submission-erasure.ts";
import { LedgerSubmissions } from "./submissions/submissions.ts";
import { LedgerTransactions } from "./transactions.ts";
import { LedgerAlerts } from "./webhooks/alerts.ts";
import { LedgerBatches } from "./webhooks/batches.ts";
import { LedgerDeliveries } from "./webhooks/deliveries.ts";
import { LedgerDispatch } from "./webhooks/dispatch.ts";
import { LedgerEvents } from "./webhooks/events.ts";
import { LedgerPruning } from "./webhooks/pruning.ts";
import { LedgerReplays } from "./webhooks/replays.ts";
import { WebhookHistory } from "./webhooks/webhook-history.ts";
import { LedgerWebhooks } from "./webhooks/webhooks.ts";

/** The storage key of the workspace's id. */
const nameKey = "workspace_id";

/**
 * Returns the workspace's id, which is the object's name. It is stored because an object has no name while its alarm
 * runs.
 */
function storedName({ kv }: DurableObjectStorage, { name }: DurableObjectId): string | undefined {
  const stored = kv.get<string>(nameKey);
  if (stored === undefined && name !== undefined) kv.put(nameKey, name);
  return stored ?? name;
}

/**
 * The parts of a ledger. They share the object's storage, whose tables must exist, and reach each other by these names.
 */
export class LedgerParts {
  readonly ctx: DurableObjectState;
  readonly storage: DurableObjectStorage;
  readonly sql: SqlStorage;
  readonly kv: SyncKvStorage;
  readonly bucket: () => R2Bucket | undefined;
  readonly workspaceId: string;

  readonly alarm = new LedgerAlarm(this);
  readonly capacity = new LedgerCapacity(this);
  readonly schedule = new LedgerSchedule(this);
  readonly transactions = new LedgerTransactions(this);
  readonly recording = new LedgerRecording(this);

  readonly scans = new LedgerScans(this);
  readonly rawScans = new RawScans(this);
  readonly rawHistory = new RawHistory(this);
  readonly scanErasures = new ScanErasures(this);
  readonly closedScans = new LedgerClosedScans(this);

  readonly archiveFiles = new LedgerArchiveFiles(this);
  readonly archivedRows = new ArchivedRows(this);

  readonly generations = new LedgerGenerations(this);
  readonly rollups = new LedgerRollups(this);
  readonly rebuild = new LedgerRebuild(this);
  readonly report = new LedgerReport(this);
  readonly dimensions = new DimensionPresenter(this);
  readonly lastScans = new LedgerLastScans(this);
  readonly sparklines = new LedgerSparklines(this);
  readonly reporting = new LedgerReporting(this);
  readonly totalCopies = new LedgerTotalCopies(this);

  readonly scanList = new LedgerScanList(this);
  readonly recentScans = new LedgerRecentScans(this);
  readonly live = new LedgerLive(this);
  readonly export = new LedgerExport(this);
  readonly exportLeases = new LedgerExportLeases(this);

  readonly maintenance = new LedgerMaintenance(this);
  readonly archive = new LedgerArchive(this);
  readonly retention = new LedgerRetention(this);
  readonly scanEraser = new ScanEraser(this);
  readonly scanRemoval = new LedgerScanRemoval(this);
  readonly unusedEntries = new UnusedEntries(this);

  readonly history = new LedgerHistory(this);

  readonly copy = new LedgerCopy(this);
  readonly restore = new LedgerRestore(this);

  readonly submissions = new LedgerSubmissions(this);
  readonly submissionErasure = new SubmissionErasure(this);

  readonly webhooks = new LedgerWebhooks(this);
  readonly deliveries = new LedgerDeliveries(this);
  readonly batches = new LedgerBatches(this);
  readonly dispatch = new LedgerDispatch(this);
  readonly events = new LedgerEvents(this);
  readonly pruning = new LedgerPruning(this);
  readonly replays = new LedgerReplays(this);
  readonly alerts = new LedgerAlerts(this);
  readonly webhookHistory = new WebhookHistory(this);

  /** The parts that cache stored data and must drop it after a rollback. */
  readonly remembering = [
    this.scans,
    this.recentScans,
    this.generations,
    this.rollups,
    this.totalCopies,
    this.unusedEntries,
    this.history,
    this.schedule,
    this.copy,
    this.restore,
  ];

  /** @param bucket returns the bucket of archived scans, if one is bound */
  constructor(ctx: DurableObjectState, bucket: () => R2Bucket | undefined) {
    this.ctx = ctx;
    this.storage = ctx.storage;
    this.sql = ctx.storage.sql;
    this.kv = ctx.storage.kv;
    this.bucket = bucket;
    this.workspaceId = storedName(ctx.storage, ctx.id) ?? ctx.id.toString();
  }
}
