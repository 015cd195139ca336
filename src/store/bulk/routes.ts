import {
  type CodeSource,
  type CodeSourceRow,
  codeSourceColumns,
  readCodeSource,
} from "../routing/route-sources.ts";

/** A job's code. */
export interface JobCode extends CodeSource {
  readonly hash: string;
  /** When a change of its route was made that may still be unpublished, epoch milliseconds; null if there is none. */
  readonly pendingSince: number | null;
}

type JobCodeRow = CodeSourceRow & Pick<JobCode, "hash" | "pendingSince">;

/** Returns the codes that a chunk of a job's rows has created or changed, as they are now, including deleted ones. */
export async function listJobCodes(
  db: D1Database,
  workspaceId: string,
  jobId: string,
  from: number,
  rows: number,
): Promise<JobCode[]> {
  const { results } = await db
    .prepare(
      `SELECT c.hash, ${codeSourceColumns("c")},
         (SELECT p.changed_at FROM pending_publications p WHERE p.key = c.hash) AS pendingSince
       FROM bulk_jobs j CROSS JOIN bulk_items i ON i.job_id = j.id CROSS JOIN qr_codes c ON c.id = i.qr_id
       WHERE j.id = ?1 AND j.workspace_id = ?2 AND i.row_index >= ?3 AND i.row_index < ?3 + ?4
         AND c.workspace_id = ?2 AND coalesce(i.changed, true)`,
    )
    .bind(jobId, workspaceId, from, rows)
    .all<JobCodeRow>();
  return results.map((row) => ({ ...readCodeSource(row), pendingSince: row.pendingSince }));
}
