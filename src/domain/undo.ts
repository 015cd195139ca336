import type { Reverted, RevertQuery } from "../contract/resources/history/revert.ts";
import type { HistoryEntry } from "../protocol/history.ts";
import { createRevertJob } from "./bulk/revert-jobs.ts";
import { codeResource } from "./codes/resource.ts";
import type { Deps } from "./deps.ts";
import { ServiceError } from "./errors.ts";
import { folderResource } from "./folders/folders.ts";
import { findHistoryEntry, presentEntry } from "./history/history.ts";
import { requirePermission } from "./context/permissions.ts";
import type { WorkspaceContext } from "./context/context.ts";
import { pageResource } from "./pages/resource.ts";
import { notRevertible, undoChange } from "./resources/revert.ts";
import { templateResource } from "./templates/templates.ts";

/**
 * Undoes one change with a new change, or a whole bulk job with a new job. Creating something is undone by deleting it,
 * deleting by restoring.
 * @throws not_found; invalid_input naming the fields that have changed since; errors of the change itself
 */
export async function revertChange(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { scope }: RevertQuery,
): Promise<Reverted> {
  requirePermission(context, "codes.write");
  const entry = await findHistoryEntry(deps, context, id);
  const jobId = entry.object.kind === "job" ? entry.object.id : entry.jobId;
  if (scope === "job" || entry.object.kind === "job") {
    if (jobId === undefined) {
      throw new ServiceError("invalid_input", "This change wasn't made by a bulk job. Undo it alone.");
    }
    return { entry: null, job: await createRevertJob(deps, context, jobId) };
  }
  return { entry: presentEntry(await undoEntry(deps, context, entry)), job: null };
}

function undoEntry(deps: Deps, context: WorkspaceContext, entry: HistoryEntry): Promise<HistoryEntry> {
  switch (entry.object.kind) {
    case "code":
      return undoChange(deps, context, codeResource, entry);
    case "folder":
      return undoChange(deps, context, folderResource, entry);
    case "template":
      return undoChange(deps, context, templateResource, entry);
    case "page":
      return undoChange(deps, context, pageResource, entry);
    default:
      throw notRevertible();
  }
}
