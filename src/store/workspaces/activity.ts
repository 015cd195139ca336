import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { PrintJob } from "../../contract/resources/images/prints.ts";
import { type DescribedJob, describedJobJson } from "../bulk/jobs.ts";
import { presentQr, qrRows } from "../codes/columns.ts";
import { presentPrintJob } from "../prints/jobs.ts";
import { rowReader } from "../rows.ts";
import { printJobs } from "../schema/prints.ts";

/** The latest changes in a workspace, and its unfinished jobs. */
export interface Activity {
  /** The live codes created or changed last, latest first. */
  readonly codes: readonly Qr[];
  /** Print jobs and bulk jobs that have not ended, the newest of each first. */
  readonly jobs: readonly (DescribedJob | PrintJob)[];
}

/** Returns the workspace's activity, in one call. @param options `limit`: entries per list */
export async function findActivity(
  db: D1Database,
  workspaceId: string,
  { limit, scanOrigin }: { limit: number; scanOrigin: string },
): Promise<Activity> {
  const [codes, ...jobs] = await db.batch<Row>(
    [codesSql, printsSql, jobsSql].map((sql) => db.prepare(sql).bind(workspaceId, limit)),
  );
  return {
    codes: (codes?.results ?? []).map((row) => presentQr(qrRows.read(row), scanOrigin)),
    jobs: readJobs(jobs),
  };
}

/** The jobs of the workspace that have not ended. */
export const findJobsUnderWay = async (
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<Activity["jobs"]> =>
  readJobs(await db.batch<Row>([printsSql, jobsSql].map((sql) => db.prepare(sql).bind(workspaceId, limit))));

type Row = Record<string, unknown>;

const readJobs = ([prints, jobs]: readonly D1Result<Row>[]): Activity["jobs"] => [
  ...(prints?.results ?? []).map((row) => presentPrintJob(printRows.read(row))),
  ...(jobs?.results ?? []).map(({ job }) => JSON.parse(String(job)) as DescribedJob),
];

const printRows = rowReader(printJobs);

const codesSql = `
  SELECT ${qrRows.columns("c")} FROM qr_codes c
  WHERE c.workspace_id = ? AND c.deleted_at IS NULL ORDER BY c.updated_at DESC LIMIT ?`;

const jobsSql = `
  SELECT ${describedJobJson("j")} AS job FROM bulk_jobs j
  WHERE j.workspace_id = ? AND j.completed_at IS NULL AND j.staged_at IS NOT NULL ORDER BY j.id DESC LIMIT ?`;

const printsSql = `
  SELECT ${printRows.columns("p")} FROM print_jobs p
  WHERE p.workspace_id = ? AND p.completed_at IS NULL AND p.staged_at IS NOT NULL ORDER BY p.id DESC LIMIT ?`;
