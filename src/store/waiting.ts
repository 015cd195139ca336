import { limits } from "../contract/limits.ts";
import type { Qr } from "../contract/resources/codes/qr.ts";
import { type DomainProblem, passingProblems } from "../contract/resources/domains.ts";
import type { PrintJobKind } from "../contract/resources/enums.ts";
import type { StoredWaitingKind } from "../contract/waiting-kinds.ts";
import { dayLength } from "../lib/time/calendar.ts";
import { presentQr, qrRows } from "./codes/columns.ts";
import { isWaiting, listWaitingProposals, type WaitingProposal } from "./proposals.ts";
import type { JobSource } from "./schema/bulk.ts";

/** Things that wait for a person, as far as the catalogue knows. Times are epoch milliseconds. */

/** A thing that waits: its kind and its id. */
export type WaitingKey = readonly [StoredWaitingKind, string];

/** A job is among these as long as its failed rows can be read. */
const jobMilliseconds = limits.bulkItemDays * dayLength;

/** How long a row is used at most: nothing says when codes are scanned after their end. */
const freshMilliseconds = dayLength / 24;

const endedBadly = "completed_at IS NOT NULL AND (status = 'failed' OR failure_count > 0)";
const recentJobs = `workspace_id = ?1 AND ${endedBadly} AND completed_at > ?2 - ${jobMilliseconds}
  ORDER BY completed_at DESC LIMIT ?3`;
const unreadableCodes = "workspace_id = ?1 AND readable = 0 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?3";
const troubledDomains = `workspace_id = ?1 AND deleted_at IS NULL AND problem IS NOT NULL
  AND (status = 'active' OR problem NOT IN (${passingProblems.map((problem) => `'${problem}'`).join(", ")}))
  ORDER BY host LIMIT ?3`;

/** SQL for those codes of the JSON ?4, with the reason why each got scans without a target, that still don't answer. */
const closedCodes = `SELECT c.id, NULL AS until FROM json_each(?4) j
  CROSS JOIN qr_codes c ON c.id = j.value->>0 AND c.workspace_id = ?1
  WHERE CASE j.value->>1 WHEN 'deleted' THEN c.deleted_at IS NOT NULL AND c.erased_at IS NULL
    WHEN 'paused' THEN c.deleted_at IS NULL AND c.suspended IS NULL AND c.status = 'paused'
    WHEN 'expired' THEN c.deleted_at IS NULL AND c.suspended IS NULL AND c.status = 'active' AND c.expires_at <= ?2 END`;

/**
 * SQL for the things of each kind in the workspace ?1 that wait at ?2, at most ?3, with the time at which each stops
 * waiting by itself.
 */
const sources: Readonly<Record<Exclude<StoredWaitingKind, "closed">, string>> = {
  proposal: `SELECT id, expires_at AS until FROM proposals WHERE workspace_id = ?1 AND ${isWaiting("?2")}
    ORDER BY id DESC LIMIT ?3`,
  domain: `SELECT id, NULL AS until FROM domains WHERE ${troubledDomains}`,
  job: `SELECT id, completed_at + ${jobMilliseconds} AS until FROM bulk_jobs WHERE ${recentJobs}`,
  print: `SELECT id, completed_at + ${jobMilliseconds} AS until FROM print_jobs WHERE ${recentJobs}`,
  design: `SELECT id, NULL AS until FROM qr_codes WHERE ${unreadableCodes}`,
};

/** SQL that returns the things of the workspace ?1 that wait at ?2, if they are known. It reads one row. */
export const knownWaitingSql = "SELECT items FROM waiting_items WHERE workspace_id = ?1 AND fresh_until > ?2";

/** Reads the result of `knownWaitingSql`. */
export const readKnownWaiting = (row: Record<string, unknown> | undefined): WaitingKey[] | null =>
  row === undefined ? null : (JSON.parse(String(row.items)) as WaitingKey[]);

/** Returns the things that wait in a workspace; null unless they are known. */
export async function findKnownWaiting(
  db: D1Database,
  workspaceId: string,
  now: number,
): Promise<WaitingKey[] | null> {
  const row = await db.prepare(knownWaitingSql).bind(workspaceId, now).first();
  return readKnownWaiting(row ?? undefined);
}

/** In one statement, so that no change is missed between reading and writing. */
const countSql = `
  INSERT INTO waiting_items (workspace_id, items, fresh_until)
  SELECT ?1, json_group_array(json_array(kind, id)), coalesce(min(min(until), ?2 + ${freshMilliseconds}), ?2 + ${freshMilliseconds})
  FROM (SELECT * FROM (${Object.entries(sources)
    .map(([kind, sql]) => `SELECT '${kind}' AS kind, id, until FROM (${sql})`)
    .join(" UNION ALL ")}) UNION ALL SELECT 'closed' AS kind, id, until FROM (${closedCodes})) WHERE true
  ON CONFLICT (workspace_id) DO UPDATE SET items = excluded.items, fresh_until = excluded.fresh_until
  RETURNING items`;

