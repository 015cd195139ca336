import type {
  Analytics,
  Comparison,
  Dimension,
  Interval,
  Rebuilding,
} from "../contract/resources/analytics.ts";

/** A report to compute. */
export interface AnalyticsRequest {
  /** The codes to report on, by id; null for the workspace. */
  readonly qrIds: readonly string[] | null;
  /** Days of the reporting time zone such as 2026-01-31, both included. Undefined: `days` ending with `to`, and today. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The length of a period that names no first day; 30 if undefined. */
  readonly days?: number | undefined;
  readonly interval: Interval;
  readonly dimensions: readonly Dimension[];
  /** Values per dimension at most; the others are summed. */
  readonly limit: number;
  /** Or the days to compare with. */
  readonly compare?: Comparison | { readonly from: string; readonly to: string } | undefined;
}

/** Why a report can't be computed: a field of the request and the problem, in words that follow its name. */
export interface RequestProblem {
  readonly field: "from" | "to" | "interval";
  readonly problem: string;
}

/** A report, without the names of codes. */
export type AnalyticsResult = Analytics | RequestProblem;

/** Human scans of a code: in all, and on each of the last days, the oldest first. */
export interface CodeScans {
  readonly qrId: string;
  readonly total: number;
  readonly days: readonly number[];
}

/** The recent activity of a code. */
export interface RecentScans {
  /** Human scans on each of the last days, the oldest first. */
  readonly days: readonly number[];
  /** ISO 8601; null for none. */
  readonly lastScanAt: string | null;
  /** The number of the workspace's last scan: a live connection that resumes after it shows what the page has not. */
  readonly latest: number;
}

/** How a workspace's scans are reported and kept. */
export interface ReportingStatus {
  /** IANA name. */
  readonly timeZone: string;
  /** Days for which raw scans are kept; null for good. */
  readonly keepScansDays: 30 | 90 | 365 | null;
  readonly rebuilding: Rebuilding | null;
}

/** Undefined leaves a setting as it is. */
export type ReportingChanges = Partial<Pick<ReportingStatus, "timeZone" | "keepScansDays">>;
