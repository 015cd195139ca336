import { and, desc, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import type { limits } from "../../contract/limits.ts";
import type {
  AbuseReport,
  AbuseReportStatus,
  DecisionInput,
  SuspendedPart,
} from "../../contract/resources/operations/abuse-reports.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { domainKey, hostOfKey } from "../../protocol/routes.ts";
import { afterNewest, catalogue } from "../catalogue.ts";
import { abuseReportCount, abuseReports } from "../schema/operations.ts";

/**
 * No function takes a workspace, because abuse reports belong to the operator, who sees those about every workspace.
 */

type StoredAbuseReport = typeof abuseReports.$inferSelect;

/** A new abuse report. */
export type NewAbuseReport = Omit<
  StoredAbuseReport,
  "status" | "furtherReports" | "otherReports" | "note" | "decidedAt"
>;

/** How many open abuse reports are stored of a code or page, of a workspace, and in all. */
type Caps = Pick<typeof limits.abuseReport, "openPerCode" | "openPerWorkspace" | "openInAll">;

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
        UNION ALL SELECT 'domain' AS part FROM domains t WHERE abuse_reports.route_key GLOB '${domainKey("*")}'
          AND t.host = substr(abuse_reports.route_key, ${domainKey("").length + 1})
          AND t.workspace_id = abuse_reports.workspace_id AND t.deleted_at IS NULL AND t.suspended IS NOT NULL
        UNION ALL ${suspendedAmong("workspace", "workspaces", "workspace_id")}))`,
  )
  .mapWith((text: string) => JSON.parse(text) as SuspendedPart[]) as SQL<SuspendedPart[]>;

const columns = { ...getTableColumns(abuseReports), suspended };

/** Converts a row to the API's resource. */
export function presentAbuseReport({
  routeKey,
  network: _,
  createdAt,
  decidedAt,
  ...row
}: AbuseReportRow): AbuseReport {
  return {
    ...row,
    domain: hostOfKey(routeKey),
    createdAt: new Date(createdAt).toISOString(),
    decidedAt: isoTime(decidedAt),
  };
}

const openOf = {
  code: "FROM abuse_reports WHERE status = 'open' AND route_key = ?1->>'routeKey'",
  workspace: "FROM abuse_reports WHERE status = 'open' AND workspace_id = ?1->>'workspaceId'",
} as const;

/** The groups with a cap of open reports of their own, and when it is reached: a code, page or domain, and else its workspace. */
const scopes = [
  {
    column: "route_key",
    open: openOf.code,
    isFull: `(SELECT count(*) ${openOf.code}) >= ?2`,
    caps: ["openPerCode"],
  },
  {
    column: "workspace_id",
    open: openOf.workspace,
    isFull: `(SELECT count(*) ${openOf.code}) < ?2 AND (SELECT count(*) ${openOf.workspace}) >= ?3`,
    caps: ["openPerCode", "openPerWorkspace"],
  },
] as const;

/**
 * The newest open report of the network that has sent most of those in a scope, if a report from another network can take
 * its place, so that the networks' numbers become more even.
 */
const replaceable = ({ open, isFull }: (typeof scopes)[number]): string =>
  `(SELECT max(id) ${open} AND network = (
    SELECT network ${open} AND network IS NOT NULL AND ${isFull} GROUP BY network
    HAVING count(*) > 1 + (SELECT count(*) ${open} AND network = ?1->>'network')
    ORDER BY count(*) DESC, max(id) DESC LIMIT 1))`;

/**
 * Makes room for a report in a scope whose cap is reached: takes out the one that can be replaced, which is counted by
 * another one of its network.
 */
const makeRoom = (scope: (typeof scopes)[number]): readonly string[] => [
  `UPDATE abuse_reports SET
     further_reports = abuse_reports.further_reports + iif(abuse_reports.route_key = v.route_key, 1 + v.further_reports, 0),
     other_reports = abuse_reports.other_reports + v.other_reports
       + iif(abuse_reports.route_key = v.route_key, 0, 1 + v.further_reports)
   FROM (SELECT * FROM abuse_reports WHERE id = ${replaceable(scope)}) v
   WHERE ?1->>'network' IS NOT NULL AND abuse_reports.id = (
     SELECT max(id) FROM abuse_reports o WHERE o.status = 'open' AND o.${scope.column} = v.${scope.column}
       AND o.network = v.network AND o.id < v.id)`,
  `DELETE FROM abuse_reports WHERE ?1->>'network' IS NOT NULL AND id = ${replaceable(scope)}`,
];

/**
 * Stores an abuse report. At the cap of its code or page, or of its workspace, it takes the place of the newest one of the
 * network that has sent most. Where that would not make the networks' numbers more even, and at the cap of all, it only
 * increases the count of the newest open one: of the same code or page, else of the workspace, else of all.
 */
export async function insertAbuseReport(db: D1Database, report: NewAbuseReport, caps: Caps): Promise<void> {
  const { openPerCode, openPerWorkspace, openInAll } = caps;
  const open = "FROM abuse_reports WHERE status = 'open'";
  const values = JSON.stringify(report);
  await db.batch([
    ...scopes.flatMap((scope) =>
      makeRoom(scope).map((text) => db.prepare(text).bind(values, ...scope.caps.map((cap) => caps[cap]))),
    ),
    db
      .prepare(
        `INSERT INTO abuse_reports (id, route_key, link, hash, qr_id, page_id, workspace_id, destination, reason, details, email,
           network, created_at)
         SELECT r->>'id', r->>'routeKey', r->>'link', r->>'hash', r->>'qrId', r->>'pageId', r->>'workspaceId', r->>'destination',
           r->>'reason', r->>'details', r->>'email', r->>'network', r->>'createdAt'
         FROM (SELECT ?1 AS r) new
         WHERE (SELECT count(*) ${open} AND route_key = r->>'routeKey') < ?2
           AND (SELECT count(*) FROM (SELECT 1 ${open} AND workspace_id = r->>'workspaceId' LIMIT ?3)) < ?3
           AND NOT EXISTS (SELECT 1 FROM abuse_report_count WHERE id = 1 AND open >= ?4)`,
      )
      .bind(values, openPerCode, openPerWorkspace, openInAll),
    db
      .prepare(
        `UPDATE abuse_reports SET further_reports = further_reports + (route_key = ?1),
           other_reports = other_reports + (route_key <> ?1)
         WHERE NOT EXISTS (SELECT 1 FROM abuse_reports WHERE id = ?3) AND id = coalesce(
           (SELECT max(id) ${open} AND route_key = ?1),
           (SELECT max(id) ${open} AND workspace_id = ?2),
           (SELECT max(id) ${open}))`,
      )
      .bind(report.routeKey, report.workspaceId, report.id),
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

/** Returns how many abuse reports are open. */
export async function countOpenReports(db: D1Database): Promise<number> {
  const [row] = await catalogue(db).select({ open: abuseReportCount.open }).from(abuseReportCount);
  return row?.open ?? 0;
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
    .set({
      status: decision,
      note,
      network: null,
      decidedAt: sql`iif(${isSame}, ${abuseReports.decidedAt}, ${now})`,
    })
    .where(eq(abuseReports.id, id));
  return findAbuseReport(db, id);
}
