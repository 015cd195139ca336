import { and, desc, eq, sql } from "drizzle-orm";
import { catalogue, isNotSuspended } from "./catalogue.ts";
import { workspaces } from "./schema/workspaces.ts";
import { sharedReports } from "./schema/sharing.ts";

export type SharedReportRow = typeof sharedReports.$inferSelect;

/** The code, the tag or the folder of a report; none of them for the workspace. */
export type ReportSubject = Pick<SharedReportRow, "qrId" | "tag" | "folderId">;

/** @returns false when the workspace already has `cap` shared reports, or is suspended */
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

/** The workspace's shared reports on a subject, newest first, ended ones included. */
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

/** @returns the deleted report, or undefined when the workspace has no such report */
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

/** Gives a shared report another link. @returns the report, or undefined when the workspace has no such report */
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

/** The report with this digest, with its workspace's name, plan and suspension. Takes no workspace: it finds it. */
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
    .where(eq(sharedReports.digest, digest));
  return found;
}
