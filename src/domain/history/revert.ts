import type { Reverted, RevertQuery } from "../../contract/resources/history/revert.ts";
import type { HistoryKind } from "../../contract/resources/history/history.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { createRevertJob } from "../bulk/revert-jobs.ts";
import { changeCode } from "../codes/change-code.ts";
import { findRevertLookups, revertedRow } from "../codes/revert.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import { revertFolder } from "../folders/folders.ts";
import { revertPage } from "../pages/pages.ts";
import { revertTemplate } from "../templates/templates.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { findHistoryEntry, presentEntry, readPage } from "./history.ts";
import { notRevertible } from "./revertible.ts";
import { planOf } from "../context/plan.ts";
import { requirePermission } from "../context/permissions.ts";

/** How many of an object's latest entries are searched for the one just made. */
const latestEntries = 20;

/**
 * Undoes a change of a code, folder, template or page by a change of its own, or everything that its bulk job did by
 * another bulk job. Creating something is undone by deleting it, deleting by restoring.
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
  const revert = reverts[entry.object.kind];
  if (revert === undefined) throw notRevertible();
  await revert(deps, { ...context, revertOf: entry.id }, entry);
  return { entry: presentEntry(await findRevert(deps, context, entry)), job: null };
}

type Revert = (deps: Deps, context: WorkspaceContext, entry: HistoryEntry) => Promise<void>;

const reverts: Readonly<Partial<Record<HistoryKind, Revert>>> = {
  code: revertCode,
  folder: revertFolder,
  template: revertTemplate,
  page: revertPage,
};

async function revertCode(deps: Deps, context: WorkspaceContext, entry: HistoryEntry): Promise<void> {
  const edit: Parameters<typeof changeCode>[3] = () => async (row) => {
    const lookups = await findRevertLookups(deps, context, [{ row, entry }]);
    return revertedRow(deps, context, { row, entry }, lookups);
  };
  await changeCode(deps, context, entry.object.id, edit, { caps: planOf(context) });
}

/** Returns the entry of the change that undid another. */
async function findRevert(
  deps: Deps,
  context: WorkspaceContext,
  { id, object }: HistoryEntry,
): Promise<HistoryEntry> {
  const { items } = await readPage(deps, context, { objectId: object.id }, null, latestEntries);
  const found = items.find(({ revertOf }) => revertOf === id);
  if (found === undefined) throw new Error(`no entry reverts ${id}`);
  return found;
}
