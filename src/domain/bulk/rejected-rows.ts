import { asSentence } from "../../contract/issues.ts";
import { newHash } from "../../lib/text/hash.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import type { Slice } from "../../store/bulk/progress.ts";
import { listChosenRows, listPendingCodes, rejectItems } from "../../store/bulk/rejection.ts";
import { listTakenRows, replaceHashes } from "../../store/bulk/slice.ts";
import { hashNotInPlanError, hashTakenError } from "../codes/new-code.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { blockedHostProblem, hostsBlockedSince } from "../destinations/blocked-hosts.ts";
import { planOf } from "../context/plan.ts";

/** Longer than an isolate caches the blocked hosts, plus clock differences; milliseconds. */
const margin = 60_000;

/** Fails rows of a slice whose host was blocked after the job had been accepted. Reads no rows if no host was. */
export async function rejectBlockedRows(deps: Deps, slice: Slice): Promise<void> {
  const isBlocked = await hostsBlockedSince(deps, timeOfId(slice.jobId) - margin);
  if (isBlocked === null) return;
  const items = await listPendingCodes(deps.db, slice);
  const rows = items.filter(isBlocked).map(({ row }) => row);
  if (rows.length > 0) await rejectItems(deps.db, slice, rows, asSentence("data", blockedHostProblem));
}

/** Fails rows of a slice with a chosen short name if the plan no longer includes them. */
export async function rejectUnplannedShortNames(
  deps: Deps,
  context: WorkspaceContext,
  slice: Slice,
): Promise<void> {
  if (planOf(context).chosenShortName) return;
  const rows = await listChosenRows(deps.db, slice);
  if (rows.length > 0) await rejectItems(deps.db, slice, rows, hashNotInPlanError(context).message);
}

/**
 * Settles rows of a slice whose hash was taken since they were staged: rows with a chosen hash fail, others get a new
 * one.
 */
export async function settleTakenHashes(deps: Deps, slice: Slice): Promise<void> {
  const taken = await listTakenRows(deps.db, slice);
  const rowsOf = (isChosen: boolean) =>
    taken.filter((item) => item.isChosen === isChosen).map(({ row }) => row);
  const [chosen, generated] = [rowsOf(true), rowsOf(false)];
  if (chosen.length > 0) await rejectItems(deps.db, slice, chosen, hashTakenError().message);
  if (generated.length > 0) await replaceHashes(deps.db, slice, generated, newHash);
}
