import { asSentence } from "../../contract/sentences.ts";
import { newHash } from "../../lib/text/hash.ts";
import { newId, timeOfId } from "../../lib/text/ids.ts";
import type { Slice } from "../../store/bulk/progress.ts";
import {
  createCodes,
  type ItemChange,
  listSliceCreations,
  type SliceCreation,
} from "../../store/bulk/slice.ts";
import { listTakenHashes } from "../../store/codes/codes.ts";
import { type QrRow, rowWith } from "../../store/codes/columns.ts";
import type { Lease } from "../../store/jobs/lease.ts";
import type { JobChange } from "../../store/schema/bulk.ts";
import { changedAddresses } from "../codes/addresses.ts";
import { requireInPlan } from "../codes/caps.ts";
import { hashTakenError, retryOnHashCollision } from "../codes/codes.ts";
import { loadReferences, unlinked } from "../codes/references.ts";
import { codeResource } from "../codes/resource.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { blockedHostProblem, hostsBlockedSince } from "../destinations/blocked-hosts.ts";
import { ServiceError, storageFull } from "../errors.ts";
import { leaseEnd } from "../jobs/run.ts";
import { newChange } from "../resources/resource.ts";
import { publishAliases } from "../routing/publish-aliases.ts";
import { changeSlice, publishSlice } from "./changes/change-slice.ts";
import { bulkJobs } from "./kind.ts";

/** Slices per invocation. With seven statements each, they stay within D1's 1,000 queries. */
export const slicesAtOnce = 80;

/** Longer than an isolate caches the blocked hosts, plus clock differences; milliseconds. */
const margin = 60_000;

/**
 * Creates the codes of a slice's rows, and renews the lease.
 * @param change of the rows that change codes instead, if there can be such
 * @returns false if another worker has the job
 */
export async function createSlice(
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange | null,
  slice: Slice,
  lease: Lease,
): Promise<boolean> {
  const errors = new Map<number, string>();
  if (change !== null) {
    const changed = await changeSlice(deps, context, change, slice);
    await publishSlice(deps, slice, changed.items);
    for (const [row, error] of changed.errors) errors.set(row, error);
  }
  const items = await listSliceCreations(deps.db, slice);
  await rejectRows(deps, context, slice, items, errors);
  let waiting = items.filter(({ row }) => !errors.has(row)).map((item) => rowOf(deps, slice, item));
  for (;;) {
    const stored = await retryOnHashCollision(
      () => store(deps, context, slice, waiting, errors, lease),
      async () => {
        waiting = await withFreeHashes(deps, waiting, errors);
      },
    );
    if (!stored.isHeld) return false;
    waiting = waiting.filter(({ row, code }) => !stored.ids.has(code.id) && !errors.has(row));
    if (waiting.length === 0) return true;
    await explain(deps, context, waiting, errors, stored.ids.size > 0);
  }
}

/** A code to create, with the row of its item. */
interface NewCode extends Pick<SliceCreation, "row"> {
  readonly code: QrRow;
  readonly isChosen: boolean;
}

function rowOf(deps: Deps, { workspaceId }: Slice, { row, code }: SliceCreation): NewCode {
  const { chosenShortName, line: _, ...given } = code;
  const now = deps.now();
  const created = rowWith(given, { workspaceId, version: 1, createdAt: now, updatedAt: now });
  return { row, code: created, isChosen: chosenShortName === true };
}

/** Notes the errors of rows that the plan no longer includes, or whose host was blocked after the job was accepted. */
async function rejectRows(
  deps: Deps,
  context: WorkspaceContext,
  { jobId }: Slice,
  items: readonly SliceCreation[],
  errors: Map<number, string>,
): Promise<void> {
  const isBlocked = await hostsBlockedSince(deps, timeOfId(jobId) - margin);
  for (const { row, code } of items) {
    try {
      requireInPlan(context, code.qrType, code.chosenShortName === true);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      errors.set(row, error.message);
    }
    if (isBlocked?.(code)) errors.set(row, asSentence("data", blockedHostProblem));
  }
}

async function store(
  deps: Deps,
  context: WorkspaceContext,
  slice: Slice,
  waiting: readonly NewCode[],
  errors: ReadonlyMap<number, string>,
  lease: Lease,
): ReturnType<typeof createCodes> {
  const { jobId } = slice;
  const changes = waiting.flatMap(({ row, code }): ItemChange[] =>
    errors.has(row)
      ? []
      : [{ ...newChange(deps, codeResource, null, code, { actor: context.actor, jobId }), row }],
  );
  const now = deps.now();
  const stored = await createCodes(deps.db, slice, changes, planOf(context), {
    errors,
    now,
    completedEventId: newId(now),
    renewal: { lease, until: leaseEnd(deps, bulkJobs) },
  });
  const addresses = changes.flatMap(({ after }) => changedAddresses(null, after));
  await publishAliases(deps, context.workspaceId, addresses);
  return stored;
}

/** Gives new hashes to codes whose hash was taken since they were staged. Those with a chosen one fail. */
async function withFreeHashes(
  deps: Deps,
  waiting: readonly NewCode[],
  errors: Map<number, string>,
): Promise<NewCode[]> {
  const taken = await listTakenHashes(
    deps.db,
    waiting.flatMap(({ code }) => code.hashFolded ?? []),
  );
  return waiting.map((each) => {
    if (!taken.has(each.code.hashFolded ?? "")) return each;
    if (each.isChosen) errors.set(each.row, hashTakenError().message);
    const hash = newHash();
    return each.isChosen ? each : { ...each, code: { ...each.code, hash, hashFolded: hash } };
  });
}

/**
 * Notes why codes were not created. Those without a reason are tried again, unless that is hopeless.
 * @param isProgress whether others of their batch were created
 */
async function explain(
  deps: Deps,
  context: WorkspaceContext,
  refused: readonly NewCode[],
  errors: Map<number, string>,
  isProgress: boolean,
): Promise<void> {
  const given = refused.map(({ code }) => ({ before: null, values: code }));
  const references = await loadReferences(deps, context, given, { additions: true });
  for (const { row, code } of refused) {
    const reason =
      unlinked(code, references) ?? references.refusal ?? (isProgress ? undefined : storageFull());
    if (reason !== undefined) errors.set(row, reason.message);
  }
}
