import { limits } from "../../contract/limits.ts";
import type { WorkspaceDeletion, WorkspaceDeletionInput } from "../../contract/resources/identity/leaving.ts";
import { describeError, log } from "../../lib/log.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { workspaceKey } from "../../protocol/routes.ts";
import { creationOf } from "../../store/history.ts";
import { listKeyIds } from "../../store/identity/keys.ts";
import { failPrintJobs } from "../../store/prints/jobs.ts";
import * as store from "../../store/workspaces/deletion.ts";
import { findWorkspace } from "../../store/workspaces/workspaces.ts";
import { endJobs } from "../bulk/run.ts";
import type { Member } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { allowanceOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound, ServiceError, workspaceDeleted } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { requireRecentSignIn } from "../identity/recent-sign-in.ts";
import { callLedger } from "../ledger.ts";
import { publishPending } from "../routing/publish.ts";

/** Converts a deletion to the API's resource. */
const presentDeletion = (deletion: store.StoredDeletion): WorkspaceDeletion => ({
  codes: deletion.codes,
  requestedAt: new Date(deletion.requestedAt).toISOString(),
  requestedBy: deletion.requestedBy,
  eraseAt: new Date(deletion.eraseAt).toISOString(),
  erasing: deletion.step,
});

/** Returns how far the deletion of the member's workspace is. */
export const getDeletion = ({ deletion }: Member): { deletion: WorkspaceDeletion | null } => ({
  deletion: deletion && presentDeletion(deletion),
});

/**
 * Deletes the member's workspace. Keys, webhooks, jobs and shared reports end at once, and codes too unless they go on
 * for a while; the data is erased by the sweep. Repeating the request completes what an earlier one left.
 * @throws SignInAgain; invalid_input for another name
 */
export async function deleteWorkspace(
  deps: Deps,
  member: Member,
  { name, codes }: WorkspaceDeletionInput,
): Promise<{ deletion: WorkspaceDeletion }> {
  requirePermission(member, "workspace");
  requireRecentSignIn(deps, member);
  const workspace = requireFound(await findWorkspace(deps.db, member.workspaceId), "Workspace");
  const expected = workspace.name;
  if (name.trim() !== expected.trim()) throw invalid("name", `must be the workspace's name, ${expected}`);
  return { deletion: presentDeletion(await beginDeletion(deps, member, workspace, codes)) };
}

/** Begins the deletion of a workspace, unless it has begun. */
export async function beginDeletion(
  deps: Deps,
  { actor }: Pick<Member, "actor">,
  { id, name }: { readonly id: string; readonly name: string },
  codes: WorkspaceDeletion["codes"],
): Promise<store.StoredDeletion> {
  const now = deps.now();
  const deletion: store.StoredDeletion = {
    codes,
    requestedAt: now,
    requestedBy: actor.name,
    eraseAt: now + limits.workspaceDeletion[codes] * dayLength,
    closed: false,
    step: null,
  };
  const { eraseAt } = presentDeletion(deletion);
  const entry = newEntry(deps, { actor }, "workspace.deletion_requested", {
    ...{ id, name, changes: creationOf({ codes, eraseAt }) },
  });
  const begun = await store.beginDeletion(deps.db, id, deletion, entry);
  const workspace = requireFound(begun, "Workspace");
  if (!workspace.deletion.closed) await tryClose(deps, workspace);
  return workspace.deletion;
}

/** Ends what ends at once; leaves it to the sweep if a part doesn't respond. */
async function tryClose(deps: Deps, workspace: store.DeletedWorkspace): Promise<void> {
  try {
    await closeWorkspace(deps, workspace);
  } catch (error) {
    log("error", "deleted workspace not closed; the sweep will retry", {
      workspaceId: workspace.id,
      error: describeError(error),
    });
  }
}

/** Ends keys, jobs and webhooks of a deleted workspace, and its codes if they stop. Repeating it changes nothing more. */
export async function closeWorkspace(deps: Deps, workspace: store.DeletedWorkspace): Promise<void> {
  const { id } = workspace;
  await publishPending(deps, workspaceKey(id));
  await tellMeters(deps, id, { ...allowanceOf(workspace), closed: true });
  await endJobs(deps, id);
  await failPrintJobs(deps.db, id, `${workspaceDeleted}.`, deps.now());
  await callLedger(deps, id, (ledger) => ledger.pauseWebhooks(workspaceDeleted, deps.now()));
  await store.markClosed(deps.db, id);
}

async function tellMeters(
  deps: Deps,
  workspaceId: string,
  allowance: ReturnType<typeof allowanceOf> & { readonly closed?: true },
): Promise<void> {
  const keyIds = await listKeyIds(deps.db, workspaceId);
  await Promise.all(keyIds.map((id) => deps.meter(id).adopt(allowance)));
}

/**
 * Cancels the deletion of the member's workspace. Everything is as before, except that webhooks stay paused, and that
 * jobs that were in progress have failed.
 * @throws invalid_input once the erasure has begun, or if nothing is to be cancelled
 */
export async function cancelDeletion(deps: Deps, member: Member): Promise<{ deletion: null }> {
  requirePermission(member, "workspace");
  const { workspaceId } = member;
  const { name } = requireFound(await findWorkspace(deps.db, workspaceId), "Workspace");
  const entry = newEntry(deps, member, "workspace.deletion_cancelled", {
    id: workspaceId,
    name,
    changes: {},
  });
  const workspace = await store.cancelDeletion(deps.db, workspaceId, deps.now(), entry);
  if (workspace === undefined) {
    throw new ServiceError(
      "invalid_input",
      member.deletion === null
        ? "This workspace isn't being deleted."
        : "Its data is being erased, so the deletion can't be cancelled any more.",
    );
  }
  await publishPending(deps, workspaceKey(workspaceId));
  await tellMeters(deps, workspaceId, allowanceOf(workspace));
  return { deletion: null };
}
