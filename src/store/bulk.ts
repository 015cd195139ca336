import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { BulkItem, BulkJob } from "../contract/resources/bulk.ts";
import { catalogue } from "./catalogue.ts";
import { column, optionalTimeColumn, presenter, timeColumn } from "./presenter.ts";
import { bulkItems, bulkJobs } from "./schema-bulk.ts";

const fields = presenter<typeof bulkJobs.$inferSelect, BulkJob>({
  jobId: column("id", "id"),
  kind: column("kind", "kind"),
  status: column("status", "status"),
  totalItems: column("totalItems", "total_items"),
  successCount: column("successCount", "success_count"),
  failureCount: column("failureCount", "failure_count"),
  createdAt: timeColumn("createdAt", "created_at"),
  completedAt: optionalTimeColumn("completedAt", "completed_at"),
  error: column("error", "error"),
});

/** An SQL expression for the job as a resource of the API, in JSON. @param alias of bulk_jobs */
export const bulkJobJson = fields.json;

/** A job of the workspace, all of whose items are stored. */
export async function findJob(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
): Promise<BulkJob | undefined> {
  const [row] = await catalogue(d1)
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.id, jobId), eq(bulkJobs.workspaceId, workspaceId), isNotNull(bulkJobs.stagedAt)));
  return row && fields.present(row, "");
}

/** Items of a job of the workspace that follow the row `after`, in input order. */
export async function listItems(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
  after: number,
  limit: number,
): Promise<BulkItem[]> {
  const rows = await catalogue(d1)
    .select({
      rowIndex: bulkItems.rowIndex,
      status: bulkItems.status,
      kind: bulkJobs.kind,
      id: bulkItems.qrId,
      hash: bulkItems.qrHash,
      changed: bulkItems.changed,
      error: bulkItems.error,
    })
    .from(bulkJobs)
    .innerJoin(bulkItems, eq(bulkItems.jobId, bulkJobs.id))
    .where(and(eq(bulkJobs.id, jobId), eq(bulkJobs.workspaceId, workspaceId), gt(bulkItems.rowIndex, after)))
    .orderBy(asc(bulkItems.rowIndex))
    .limit(limit);
  return rows.map(({ rowIndex, status, kind, id, hash, changed, error }) => {
    const isUpdate = kind === "update";
    return {
      rowIndex,
      status,
      createdQrId: isUpdate ? null : id,
      createdQrHash: isUpdate ? null : hash,
      qrId: isUpdate ? id : null,
      qrHash: isUpdate ? hash : null,
      changed,
      error,
    };
  });
}
