import { limits } from "../../contract/limits.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import { workUnits } from "../../contract/work-units.ts";
import { findDescribedJob, listChangedIds } from "../../store/bulk/jobs.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { requireFound, ServiceError } from "../errors.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { yieldToOtherRequests } from "../yielding.ts";
import { newJob } from "./jobs.ts";
import { startJob } from "./start.ts";

/** How many items one query reads. */
const itemsPerPage = 10_000;

/**
 * Stores a job that reverts what another job did to each code, and queues it; with `atOnce`, reverts a few codes before
 * it returns. A code that has changed since fails.
 * @throws not_found; invalid_input while the job runs, and if it changed nothing or its items have been deleted;
 * rate_limited; plan_limit (403) if there is no space for the job
 */
export async function createRevertJob(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<BulkJob> {
  requirePermission(context, "codes.write");
  const items = (await listUndoable(deps, context, jobId)).map((qrId) => ({ qrId }));
  await takeHeavyWork(deps, context.workspaceId, workUnits.change(items.length));
  const revertJob = newJob(deps, "update", items.length, 0);
  return startJob(deps, context, revertJob, { items, change: { revert: jobId }, source: null }, { atOnce });
}

/**
 * Returns the ids of the codes that undoing a job changes. @throws not_found; invalid_input while the job runs, and if it
 * changed nothing or its items have been deleted
 */
export async function listUndoable(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  jobId: string,
): Promise<string[]> {
  const { job } = requireFound(await findDescribedJob(deps.db, workspaceId, jobId), "Bulk job");
  if (job.completedAt === null) {
    throw new ServiceError("invalid_input", "This job is still running. Undo it once it has ended.");
  }
  const ids: string[] = [];
  for (let after = -1; ; ) {
    const page = await listChangedIds(deps.db, workspaceId, jobId, after, itemsPerPage);
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined || page.length < itemsPerPage) break;
    after = last.rowIndex;
    await yieldToOtherRequests(deps);
  }
  if (ids.length === 0) {
    throw new ServiceError(
      "invalid_input",
      `This job has nothing to undo. It changed no code, or ended more than ${limits.bulkItemDays} days ago.`,
    );
  }
  return ids;
}
