import type {
  ClosedReason,
  DeliveryMode,
  DeliveryStatus,
  EventKind,
  ExportFormat,
  WebhookStatus,
} from "../contract/resources/enums.ts";
import type { Answers, Submission } from "../contract/resources/pages.ts";
import type { ScanKind } from "../contract/resources/scans/scan-filters.ts";
import type { ScanEvent, ScanListResponse } from "../contract/resources/scans/scans.ts";
import type { Delivery, DeliveryWithAttempts, Webhook } from "../contract/resources/webhooks/webhooks.ts";
import type { AlertMethods } from "./alerts.ts";
import type {
  AnalyticsRequest,
  AnalyticsResult,
  CodeScans,
  RecentScans,
  ReportingChanges,
  ReportingStatus,
} from "./analytics.ts";
import type { ArchiveFile, ArchiveSummary } from "./archives.ts";
import type { BackupMethods } from "./backup.ts";
import type { ServiceEvent } from "./events.ts";
import type { Actor, HistoryEntry, HistoryMethods, ObjectRef, WorkspaceActor } from "./history.ts";
import type { ScanBatch } from "./messages.ts";
import type { Remote } from "./remote.ts";
import type { ReplayMethods } from "./replays.ts";

/** The scans of an export. */
export interface ExportRange {
  /** Range of scan times, epoch milliseconds: `from` inclusive, `until` exclusive. */
  readonly from: number;
  readonly until: number;
  /** The id of the last scan read: 32 hex digits; null for none. */
  readonly after: string | null;
}

/** Where the scans of an export are: in these files, and in the ledger. */
export interface ExportSources {
  /** Changes whenever scans are moved or deleted. */
  readonly version: number;
  /** Ordered by first scan. */
  readonly files: readonly ArchiveFile[];
  /** The range's start, or the start of retention if that is later. */
  readonly from: number;
  /** Erased scans that files may still contain. */
  readonly erased: readonly ErasedScans[];
  /** Whether pages can have `via`. Absent from a ledger that still runs the code of 1.0.0. */
  readonly via?: boolean;
  /** Whether pages can have scans by bots. Absent from a ledger that still runs the code of 1.1.0. */
  readonly bots?: boolean;
}

/** A code's scans with ids below `before`: 32 hex digits. */
export interface ErasedScans {
  readonly qrId: string;
  readonly before: string;
}

/** A code whose scans are erased, and whether their sums are erased too. */
export interface ScanErasure {
  readonly qrId: string;
  readonly hash: string;
  /** The code's name, for the history. */
  readonly name?: string;
  readonly sums: "keep" | "erase";
}

/** A page of the export to render. */
export interface ExportRequest extends ExportRange {
  /** Scans of this code only; null for all. */
  readonly qrId: string | null;
  readonly format: ExportFormat;
  /** Scans at most. */
  readonly limit: number;
  /** Whether to include `ids` and `ends`. */
  readonly indexed: boolean;
  /** Whether lines have `via`. 1.0.0 doesn't ask for it, and writes a header without it. */
  readonly via?: boolean;
  /** Humans' if absent, and in a ledger that still runs the code of 1.1.0. Lines of others' scans have `botRule`. */
  readonly kind?: ScanKind;
}

/** Which of a code's scans to list. Null means any value, an empty string an unknown one. */
export interface ScanFilter {
  /** The id of the scan that the page follows; null for the first page. */
  readonly after: string | null;
  /** Range of scan times, epoch milliseconds: `from` inclusive, `until` exclusive. */
  readonly from: number;
  readonly until: number;
  /** As stored: empty for scans whose country is unknown. */
  readonly country: string | null;
  /** In lower case, like the next two. */
  readonly device: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  /** As in `ExportRequest`. */
  readonly kind?: ScanKind;
}

/** A code's statistics, and a page of its scans, newest first. */
export interface ScanPage {
  readonly stats: ScanListResponse["stats"];
  /** Absent from a ledger that still runs the code of 1.1.0, which counts none. */
  readonly closed?: ScanListResponse["closed"];
  readonly events: readonly ScanEvent[];
  /** Pass it as `after` to read the next page; null on the last one. */
  readonly next: string | null;
  /** Scans from before this time may be archived and are not listed, epoch milliseconds; null if all are listed. */
  readonly completeFrom: number | null;
  /** Whether the filter's kind was heeded. Absent from a ledger that still runs the code of 1.1.0. */
  readonly bots?: boolean;
  /** The number of the workspace's last scan, after which a live connection can resume without a gap. */
  readonly latest: number;
}

