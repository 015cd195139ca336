import { and, desc, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import type {
  DecisionInput,
  Report,
  ReportState,
  SuspendedPart,
} from "../../contract/resources/abuse-reports.ts";
import { afterNewest, catalogue } from "../catalogue.ts";
import { reports } from "../schema/operations.ts";

/** Reports belong to the operator, who sees those about every workspace, so no function takes an owner. */

type StoredReport = typeof reports.$inferSelect;

/** A report that has just come in. */
export type NewReport = Omit<StoredReport, "state" | "furtherReports" | "note" | "decidedAt">;

/** A report, and what of its subject is suspended now. */
export interface ReportRow extends StoredReport {
  readonly suspended: SuspendedPart[];
}

const suspendedAmong = (part: SuspendedPart, table: string, id: string) =>
  `SELECT '${part}' AS part FROM ${table} t WHERE t.id = reports.${id} AND t.suspended IS NOT NULL`;

const suspended = sql
  .raw(
    `(SELECT json_group_array(part) FROM (
        ${suspendedAmong("code", "qr_codes", "qr_id")}
        UNION ALL ${suspendedAmong("page", "pages", "page_id")}
        UNION ALL ${suspendedAmong("workspace", "workspaces", "workspace_id")}))`,
  )
  .mapWith((text: string) => JSON.parse(text) as SuspendedPart[]) as SQL<SuspendedPart[]>;

const columns = { ...getTableColumns(reports), suspended };

/** The report as a resource of the API. */
export function presentReport({ routeKey: _, createdAt, decidedAt, ...row }: ReportRow): Report {
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
  };
}

/** Stores a report. If `cap` reports of the same code or page are open, it is counted on the newest of them. */
export async function insertReport(db: D1Database, report: NewReport, cap: number): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT INTO reports (id, route_key, hash, qr_id, page_id, workspace_id, destination, reason, details, email,
           created_at)
         SELECT r->>'id', r->>'routeKey', r->>'hash', r->>'qrId', r->>'pageId', r->>'workspaceId', r->>'destination',
           r->>'reason', r->>'details', r->>'email', r->>'createdAt'
         FROM (SELECT ?1 AS r) new
         WHERE (SELECT count(*) FROM reports WHERE route_key = r->>'routeKey' AND state = 'open') < ?2`,
      )
      .bind(JSON.stringify(report), cap),
    db
      .prepare(
        `UPDATE reports SET further_reports = further_reports + 1
         WHERE id = (SELECT max(id) FROM reports WHERE route_key = ?1 AND state = 'open')
           AND NOT EXISTS (SELECT 1 FROM reports WHERE id = ?2)`,
      )
      .bind(report.routeKey, report.id),
  ]);
}

/** Reports, newest first, beginning after the id `after`. */
export async function listReports(
  db: D1Database,
  { state, workspaceId }: { state?: ReportState | undefined; workspaceId?: string | undefined },
  after: string | null,
  limit: number,
): Promise<ReportRow[]> {
  return catalogue(db)
    .select(columns)
    .from(reports)
    .where(
      and(
        lt(reports.id, after ?? afterNewest),
        state === undefined ? undefined : eq(reports.state, state),
        workspaceId === undefined ? undefined : eq(reports.workspaceId, workspaceId),
      ),
    )
    .orderBy(desc(reports.id))
    .limit(limit);
}

/** A report; undefined for an unknown id. */
export async function findReport(db: D1Database, id: string): Promise<ReportRow | undefined> {
  const [row] = await catalogue(db).select(columns).from(reports).where(eq(reports.id, id));
  return row;
}

/** Decides a report; the same decision again changes nothing. @returns undefined for an unknown id */
export async function decideReport(
  db: D1Database,
  id: string,
  { decision, note }: DecisionInput,
  now: number,
): Promise<ReportRow | undefined> {
  const isSame = sql`${reports.state} = ${decision} AND ${reports.note} IS ${note}`;
  await catalogue(db)
    .update(reports)
    .set({ state: decision, note, decidedAt: sql`iif(${isSame}, ${reports.decidedAt}, ${now})` })
    .where(eq(reports.id, id));
  return findReport(db, id);
}

/** Deletes reports that were decided before a time (epoch milliseconds), at most 1000 at a time. */
export async function pruneReports(db: D1Database, before: number): Promise<void> {
  await catalogue(db).run(sql`
    DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE decided_at < ${before} LIMIT 1000)`);
}
