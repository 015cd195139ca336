import { limits } from "../../contract/limits.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { bounds } from "../../protocol/bounds.ts";

/** Rows that the sweep deletes in all workspaces, some time after the time in one of their columns. */
interface Expiring {
  readonly kind: string;
  readonly table: string;
  /** The columns of its key; `id` by default. */
  readonly key?: string;
  /** The column with the time, epoch milliseconds. */
  readonly at: string;
  /** How long rows are kept after it, milliseconds. */
  readonly keep: number;
  /** Which rows are deleted, worded as in the index; all by default. */
  readonly where?: string;
  /** The indexed column that has the order of the times; by default the one with the times. */
  readonly order?: string;
  /** Whether there can be more of them than one statement a minute deletes. */
  readonly isFrequent?: true;
  /** Logged with the number of rows, if there were some. */
  readonly warning?: string;
}

/** Each kind of rows that expire. */
export const expiring = [
  {
    kind: "idempotencyRecords",
    table: "idempotency_records",
    key: "workspace_id, key_id, key",
    at: "created_at",
    keep: limits.idempotency.milliseconds,
    isFrequent: true,
  },
  {
    kind: "proposals",
    table: "proposals",
    at: "expires_at",
    keep: limits.proposals.days * dayLength,
    isFrequent: true,
  },
  {
    kind: "bulkJobs",
    table: "bulk_jobs",
    at: "completed_at",
    keep: limits.bulkJobDays * dayLength,
    where: "items_pruned_at IS NOT NULL",
  },
  { kind: "sessions", table: "sessions", at: "expires_at", keep: 0 },
  { kind: "signInLinks", table: "sign_in_links", key: "digest", at: "expires_at", keep: 0 },
  { kind: "invitations", table: "invitations", key: "digest", at: "expires_at", keep: 0 },
  { kind: "challenges", table: "spent_challenges", key: "digest", at: "expires_at", keep: 0 },
  { kind: "operatorSessions", table: "operator_sessions", key: "digest", at: "expires_at", keep: 0 },
  { kind: "figures", table: "figures", key: "at", at: "at", keep: bounds.figures.retention },
  // Their meters keep refusing revoked keys, and unknown keys are refused as well.
  {
    kind: "revokedKeys",
    table: "api_keys",
    at: "revoked_at",
    keep: limits.revokedKeyDays * dayLength,
    where: "revoked_at IS NOT NULL AND +revocation_pending_at IS NULL",
  },
  {
    kind: "expiredKeys",
    table: "api_keys",
    at: "expires_at",
    keep: limits.expiredKeyDays * dayLength,
    where: "expires_at IS NOT NULL AND +revocation_pending_at IS NULL",
  },
  { kind: "deadLetters", table: "dead_letters", at: "expires_at", keep: 0, warning: "dead letters expired" },
  { kind: "decidedReports", table: "abuse_reports", at: "decided_at", keep: 400 * dayLength },
  {
    kind: "openReports",
    table: "abuse_reports",
    at: "created_at",
    keep: limits.abuseReport.openDays * dayLength,
    where: "status = 'open'",
    order: "id",
  },
  {
    kind: "removedPrints",
    table: "print_jobs",
    at: "removed_at",
    keep: limits.printJob.days * dayLength,
    where: "removed_at IS NOT NULL",
  },
] as const satisfies readonly Expiring[];

export type ExpiringKind = (typeof expiring)[number]["kind"];

/** Returns the SQL of a kind's rows, the oldest first. @param time SQL for the condition of their time */
const rowsOf = ({ table, at, where = "true", order = at }: Expiring, time: string): string =>
  `FROM ${table} WHERE ${where} AND ${at} ${time} ORDER BY ${order}`;

/** Returns the SQL of a query for the time from which the oldest rows of a kind are deleted. */
export const oldestExpiring = (kind: Expiring): string =>
  `SELECT ${kind.at} + ${kind.keep} ${rowsOf(kind, ">= 0")} LIMIT 1`;

/**
 * Deletes rows of a kind that have been kept until `now`, epoch milliseconds, the oldest first.
 * @param limit at most so many
 * @returns how many were deleted
 */
export async function deleteExpired(
  db: D1Database,
  rows: Expiring,
  now: number,
  limit: number,
): Promise<number> {
  const { table, key = "id", keep } = rows;
  // Rows without a retention have expired at their time; the others are kept for all of theirs.
  const isPast = keep === 0 ? "<= ?1" : "< ?1";
  const { meta } = await db
    .prepare(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} ${rowsOf(rows, isPast)} LIMIT ?2)`)
    .bind(now - keep, limit)
    .run();
  return meta.changes;
}