/** A rendered page of the export. */
export interface ExportPage {
  /** Whole lines in UTF-8. Bytes are cheaper to transfer than strings and take no JavaScript heap. */
  readonly lines: Uint8Array;
  /** Pass it as `after` to read the next page. */
  readonly last: string | null;
  readonly more: boolean;
  /** Each line's scan id, 32 hex digits, and the offset of the line's end, in bytes. */
  readonly ids: readonly string[];
  readonly ends: readonly number[];
  /** The version of `ExportSources` that the page belongs to. */
  readonly version: number;
}

/** An incoming submission. */
export interface NewSubmission {
  /** A UUIDv7: both identity and time. */
  readonly id: string;
  readonly pageId: string;
  /** Equal for two posts of the same submission. */
  readonly fingerprint: string;
  /** Equal for all submissions from a network to this page: 16 hex digits of a keyed hash. */
  readonly sender: string;
  /** The sender's /48, and how many times a network's limit it may send; undefined for IPv4. */
  readonly site?: { readonly sender: string; readonly times: number };
  readonly fields: Answers;
}

/** Scans and submissions that the copied installation got later, as they were recorded there. */
export interface LaterRecords {
  readonly batch: ScanBatch;
  readonly submissions: readonly NewSubmission[];
}

/** A page of a hosted page's submissions. */
export interface SubmissionPage {
  readonly items: readonly Submission[];
  /** The id of the last submission read, if there are more; otherwise null. */
  readonly next: string | null;
}

/** The submissions to erase: specific ones, or the next of those that a search matches, newest first. */
export type ErasedSubmissions =
  | { readonly ids: readonly string[] }
  | { readonly contains: string | null; readonly after: string; readonly limit: number };

/** The outcome of a submission. */
export interface SubmissionResult {
  /** `closed`: the page has reached its limit. `limited`: the sender has sent too many today. */
  readonly outcome: "stored" | "repeated" | "closed" | "limited";
  /** Whether the page accepts no more submissions. */
  readonly full: boolean;
  /** Ids of webhooks with deliveries due. */
  readonly due: readonly string[];
}

/** How full a ledger is. `high`: it will fill up at this rate. `full`: scans are counted but not stored. */
export interface LedgerStorage {
  readonly bytes: number;
  readonly status: "ok" | "high" | "full";
  readonly archive: ArchiveSummary;
  /** Codes whose erased scans have not been removed completely. */
  readonly erasures: number;
}

/** A webhook that the service has paused. */
export interface PausedWebhook {
  readonly id: string;
  readonly url: string;
  readonly reason: string;
}

/** A webhook with deliveries that failed for good and were not sent again. */
export interface FailingWebhook {
  readonly id: string;
  readonly url: string;
  /** The id of the newest of these deliveries, which is as old as it. */
  readonly deliveryId: string;
}

/** Conditions of a ledger that the dashboard shows as notices, and settings that every page needs. */
export interface LedgerNotices {
  /** The reports' time zone, an IANA name. */
  readonly timeZone: string;
  /** Webhooks that the service has paused, oldest first. */
  readonly pausedWebhooks: readonly PausedWebhook[];
  readonly storage: LedgerStorage["status"];
  readonly rebuilding: ReportingStatus["rebuilding"];
  /** When the history last grew more than usual within an hour, epoch milliseconds; missing in an older ledger. */
  readonly historyUnusualAt?: number | null;
  /** Every webhook that waits for a person; missing in an older ledger. */
  readonly waiting?: {
    readonly paused: readonly PausedWebhook[];
    readonly failing: readonly FailingWebhook[];
  };
}

/** A webhook's encrypted secret, and the same one encrypted with another key. */
export interface SecretReplacement {
  readonly stored: string;
  readonly replacement: string;
}

/** A header of a webhook's own, with its value encrypted. */
export interface StoredHeader {
  readonly name: string;
  readonly value: string;
}

/** A header to store. @property value null keeps the stored one */
export interface NewHeader {
  readonly name: string;
  readonly value: string | null;
}

