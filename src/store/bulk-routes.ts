import type { QrData } from "../contract/resources/qr-data.ts";
import type { CodeSource } from "./route-sources.ts";

/** The codes that a chunk of a job's rows has created, as they are now, deleted ones included. */
export async function listCreatedCodes(
  db: D1Database,
  workspaceId: string,
  jobId: string,
  from: number,
  rows: number,
): Promise<(CodeSource & { readonly hash: string })[]> {
  const { results } = await db
    .prepare(
      `SELECT c.hash, c.id, c.workspace_id AS workspaceId, c.version, c.qr_type AS qrType, c.status, c.data,
         c.deleted_at AS deletedAt
       FROM bulk_jobs j CROSS JOIN bulk_items i ON i.job_id = j.id CROSS JOIN qr_codes c ON c.id = i.qr_id
       WHERE j.id = ?1 AND j.workspace_id = ?2 AND i.row_index >= ?3 AND i.row_index < ?3 + ?4`,
    )
    .bind(jobId, workspaceId, from, rows)
    .all<Omit<CodeSource, "data"> & { hash: string; data: string }>();
  return results.map((row) => ({ ...row, data: JSON.parse(row.data) as QrData }));
}
