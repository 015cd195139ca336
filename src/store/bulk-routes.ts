import { type CodeSource, type CodeSourceRow, codeSourceColumns, readCodeSource } from "./route-sources.ts";

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
      `SELECT c.hash, ${codeSourceColumns("c")}
       FROM bulk_jobs j CROSS JOIN bulk_items i ON i.job_id = j.id CROSS JOIN qr_codes c ON c.id = i.qr_id
       WHERE j.id = ?1 AND j.workspace_id = ?2 AND i.row_index >= ?3 AND i.row_index < ?3 + ?4`,
    )
    .bind(jobId, workspaceId, from, rows)
    .all<CodeSourceRow & { readonly hash: string }>();
  return results.map(readCodeSource);
}