/** A webhook to register. `secret` is encrypted; the ledger can't decrypt it. */
export interface NewWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  readonly scopeQrId: string | null;
  readonly scopePageId: string | null;
  readonly mode: DeliveryMode;
  readonly secret: string;
  readonly headers?: StoredHeader[] | undefined;
  /** The API key that creates it; null for a person. */
  readonly keyId: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The fields of a webhook to change; undefined leaves a field as it is. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  /** The API key that changes the URL; null for a person. */
  readonly keyId?: string | null | undefined;
  readonly events?: readonly EventKind[] | undefined;
  readonly mode?: DeliveryMode | undefined;
  /** All of them. Values stored for another origin than the URL's are never kept. */
  readonly headers?: readonly NewHeader[] | undefined;
  readonly status?: WebhookStatus | undefined;
}

/** A delivery whose next attempt the caller has claimed. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  /** Counts from 1. Passed back when the attempt is settled. */
  readonly attempt: number;
}

/** Attempts of one webhook for the caller to make now. */
export interface Claim {
  readonly url: string;
  /** Encrypted secrets to sign with: the current one and, within its grace period, the previous one. */
  readonly secrets: readonly string[];
  /** Absent from a ledger of the previous version. */
  readonly headers?: readonly StoredHeader[];
  readonly deliveries: readonly ClaimedDelivery[];
  /** Whether more attempts are due. Another run may claim them at the same time. */
  readonly more: boolean;
}

/** The outcome of one delivery attempt. */
export interface AttemptOutcome {
  /** When the attempt began, epoch milliseconds. */
  readonly at: number;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why the attempt failed; null if a 2xx arrived in time. */
  readonly error: string | null;
  readonly responseBody: string | null;
}

/** Why a delivery can't be replayed: its webhook is paused, its data was erased, or it has another status. */
export type ReplayProblem = "paused" | "erased" | "pending" | "succeeded";

/** A code that was lately scanned without a target. */
export interface ClosedCode {
  readonly qrId: string;
  readonly reason: ClosedReason;
  readonly scans: number;
  /** The last day of these scans, as YYYY-MM-DD. */
  readonly lastDay: string;
}

/** A count of scans without a target. */
export interface ClosedDay {
  readonly qrId: string;
  readonly hash: string;
  /** As YYYY-MM-DD, in the reports' time zone. */
  readonly day: string;
  readonly reason: ClosedReason;
  readonly scans: number;
}

/** Where a page of counts ends. */
export interface ClosedPosition {
  readonly code: number;
  readonly reason: string;
  readonly day: number;
}

/** A page of counts. @property next null on the last page */
export interface ClosedCountPage {
  readonly counts: readonly ClosedDay[];
  readonly next: ClosedPosition | null;
}

/** The visits of a domain's own address. */
export interface DomainVisitCounts {
  readonly total: number;
  /** The first of these days, as YYYY-MM-DD. */
  readonly from: string;
  /** On each of the last days, oldest first. */
  readonly days: readonly number[];
}

/** Recording, listing and erasing scans. */
interface ScanMethods {
  recordScans(batches: readonly ScanBatch[], now: number): Promise<string[]>;
  listScans(qrId: string, limit: number, filter?: ScanFilter): ScanPage;
  countScans(): number;
  eraseScans(erasure: ScanErasure, now: number, actor?: Actor): Promise<void>;
  erasedScans(qrIds: readonly string[]): ErasedScans[];
  /** 1.1.0 lacks this and the next two. */
  closedCodes(days: number, limit: number, now: number): ClosedCode[];
  closedCounts(after: ClosedPosition | null, limit: number): ClosedCountPage;
  domainVisits(host: string, days: number, now: number): DomainVisitCounts;
}

/** Exports of scans, and the leases under which they run. */
interface ExportMethods {
  exportSources(range: ExportRange, now: number): ExportSources;
  exportPage(request: ExportRequest): ExportPage;
  acquireExport(id: string, now: number): boolean;
  renewExport(id: string, now: number): void;
  releaseExport(id: string, now: number): void;
}

/** Who changes something of a page, and the page's title. */
export interface PageActor {
  readonly actor: Actor;
  readonly pageTitle: string | null;
}

