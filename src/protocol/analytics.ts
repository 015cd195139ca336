import type {
  Analytics,
  Comparison,
  Dimension,
  Interval,
  Rebuilding,
} from "../contract/resources/scans/analytics.ts";
import type { ClosedScans, ScanEvent } from "../contract/resources/scans/scans.ts";

/** A report to compute. */
export interface AnalyticsRequest {
  /** Ids of the codes to report on; null for the whole workspace. */
  readonly qrIds: readonly string[] | null;
  /**
   * Days of the reporting time zone such as 2026-01-31, both inclusive. If undefined, the period ends today and begins
   * `days` before `to`.
   */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The length of a period without a first day; 30 if undefined. */
  readonly days?: number | undefined;
  readonly interval: Interval;
  readonly dimensions: readonly Dimension[];
  /** The most values listed per dimension; the others are summed. */
  readonly limit: number;
  /** The last code of the page before, for the dimension `code`. */
  readonly after?: CodePosition | undefined;
  /** The period before, the year before, or specific days to compare with. */
  readonly compare?: Comparison | { readonly from: string; readonly to: string } | undefined;
}

/** Why a report can't be computed: a field of the request, and the problem, in words that follow the field's name. */
export interface RequestProblem {
  readonly field: "from" | "to" | "interval";
  readonly problem: string;
}

/** A code's place in the dimension `code`: the ledger's reference, and its scans in the period. */
export interface CodePosition {
  readonly ref: number;
  readonly scans: number;
}

/** A report, without the names of codes. `next` is the last code of a page that isn't the last one. */
export type AnalyticsResult = (Analytics & { readonly next?: CodePosition | undefined }) | RequestProblem;

/** A code's human scans: in total, and on each of the last days, oldest first. */
export interface CodeScans {
  readonly qrId: string;
  readonly total: number;
  readonly days: readonly number[];
  /**
   * When the last one was made, epoch milliseconds; null for none. The beginning of its day if it is no longer stored.
   * Undefined from an object that runs the code of 1.1.0.
   */
  readonly lastScanAt?: number | null;
}

/** The recent activity of a code. */
export interface RecentScans {
  /** Human scans on each of the last days, oldest first. */
  readonly days: readonly number[];
  /** ISO 8601; null for none. */
  readonly lastScanAt: string | null;
  /** The last scans, newest first; undefined from an object of a version that doesn't return them. */
  readonly events?: readonly ScanEvent[];
  /** The number of the workspace's last scan, after which a live connection can resume without a gap. */
  readonly latest: number;
  /** Undefined from an object that runs the code of 1.1.0. */
  readonly closed?: ClosedScans;
}

/** How a workspace's scans are reported and kept. */
export interface ReportingStatus {
  /** IANA name. */
  readonly timeZone: string;
  /** Days for which raw scans are kept; null for no limit. */
  readonly keepScansDays: 30 | 90 | 365 | null;
  readonly rebuilding: Rebuilding | null;
}

/** Settings that are undefined stay as they are. */
export type ReportingChanges = Partial<Pick<ReportingStatus, "timeZone" | "keepScansDays">>;
