import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { NewRecord } from "../../store/idempotency.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { beginJob } from "./run.ts";
import { type StagedJob, storeJob } from "./staging.ts";

/**
 * Stores a job and begins it. @param options `record`: of the response; `atOnce`: whether a job of a few codes is to be
 * finished before this returns
 * @throws plan_limit (403) if there is no space for the job
 */
export async function startJob(
  deps: Deps,
  context: WorkspaceContext,
  job: BulkJob,
  staged: StagedJob,
  { record, atOnce = false }: { readonly record?: NewRecord | undefined; readonly atOnce?: boolean } = {},
): Promise<BulkJob> {
  const { workspaceId } = context;
  await storeJob(deps, context, job, staged, record);
  await beginJob(deps, { task: "run", workspaceId, jobId: job.jobId }, staged.items.length, atOnce);
  return job;
}
