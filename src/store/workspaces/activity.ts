import type { Qr } from "../../contract/resources/qr.ts";
import { type DescribedJob, describedJobJson } from "../bulk/jobs.ts";
import { presentQr, qrRows } from "../codes/columns.ts";

/** The latest changes in a workspace, and its unfinished jobs. */
export interface Activity {
  /** The live codes that were created or changed last, the last one first. */
  readonly codes: readonly Qr[];
  /** Bulk jobs that are not completed, the newest first. */
  readonly jobs: readonly DescribedJob[];
}

/** Returns the workspace's activity, in one call. @param options `limit`: entries per list */
export async function findActivity(
  db: D1Database,
  workspaceId: string,
  { limit, scanOrigin }: { limit: number; scanOrigin: string },
): Promise<Activity> {
  const [codes, jobs] = await db.batch<Record<string, unknown>>([
    db.prepare(codesSql).bind(workspaceId, limit),
    db.prepare(jobsSql).bind(workspaceId, limit),
  ]);
  return {
    codes: (codes?.results ?? []).map((row) => presentQr(qrRows.read(row), scanOrigin)),
    jobs: readJobs(jobs?.results ?? []),
  };
}

/** The bulk jobs of the workspace that are not completed, the newest first. */
export async function findJobsUnderWay(
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<readonly DescribedJob[]> {
  const { results } = await db.prepare(jobsSql).bind(workspaceId, limit).all();
  return readJobs(results);
}

const readJobs = (rows: readonly Record<string, unknown>[]): readonly DescribedJob[] =>
  rows.map(({ job }) => JSON.parse(String(job)) as DescribedJob);

const codesSql = `
  SELECT ${qrRows.columns("c")} FROM qr_codes c
  WHERE c.workspace_id = ? AND c.deleted_at IS NULL ORDER BY c.updated_at DESC LIMIT ?`;

const jobsSql = `
  SELECT ${describedJobJson("j")} AS job FROM bulk_jobs j
  WHERE j.workspace_id = ? AND j.completed_at IS NULL AND j.staged_at IS NOT NULL ORDER BY j.id DESC LIMIT ?`;
