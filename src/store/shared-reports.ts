import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { catalogue, isNotSuspended } from "./catalogue.ts";
import { workspaces } from "./schema/workspaces.ts";
import { sharedReports } from "./schema/sharing.ts";

export type SharedReportRow = typeof sharedReports.$inferSelect;

/** The code, tag or folder of a report; all null for the whole workspace. */
export type ReportSubject = Pick<SharedReportRow, "qrId" | "tag" | "folderId">;

/** @returns false if the workspace already has `cap` shared reports, or is suspended */
export async function insertSharedReport(
  d1: D1Database,
  row: SharedReportRow,
  cap: number,
): Promise<boolean> {
  const rows = await catalogue(d1).all<{ id: string }>(sql`
    INSERT INTO shared_reports 
      (id, workspace_id, digest, qr_id, tag, folder_id, query, created_at, expires_at)
    SELECT ${row.id}, ${row.workspaceId}, ${row.digest}, ${row.qrId}, ${row.tag}, ${row.folderId},
      ${JSON.stringify(row.query)}, ${row.createdAt}, ${row.expiresAt}
    WHERE (SELECT count(*) FROM shared_reports WHERE workspace_id = ${row.workspaceId}) < ${cap}
      AND ${isNotSuspended(row.workspaceId)}
    RETURNING id`);
  return rows.length === 1;
}

/** Returns the workspace's shared reports on a subject, newest first, including ended ones. */
export async function listSharedReports(
  db: D1Database,
  workspaceId: string,
  { qrId, tag, folderId }: ReportSubject,
): Promise<SharedReportRow[]> {
  return catalogue(db)
    .select()
    .from(sharedReports)
    .where(
      and(
        eq(sharedReports.workspaceId, workspaceId),
        sql`${sharedReports.qrId} IS ${qrId}`,
        sql`${sharedReports.tag} IS ${tag}`,
        sql`${sharedReports.folderId} IS ${folderId}`,
      ),
    )
    .orderBy(desc(sharedReports.id));
}

/** @returns the deleted report; undefined if the workspace has no such report */
export async function deleteSharedReport(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<SharedReportRow | undefined> {
  const [row] = await catalogue(db)
    .delete(sharedReports)
    .where(and(eq(sharedReports.id, id), eq(sharedReports.workspaceId, workspaceId)))
    .returning();
  return row;
}

/** Replaces a shared report's link. @returns the report; undefined if the workspace has no such report */
export async function replaceSharedReportDigest(
  db: D1Database,
  workspaceId: string,
  id: string,
  digest: string,
): Promise<SharedReportRow | undefined> {
  const [row] = await catalogue(db)
    .update(sharedReports)
    .set({ digest })
    .where(and(eq(sharedReports.id, id), eq(sharedReports.workspaceId, workspaceId)))
    .returning();
  return row;
}

/**
 * Returns the report with this digest, with its workspace's name, plan and suspension. Takes no workspace, because it
 * looks that up.
 */
export async function findSharedReportByDigest(db: D1Database, digest: string) {
  const [found] = await catalogue(db)
    .select({
      report: sharedReports,
      workspaceName: workspaces.name,
      plan: workspaces.plan,
      suspended: workspaces.suspended,
    })
    .from(sharedReports)
    .innerJoin(workspaces, eq(workspaces.id, sharedReports.workspaceId))
    .where(and(eq(sharedReports.digest, digest), isNull(workspaces.deletion)));
  return found;
}
