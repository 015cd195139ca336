import { limits } from "../../contract/limits.ts";
import { findRemainingBytes } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { ServiceError, storageFull } from "../errors.ts";
import { type WorkspaceContext, planOf } from "../identity/caller.ts";

/** Why a workspace has no space for a bulk job. @param bytes of the job with its items */
export async function noSpaceForJob(
  deps: Deps,
  context: WorkspaceContext,
  bytes: number,
): Promise<ServiceError> {
  const { title, jobBytes } = planOf(context);
  const remaining = await findRemainingBytes(deps.db, context.workspaceId);
  if (remaining < bytes) return storageFull(403);
  const allowed = `Your ${title} plan allows ${jobBytes / 1e6} MB of bulk jobs`;
  const remedy =
    bytes > jobBytes
      ? "Send fewer or shorter rows at once, or upgrade."
      : `Send this one again later, or upgrade: the rows of a job are deleted ${limits.bulkItemDays} days after it ends.`;
  return new ServiceError("plan_limit", `${allowed}. ${remedy}`, { status: 403 });
}