/**
 * Finds what waits in a workspace, and stores it for the pages after this one.
 * @param closed codes that were scanned without a target, and why
 */
export async function countWaitingItems(
  db: D1Database,
  workspaceId: string,
  now: number,
  closed: readonly (readonly [id: string, reason: string])[],
): Promise<WaitingKey[]> {
  const values = [workspaceId, now, limits.waiting.counted, JSON.stringify(closed)];
  const row = await db
    .prepare(countSql)
    .bind(...values)
    .first();
  return readKnownWaiting(row ?? undefined) ?? [];
}

/** A job that failed, or of which some items did. */
interface FailedJob {
  readonly id: string;
  readonly totalItems: number;
  readonly failureCount: number;
  readonly completedAt: number;
  readonly error: string | null;
}

/** The things that wait, with the values that a list shows of each. */
export interface FoundWaiting {
  readonly proposals: readonly WaitingProposal[];
  readonly jobs: readonly (FailedJob & {
    readonly kind: "create" | "update";
    readonly source: JobSource | null;
  })[];
  readonly prints: readonly (FailedJob & { readonly kind: PrintJobKind })[];
  readonly designs: readonly Qr[];
  readonly domains: readonly {
    readonly id: string;
    readonly host: string;
    readonly problem: DomainProblem;
  }[];
}

const jobColumns = `id, kind, total_items AS totalItems, failure_count AS failureCount, completed_at AS completedAt, error`;

/** Returns what waits in a workspace, newest first. */
export async function findWaiting(
  db: D1Database,
  workspaceId: string,
  now: number,
  scanOrigin: string,
): Promise<FoundWaiting> {
  const limit = limits.waiting.counted;
  const select = (sql: string) => db.prepare(sql).bind(workspaceId, now, limit);
  const [proposals, [jobs, prints, designs, domains]] = await Promise.all([
    listWaitingProposals(db, workspaceId, now, { limit }),
    db.batch<Record<string, unknown>>([
      select(`SELECT ${jobColumns}, source FROM bulk_jobs WHERE ${recentJobs}`),
      select(`SELECT ${jobColumns} FROM print_jobs WHERE ${recentJobs}`),
      select(`SELECT ${qrRows.columns("qr_codes")} FROM qr_codes WHERE ?2 > 0 AND ${unreadableCodes}`),
      select(`SELECT id, host, problem FROM domains WHERE ?2 > 0 AND ${troubledDomains}`),
    ]),
  ]);
  return {
    proposals,
    jobs: (
      (jobs?.results ?? []) as unknown as (FoundWaiting["jobs"][number] & { source: string | null })[]
    ).map((job) => ({ ...job, source: job.source === null ? null : (JSON.parse(job.source) as JobSource) })),
    prints: (prints?.results ?? []) as unknown as FoundWaiting["prints"],
    designs: (designs?.results ?? []).map((row) => presentQr(qrRows.read(row), scanOrigin)),
    domains: (domains?.results ?? []) as unknown as FoundWaiting["domains"],
  };
}

/** The end of each postponement, epoch milliseconds, by the key of its thing. */
export type Postponed = Readonly<Record<string, number>>;

/** Returns what a member has put off. */
export async function findPostponed(db: D1Database, workspaceId: string, userId: string): Promise<Postponed> {
  const row = await db
    .prepare("SELECT postponed FROM members WHERE user_id = ? AND workspace_id = ?")
    .bind(userId, workspaceId)
    .first<{ postponed: string | null }>();
  return row?.postponed == null ? {} : (JSON.parse(row.postponed) as Postponed);
}

/**
 * Sets until when a member has put things off, and forgets what has ended. Beyond a number, those that end first go.
 * @param until epoch milliseconds; not later than `now` to put them off no longer
 */
export async function updatePostponed(
  db: D1Database,
  { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
  keys: readonly string[],
  { now, until }: { readonly now: number; readonly until: number },
): Promise<void> {
  await db
    .prepare(
      `UPDATE members SET postponed = (SELECT nullif(json_group_object(key, until), '{}') FROM (
         SELECT key, until FROM (
           SELECT key, value AS until FROM json_each(coalesce(members.postponed, '{}'))
             WHERE key NOT IN (SELECT value FROM json_each(?3))
           UNION ALL SELECT DISTINCT value, CAST(?5 AS INTEGER) FROM json_each(?3))
         WHERE until > ?4 ORDER BY until DESC LIMIT ${limits.waiting.postponed}))
       WHERE user_id = ?1 AND workspace_id = ?2`,
    )
    .bind(userId, workspaceId, JSON.stringify(keys), now, until)
    .run();
}
