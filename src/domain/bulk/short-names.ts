import { newHash } from "../../lib/text/hash.ts";
import { listChosenRows, rejectItems } from "../../store/bulk/rejection.ts";
import type { Slice } from "../../store/bulk/progress.ts";
import { listTakenRows, replaceHashes } from "../../store/bulk/slice.ts";
import { hashNotInPlanError, hashTakenError } from "../codes/new-code.ts";
import type { Deps } from "../deps.ts";
import { type WorkspaceContext, planOf } from "../identity/caller.ts";

/** Fails rows of a slice with a chosen short name if the plan has changed since they were staged, and includes none. */
export async function rejectUnplannedShortNames(
  deps: Deps,
  context: WorkspaceContext,
  slice: Slice,
): Promise<void> {
  if (planOf(context).chosenShortName) return;
  const rows = await listChosenRows(deps.db, slice);
  if (rows.length > 0) await rejectItems(deps.db, slice, rows, hashNotInPlanError(context).message);
}

/** Settles rows of a slice whose hash was taken since they were staged: a chosen one fails, others get a new hash. */
export async function settleTakenHashes(deps: Deps, slice: Slice): Promise<void> {
  const taken = await listTakenRows(deps.db, slice);
  const rowsOf = (isChosen: boolean) =>
    taken.filter((item) => item.isChosen === isChosen).map(({ row }) => row);
  const [chosen, generated] = [rowsOf(true), rowsOf(false)];
  if (chosen.length > 0) await rejectItems(deps.db, slice, chosen, hashTakenError().message);
  if (generated.length > 0) await replaceHashes(deps.db, slice, generated, newHash);
}
