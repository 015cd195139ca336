import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { HistoryEntry } from "../protocol/history.ts";
import { catalogue, isChangedBy, isNotSuspended } from "./catalogue.ts";
import { historyStatement } from "./history.ts";
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
  entry: HistoryEntry,
): Promise<boolean> {
  const { id, workspaceId, digest, qrId, tag, folderId, query, createdAt, expiresAt } = row;
  const insert = d1
    .prepare(
      `INSERT INTO shared_reports (id, workspace_id, digest, qr_id, tag, folder_id, query, created_at, expires_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
       WHERE (SELECT count(*) FROM shared_reports WHERE workspace_id = ?2) < ?10
         AND ${isNotSuspended("?2")}
       RETURNING id`,
    )
    .bind(
      ...[id, workspaceId, digest, qrId, tag, folderId, JSON.stringify(query), createdAt, expiresAt],
      cap,
    );
  return isChangedBy(d1, insert, historyStatement(d1, workspaceId, entry));
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

/** Returns a report of the workspace. */
export async function findSharedReport(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<SharedReportRow | undefined> {
  const [row] = await catalogue(db).select().from(sharedReports).where(isReport(workspaceId, id));
  return row;
}

const isReport = (workspaceId: string, id: string) =>
  and(eq(sharedReports.id, id), eq(sharedReports.workspaceId, workspaceId));

/** @returns whether the workspace had the report */
export async function deleteSharedReport(
  db: D1Database,
  workspaceId: string,
  id: string,
  entry: HistoryEntry,
): Promise<boolean> {
  const deletion = catalogue(db)
    .delete(sharedReports)
    .where(isReport(workspaceId, id))
    .returning({ id: sharedReports.id });
  return isChangedBy(db, deletion, historyStatement(db, workspaceId, entry));
}

/** Replaces a shared report's link. @returns whether the workspace has the report */
export async function replaceSharedReportDigest(
  db: D1Database,
  workspaceId: string,
  id: string,
  digest: string,
  entry: HistoryEntry,
): Promise<boolean> {
  const update = catalogue(db)
    .update(sharedReports)
    .set({ digest })
    .where(isReport(workspaceId, id))
    .returning({ id: sharedReports.id });
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry));
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