/** Statistics of scans, and how they are kept. */
interface ReportMethods {
  analytics(request: AnalyticsRequest, now: number): AnalyticsResult;
  sparklines(qrIds: readonly string[], days: number, now: number): CodeScans[];
  codeActivity(qrId: string, days: number, now: number): RecentScans;
  reportingStatus(): ReportingStatus;
  changeReporting(changes: ReportingChanges, now: number, by?: WorkspaceActor): Promise<ReportingStatus>;
  /** Newer than 1.1.0. */
  copyTotals(now: number): Promise<boolean>;
}

/** Submissions of hosted pages. */
interface SubmissionMethods {
  submit(submission: NewSubmission, now: number): Promise<SubmissionResult>;
  listSubmissions(
    pageId: string,
    order: "oldest" | "newest",
    after: string | null,
    limit: number,
    contains?: string | null,
  ): SubmissionPage;
  getSubmission(pageId: string, id: string): Submission | undefined;
  countSubmissions(pageIds: readonly string[]): number[];
  submissionsByDay(pageId: string, starts: readonly number[]): number[];
  submissionFields(pageId: string): string[];
  eraseSubmissions(
    pageId: string,
    which: ErasedSubmissions,
    now: number,
    by?: PageActor,
  ): Promise<{ readonly erased: number; readonly next: string | null }>;
}

interface WebhookMethods {
  createWebhook(webhook: NewWebhook, cap: number, actor?: Actor): Promise<Webhook | undefined>;
  listWebhooks(): Webhook[];
  getWebhook(id: string): Webhook | undefined;
  changeWebhook(
    id: string,
    changes: WebhookChanges,
    now: number,
    actor?: Actor,
  ): Promise<Webhook | undefined>;
  rotateSecret(id: string, secret: string, now: number, actor?: Actor): Promise<boolean>;
  webhookSecrets(now: number): string[];
  replaceWebhookSecrets(replacements: readonly SecretReplacement[]): void;
  deleteWebhook(id: string, now: number, actor?: Actor): Promise<boolean>;
  listUnsentEvents(id: string): EventKind[];
  sendTest(id: string, event: ServiceEvent, now: number): Promise<Delivery | undefined>;
}

/** Contents of the outbox: events, entries of the history, and objects whose values are erased from it. */
export interface Received {
  readonly events: readonly ServiceEvent[];
  readonly entries?: readonly HistoryEntry[];
  readonly erased?: readonly ObjectRef[];
}

/** Events, and their deliveries to webhooks. */
interface DeliveryMethods {
  /** Used by Workers of 1.0.0, and where the ledger still runs it. */
  emit(events: readonly ServiceEvent[], now: number): Promise<string[]>;
  receive(received: Received, now: number): Promise<string[]>;
  listDeliveries(
    id: string,
    status: DeliveryStatus | null,
    after: string | null,
    limit: number,
    since?: string | null,
    events?: readonly EventKind[] | null,
  ): Delivery[] | undefined;
  getDelivery(id: string, deliveryId: string): DeliveryWithAttempts | undefined;
  replay(id: string, deliveryId: string, now: number): Promise<Delivery | ReplayProblem | undefined>;
  claim(id: string, now: number): Promise<Claim | undefined>;
  settle(
    id: string,
    deliveryId: string,
    attempt: number,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void>;
}

/**
 * The methods of a WorkspaceLedger object, by subject. During an update, Workers of the previous version call them,
 * too, without an actor. `now` is the caller's clock, epoch milliseconds. Methods that create deliveries return the ids
 * of webhooks with deliveries due, for the caller to enqueue.
 */
export interface WorkspaceLedgerMethods
  extends ScanMethods,
    ExportMethods,
    ReportMethods,
    SubmissionMethods,
    WebhookMethods,
    DeliveryMethods,
    AlertMethods,
    HistoryMethods,
    ReplayMethods,
    BackupMethods {
  storage(): LedgerStorage;
  pauseWebhooks(reason: string, now: number): Promise<void>;
  erase(): Promise<void>;
  notices(limit: number): LedgerNotices;
}

/** A WorkspaceLedger object as its callers see it. */
export interface RemoteLedger extends Remote<WorkspaceLedgerMethods> {
  /** Opens a live connection. `liveRequest` builds the request. */
  fetch(request: Request): Promise<Response>;
}
