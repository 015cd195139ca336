import { QrType } from "../../contract/resources/enums.ts";
import { newId } from "../../lib/text/ids.ts";
import type { Lease } from "../../store/bulk/lease.ts";
import type { Slice } from "../../store/bulk/progress.ts";
import { processSlice, type SliceContext } from "../../store/bulk/slice.ts";
import { findSuspension } from "../../store/workspaces/workspaces.ts";
import {
  codeLimitError,
  dayLimitError,
  retryOnHashCollision,
  typeNotInPlanError,
} from "../codes/new-code.ts";
import type { Deps } from "../deps.ts";
import { storageFull } from "../errors.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { workspaceSuspendedError } from "../workspaces/suspended.ts";
import { rejectBlockedRows } from "./blocked-rows.ts";
import { rejectUnplannedHashes, settleTakenHashes } from "./chosen-hashes.ts";
import type { SliceWork } from "./slice-work.ts";
import { leaseEnd } from "./timing.ts";

/** Creates the codes of a job's rows. With seven statements for each slice, 80 stay within D1's 1000 queries. */
export async function creation(deps: Deps, owner: Owner): Promise<SliceWork> {
  const limit = await creationLimit(deps, owner);
  return { maxSlices: 80, runSlice: (slice, lease) => createSlice(deps, owner, limit, slice, lease) };
}

type CreationLimit = Pick<SliceContext, "caps" | "capErrors">;

/** How many codes the workspace may have, and the errors of rows beyond. A suspended one creates none. */
async function creationLimit(deps: Deps, owner: Owner): Promise<CreationLimit> {
  const isSuspended = (await findSuspension(deps.db, owner.workspaceId)) !== null;
  const { liveCodes, creationsPerDay } = planOf(owner);
  return {
    caps: { liveCodes: isSuspended ? 0 : liveCodes, creationsPerDay },
    capErrors: {
      liveCodes: (isSuspended ? workspaceSuspendedError() : codeLimitError(owner)).message,
      creationsPerDay: dayLimitError(owner).message,
      storage: storageFull().message,
    },
  };
}

async function createSlice(
  deps: Deps,
  owner: Owner,
  limit: CreationLimit,
  slice: Slice,
  lease: Lease,
): Promise<Lease | undefined> {
  await rejectBlockedRows(deps, slice);
  await rejectUnplannedHashes(deps, owner, slice);
  const now = deps.now();
  return retryOnHashCollision(
    () =>
      processSlice(deps.db, slice, lease, {
        now,
        scanOrigin: deps.scanOrigin,
        completedEventId: newId(now),
        ...limit,
        typeErrors: typeErrors(owner),
        until: leaseEnd(deps),
      }),
    () => settleTakenHashes(deps, slice),
  );
}

/** The error of each type that the plan does not include: the plan may have changed since the rows were staged. */
function typeErrors(owner: Owner): Record<string, string> {
  const excluded = QrType.options.filter((type) => !planOf(owner).qrTypes.includes(type));
  return Object.fromEntries(excluded.map((type) => [type, typeNotInPlanError(owner, type).message]));
}
