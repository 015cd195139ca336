import { limits } from "../../contract/limits.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { BulkChange, BulkPreview, BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import { workUnits } from "../../contract/work-units.ts";
import { countSelected, findMatches, listSelected, type Matches } from "../../store/bulk/selection.ts";
import { loadReferences } from "../codes/references.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { allAddressesOf } from "../destinations/addresses.ts";
import { invalid } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { type Idempotency, idempotencyRecord, runOnce } from "../idempotency.ts";
import { applyStyle } from "../templates/styles.ts";
import { prepareChanges } from "./changes/prepare-changes.ts";
import { type ExaminedChange, examineChange, rowsOf, sampleOf } from "./changes/preview.ts";
import { isNearMiss } from "./changes/replacement.ts";
import { newJob } from "./jobs.ts";
import { startJob } from "./start.ts";

/** Codes and their change. */
export interface BulkUpdate extends BulkSelection {
  readonly change: BulkChange;
}

/** How a person asks for a change. */
interface Confirmed {
  /** Whether a change of a few codes is to be made before this returns. */
  readonly atOnce?: boolean;
  /** How many codes a filter must match; undefined for codes that were selected individually. */
  readonly matched?: number | undefined;
  /** How many of them must change, if the job is to contain only those; undefined if not all could be examined. */
  readonly changing?: number | undefined;
}

/**
 * Stores a job that changes the currently selected codes, and begins it. Each code is changed based on its state at that
 * time.
 * @throws invalid_input, also for a filter that matches no code or too many; rate_limited; plan_limit for a template, or
 * (403) if there is no space for the job
 */
export async function createBulkUpdate(
  deps: Deps,
  context: WorkspaceContext,
  { change, ...selection }: BulkUpdate,
  idempotency?: Idempotency,
  confirmed?: Confirmed,
): Promise<BulkJob> {
  requirePermission(context, "codes.write");
  return runOnce(deps, context.workspaceId, idempotency, async () => {
    await requireValid(deps, context, change);
    const ids = await selectIds(deps, context, selection, change, confirmed);
    const job = newJob(deps, "update", ids.length, 0);
    await takeHeavyWork(deps, context.workspaceId, workUnits.change(ids.length));
    const items = ids.map((qrId) => ({ qrId }));
    const record = idempotencyRecord(deps.now(), idempotency, job);
    const options = { record, atOnce: confirmed?.atOnce === true };
    return startJob(deps, context, job, { items, change, source: null }, options);
  });
}

/** Returns how many codes a selection matches, and as many of the first as a change is examined for. */
export const findSelection = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  selection: BulkSelection,
): Promise<Matches> => findMatches(deps.db, workspaceId, selection, limits.bulkUpdate.examined);

/** Counts the codes that a selection matches, even if there are more than a bulk update may change. */
export const countSelection = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  selection: BulkSelection,
): Promise<number> => countSelected(deps.db, workspaceId, selection);

/**
 * Dry run: returns the changes that a bulk update would make to its first codes. @throws like createBulkUpdate, except
 * for a filter that matches nothing
 */
export async function previewBulkUpdate(
  deps: Deps,
  context: WorkspaceContext,
  { change, ...selection }: BulkUpdate,
): Promise<BulkPreview> {
  requirePermission(context, "codes.write");
  await requireValid(deps, context, change);
  const matched = await countSelection(deps, context, selection);
  requireFew(matched);
  const codes = await listSelected(deps.db, context.workspaceId, selection, limits.bulkUpdate.samples);
  const prepared = await prepareChanges(deps, context, change, rowsOf(codes));
  const { replace } = change;
  const addresses =
    replace === undefined ? [] : codes.flatMap((code) => allAddressesOf(code)).map(({ address }) => address);
  return {
    matched,
    samples: codes.map((code) => sampleOf(deps, change, prepared, code)),
    nearMisses: addresses.filter((address) => replace !== undefined && isNearMiss(replace, address)),
    rows: null,
  };
}

/** The same for the dashboard: how many codes would change, and why others can't. @throws like previewBulkUpdate */
export async function examineBulkUpdate(
  deps: Deps,
  context: WorkspaceContext,
  { change, ...selection }: BulkUpdate,
): Promise<ExaminedChange> {
  requirePermission(context, "codes.write");
  await requireValid(deps, context, change);
  const matches = await findSelection(deps, context, selection);
  requireFew(matches.matched);
  return examineChange(deps, context, matches, change);
}

/**
 * Checks everything that is the same for all codes, so that the request fails instead of each of its items. @throws
 * ServiceError
 */
export async function requireValid(deps: Deps, context: WorkspaceContext, change: BulkChange): Promise<void> {
  const references = await loadReferences(deps, context, [{ before: null, values: change }]);
  applyStyle(context, change, references);
  if (change.folderId && references.folders.get(change.folderId) !== "present") throw unknownFolder();
}

/** @throws invalid_input if a selection has more codes than a bulk update may change */
function requireFew(matched: number): void {
  if (matched <= limits.bulkUpdate.codes) return;
  throw invalid(
    "filter",
    `matches ${matched} QR codes, but a bulk update can change at most ${limits.bulkUpdate.codes}. Narrow it down.`,
  );
}

/**
 * Returns the ids of the codes to change, newest first for a filter: all that match at one moment, whatever changes while
 * the job runs. @throws invalid_input if they are not as many as were confirmed
 */
async function selectIds(
  deps: Deps,
  context: WorkspaceContext,
  selection: BulkSelection,
  change: BulkChange,
  confirmed: Confirmed | undefined,
): Promise<readonly string[]> {
  if (selection.ids !== undefined && confirmed?.changing === undefined) return selection.ids;
  const matches = await findMatches(deps.db, context.workspaceId, selection, limits.bulkUpdate.codes + 1);
  const { matched, ids } = matches;
  requireFew(matched);
  if (selection.ids === undefined && confirmed?.matched !== undefined && matched !== confirmed.matched) {
    throw changedSince("matches", confirmed.matched, matched);
  }
  if (confirmed?.changing !== undefined) {
    const { changing } = await examineChange(deps, context, matches, change);
    if (changing.length === confirmed.changing && changing.length > 0) return changing;
    throw changedSince("changes", confirmed.changing, changing.length);
  }
  if (ids.length === 0) throw invalid("filter", "matches no QR codes");
  return ids;
}

const changedSince = (verb: string, then: number, now: number) =>
  invalid("filter", `${verb} ${now} QR codes now, but ${then} when you confirmed. Check the changes again.`);
