import { asSentence } from "../../contract/issues.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import { listPendingCodes, rejectItems } from "../../store/bulk/rejection.ts";
import type { Slice } from "../../store/bulk/progress.ts";
import type { Deps } from "../deps.ts";
import { blockedHostProblem, hostsBlockedSince } from "../operations/blocked-hosts.ts";

/** More than the time for which an isolate remembers the blocked hosts, and clocks differ; milliseconds. */
const margin = 60_000;

/** Fails rows of a slice whose host was blocked after the job had been accepted. Reads no row if none was. */
export async function rejectBlockedRows(deps: Deps, slice: Slice): Promise<void> {
  const isBlocked = await hostsBlockedSince(deps, timeOfId(slice.jobId) - margin);
  if (isBlocked === null) return;
  const items = await listPendingCodes(deps.db, slice);
  const rows = items.filter(isBlocked).map(({ row }) => row);
  if (rows.length > 0) await rejectItems(deps.db, slice, rows, asSentence("data", blockedHostProblem));
}
