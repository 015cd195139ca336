import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { catalogue } from "./catalogue.ts";
import { type Removable, removableKind, roomFor } from "./resources/kind.ts";
import { sharedReports } from "./schema/sharing.ts";
import { workspaces } from "./schema/workspaces.ts";

export type SharedReportRow = typeof sharedReports.$inferSelect;

/** Shared reports as resources. Revoking one removes its row. */
export const sharedReportKind = removableKind<typeof sharedReports>(sharedReports, {
  conditions: { room: roomFor<Removable<SharedReportRow>>("shared_reports", "true") },
});

/** The code, tag or folder of a report; all null for the whole workspace. */
export type ReportSubject = Pick<SharedReportRow, "qrId" | "tag" | "folderId">;

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

/** Notes the day, YYYY-MM-DD, on which a report was opened. It isn't a change of it, so its version stays. */
export async function noteOpening(
  db: D1Database,
  workspaceId: string,
  id: string,
  day: string,
): Promise<void> {
  await catalogue(db)
    .update(sharedReports)
    .set({ openedOn: day })
    .where(
      and(
        eq(sharedReports.workspaceId, workspaceId),
        eq(sharedReports.id, id),
        sql`${sharedReports.openedOn} IS NOT ${day}`,
      ),
    );
}

/**
 * Returns the report with this digest, with its workspace's name, brand, plan and suspension. Takes no workspace, because it
 * looks that up.
 */
export async function findSharedReportByDigest(db: D1Database, digest: string) {
  const [found] = await catalogue(db)
    .select({
      report: sharedReports,
      workspaceName: workspaces.name,
      brandColors: workspaces.brandColors,
      logoId: workspaces.logoId,
      plan: workspaces.plan,
      suspended: workspaces.suspended,
    })
    .from(sharedReports)
    .innerJoin(workspaces, eq(workspaces.id, sharedReports.workspaceId))
    .where(and(eq(sharedReports.digest, digest), isNull(workspaces.deletion)));
  return found;
}
