import { QrType } from "../../contract/resources/enums.ts";
import { newId } from "../../lib/text/ids.ts";
import type { Lease } from "../../store/bulk/lease.ts";
import type { Slice } from "../../store/bulk/progress.ts";
import { processSlice, type SliceContext } from "../../store/bulk/slice.ts";
import { findSuspension } from "../../store/workspaces/workspaces.ts";
import { unknownPage } from "../codes/data.ts";
import {
  codeLimitError,
  dayLimitError,
  retryOnHashCollision,
  typeNotInPlanError,
} from "../codes/new-code.ts";
import type { Deps } from "../deps.ts";
import { storageFull } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { workspaceSuspendedError } from "../context/suspension.ts";
import { leaseEnd } from "./pace.ts";
import { rejectBlockedRows, rejectUnplannedShortNames, settleTakenHashes } from "./rejected-rows.ts";
import { planOf } from "../context/plan.ts";

/** Slices per invocation. With seven statements each, they stay within D1's 1,000 queries. */
export const slicesAtOnce = 80;

export type CreationLimit = Pick<SliceContext, "caps" | "capErrors">;

/**
 * Returns how many codes the workspace may have, and the errors of rows that exceed this. A suspended workspace may
 * create none.
 */
export async function findCreationLimit(deps: Deps, context: WorkspaceContext): Promise<CreationLimit> {
  const isSuspended = (await findSuspension(deps.db, context.workspaceId)) !== null;
  const { liveCodes, creationsPerDay } = planOf(context);
  return {
    caps: { liveCodes: isSuspended ? 0 : liveCodes, creationsPerDay },
    capErrors: {
      liveCodes: (isSuspended ? workspaceSuspendedError() : codeLimitError(context)).message,
      creationsPerDay: dayLimitError(context).message,
      storage: storageFull().message,
    },
  };
}

/** Creates the codes of a slice's rows. @returns the renewed lease; undefined if another worker has the job */
export async function createSlice(
  deps: Deps,
  context: WorkspaceContext,
  limit: CreationLimit,
  slice: Slice,
  lease: Lease,
): Promise<Lease | undefined> {
  await rejectBlockedRows(deps, slice);
  await rejectUnplannedShortNames(deps, context, slice);
  const now = deps.now();
  return retryOnHashCollision(
    () =>
      processSlice(deps.db, slice, lease, {
        actor: context.actor,
        now,
        scanOrigin: deps.settings.scanOrigin,
        completedEventId: newId(now),
        ...limit,
        goneErrors: { folderId: unknownFolder().message, pageId: unknownPage().message },
        typeErrors: typeErrors(context),
        until: leaseEnd(deps),
      }),
    () => settleTakenHashes(deps, slice),
  );
}

/** Returns the errors of types that the plan doesn't include. The plan may have changed since the rows were staged. */
function typeErrors(context: WorkspaceContext): Record<string, string> {
  const excluded = QrType.options.filter((type) => !planOf(context).qrTypes.includes(type));
  return Object.fromEntries(excluded.map((type) => [type, typeNotInPlanError(context, type).message]));
}
