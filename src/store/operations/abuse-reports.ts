import { and, desc, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import type {
  DecisionInput,
  AbuseReport,
  AbuseReportStatus,
  SuspendedPart,
} from "../../contract/resources/operations/abuse-reports.ts";
import { afterNewest, catalogue } from "../catalogue.ts";
import { abuseReports } from "../schema/operations.ts";

/**
 * No function takes a workspace, because abuse reports belong to the operator, who sees those about every workspace.
 */

type StoredAbuseReport = typeof abuseReports.$inferSelect;

/** A new abuse report. */
export type NewAbuseReport = Omit<StoredAbuseReport, "status" | "furtherReports" | "note" | "decidedAt">;

/** An abuse report, and which parts of its subject are suspended now. */
export interface AbuseReportRow extends StoredAbuseReport {
  readonly suspended: SuspendedPart[];
}

const suspendedAmong = (part: SuspendedPart, table: string, id: string) =>
  `SELECT '${part}' AS part FROM ${table} t WHERE t.id = abuse_reports.${id} AND t.suspended IS NOT NULL`;

const suspended = sql
  .raw(
    `(SELECT json_group_array(part) FROM (
        ${suspendedAmong("code", "qr_codes", "qr_id")}
        UNION ALL ${suspendedAmong("page", "pages", "page_id")}
        UNION ALL ${suspendedAmong("workspace", "workspaces", "workspace_id")}))`,
  )
  .mapWith((text: string) => JSON.parse(text) as SuspendedPart[]) as SQL<SuspendedPart[]>;

const columns = { ...getTableColumns(abuseReports), suspended };

/** Converts a row to the API's resource. */
export function presentAbuseReport({
  routeKey: _,
  createdAt,
  decidedAt,
  ...row
}: AbuseReportRow): AbuseReport {
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
  };
}

/**
 * Stores an abuse report. If `cap` reports about the same code or page are open, it only increases the newest one's
 * count.
 */
export async function insertAbuseReport(db: D1Database, report: NewAbuseReport, cap: number): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT INTO abuse_reports (id, route_key, hash, qr_id, page_id, workspace_id, destination, reason, details, email,
           created_at)
         SELECT r->>'id', r->>'routeKey', r->>'hash', r->>'qrId', r->>'pageId', r->>'workspaceId', r->>'destination',
           r->>'reason', r->>'details', r->>'email', r->>'createdAt'
         FROM (SELECT ?1 AS r) new
         WHERE (SELECT count(*) FROM abuse_reports WHERE route_key = r->>'routeKey' AND status = 'open') < ?2`,
      )
      .bind(JSON.stringify(report), cap),
    db
      .prepare(
        `UPDATE abuse_reports SET further_reports = further_reports + 1
         WHERE id = (SELECT max(id) FROM abuse_reports WHERE route_key = ?1 AND status = 'open')
           AND NOT EXISTS (SELECT 1 FROM abuse_reports WHERE id = ?2)`,
      )
      .bind(report.routeKey, report.id),
  ]);
}

/** Returns abuse reports, newest first, after the id `after`. */
export async function listAbuseReports(
  db: D1Database,
  { status, workspaceId }: { status?: AbuseReportStatus | undefined; workspaceId?: string | undefined },
  after: string | null,
  limit: number,
): Promise<AbuseReportRow[]> {
  return catalogue(db)
    .select(columns)
    .from(abuseReports)
    .where(
      and(
        lt(abuseReports.id, after ?? afterNewest),
        status === undefined ? undefined : eq(abuseReports.status, status),
        workspaceId === undefined ? undefined : eq(abuseReports.workspaceId, workspaceId),
      ),
    )
    .orderBy(desc(abuseReports.id))
    .limit(limit);
}

/** Counts the open abuse reports, at most up to `limit`. */
export async function countOpenReports(db: D1Database, limit: number): Promise<number> {
  const row = await db
    .prepare("SELECT count(*) AS count FROM (SELECT 1 FROM abuse_reports WHERE status = 'open' LIMIT ?)")
    .bind(limit)
    .first<{ count: number }>();
  return row?.count ?? 0;
}

/** Returns an abuse report; undefined for an unknown id. */
export async function findAbuseReport(db: D1Database, id: string): Promise<AbuseReportRow | undefined> {
  const [row] = await catalogue(db).select(columns).from(abuseReports).where(eq(abuseReports.id, id));
  return row;
}

/** Decides an abuse report. Repeating a decision changes nothing. @returns undefined for an unknown id */
export async function decideAbuseReport(
  db: D1Database,
  id: string,
  { decision, note }: DecisionInput,
  now: number,
): Promise<AbuseReportRow | undefined> {
  const isSame = sql`${abuseReports.status} = ${decision} AND ${abuseReports.note} IS ${note}`;
  await catalogue(db)
    .update(abuseReports)
    .set({ status: decision, note, decidedAt: sql`iif(${isSame}, ${abuseReports.decidedAt}, ${now})` })
    .where(eq(abuseReports.id, id));
  return findAbuseReport(db, id);
}

/** Deletes abuse reports decided before a time (epoch milliseconds), at most 1,000 at a time. */
export async function pruneAbuseReports(db: D1Database, before: number): Promise<void> {
  await catalogue(db).run(sql`
    DELETE FROM abuse_reports WHERE id IN (SELECT id FROM abuse_reports WHERE decided_at < ${before} LIMIT 1000)`);
}
