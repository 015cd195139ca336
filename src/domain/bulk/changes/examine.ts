import type { StagedChange } from "../../../store/bulk/staging.ts";
import { findQrs } from "../../../store/codes/codes.ts";
import type { QrRow } from "../../../store/codes/columns.ts";
import type { JobChange } from "../../../store/schema/bulk.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import type { Deps } from "../../deps.ts";
import { ServiceError } from "../../errors.ts";
import { yieldToOtherRequests } from "../../yielding.ts";
import { codeNotFound } from "../rows/find-rows.ts";
import { prepareChanges } from "./prepare-changes.ts";

/** A code before and after a change, which are the same row if the change fails. */
export interface Examined {
  /** Undefined for a code that the workspace doesn't have. */
  readonly before?: QrRow;
  readonly after?: QrRow;
  readonly error?: ServiceError;
}

/** How many codes are read at once. */
const codesAtATime = 200;

/** Returns what a job of these items would do now, in order. Stores nothing, and leaves counting the work to its callers. */
export async function examineItems(
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange,
  items: readonly StagedChange[],
): Promise<Examined[]> {
  const examined: Examined[] = [];
  for (let from = 0; from < items.length; from += codesAtATime) {
    examined.push(...(await examineSome(deps, context, change, items.slice(from, from + codesAtATime))));
    await yieldToOtherRequests(deps);
  }
  return examined;
}

async function examineSome(
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange,
  items: readonly StagedChange[],
): Promise<Examined[]> {
  const ids = items.map(({ qrId }) => qrId);
  const codes = await findQrs(deps.db, context.workspaceId, ids);
  const isFound = (code: QrRow | undefined) =>
    code !== undefined && (code.deletedAt === null || change.revert !== undefined);
  const live = items.flatMap(({ qrId, ...own }, row) => {
    const code = codes.get(qrId);
    return code !== undefined && isFound(code) ? [{ row, own, code }] : [];
  });
  const prepared = await prepareChanges(deps, context, change, live);
  return ids.map((id) => {
    const before = codes.get(id);
    if (before === undefined || !isFound(before)) {
      return { error: new ServiceError("not_found", codeNotFound) };
    }
    const error = prepared.errors.get(id);
    return error === undefined
      ? { before, after: prepared.rows.get(id) ?? before }
      : { before, after: before, error };
  });
}
