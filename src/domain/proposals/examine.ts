import { limits } from "../../contract/limits.ts";
import type { BulkChange, BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import type { Difference } from "../../contract/resources/codes/proposals.ts";
import { QrCreateInput } from "../../contract/resources/codes/qr.ts";
import { workUnits } from "../../contract/work-units.ts";
import type { StagedChange } from "../../store/bulk/staging.ts";
import { type QrRow, rowWith, scanUrlOf } from "../../store/codes/columns.ts";
import { listQrIds } from "../../store/codes/list.ts";
import type { ProposedChange, Seen } from "../../store/proposals.ts";
import type { JobChange } from "../../store/schema/bulk.ts";
import { examineItems } from "../bulk/changes/examine.ts";
import { isChanged, rowChanges } from "../bulk/changes/prepare-changes.ts";
import { checkRows } from "../bulk/jobs.ts";
import { listUndoable } from "../bulk/revert-jobs.ts";
import { parseChangeItem } from "../bulk/rows/change-rows.ts";
import { type FoundRow, findRows } from "../bulk/rows/find-rows.ts";
import type { BulkRow, ChangeRow } from "../bulk/rows/row.ts";
import { parseElement } from "../bulk/rows/rows.ts";
import { requireValid } from "../bulk/update-jobs.ts";
import { codeResource } from "../codes/resource.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requireScope } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, ServiceError } from "../errors.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { findHistoryEntry } from "../history/history.ts";
import { differenceOf, type Pair } from "../resources/difference.ts";
import { examineUndo } from "../undo.ts";
import { jsonLength, yielding } from "../yielding.ts";

/** The dry runs of changes. */

/** A change with what it would do, and to which versions. */
export interface ExaminedChange {
  readonly change: ProposedChange;
  readonly seen: Seen;
  readonly difference: Difference;
}

/** Examines the creation of codes. @param codes as `POST /qr` takes them @throws invalid_input that names each wrong one */
export async function examineCreation(
  deps: Deps,
  context: WorkspaceContext,
  codes: readonly unknown[],
): Promise<ExaminedChange> {
  const checked = await checkRows(deps, context, rowsToCreate(codes));
  const failures = checked.flatMap((row, index) =>
    "problems" in row ? [`codes.${index}: ${row.error}`] : [],
  );
  if (failures.length > 0) throw invalidCodes(failures);
  const now = deps.now();
  const pairs = checked.flatMap((row) => {
    if ("problems" in row) return [];
    // A short name that isn't chosen is another one once the code is created.
    const { chosenShortName, line: _, hash, ...given } = row;
    const derived = { workspaceId: context.workspaceId, version: 1, createdAt: now, updatedAt: now };
    return [{ after: rowWith({ ...given, hash: chosenShortName === true ? hash : "" }, derived) }];
  });
  return {
    change: { kind: "create", codes },
    seen: [],
    difference: await differenceOf(deps, newCodes, pairs),
  };
}

/** Codes that don't exist yet: as they would be stored, in the fields that a request can set. */
const newCodes = {
  object: codeResource.object,
  nameOf: ({ name }: QrRow) => name,
  fieldsOf: (row: QrRow) =>
    Object.fromEntries(
      Object.entries(codeResource.fieldsOf(row)).filter(
        ([field, value]) => field in QrCreateInput.shape && value !== "",
      ),
    ),
};

/** How many invalid codes an error describes. */
const describedFailures = 5;

function invalidCodes(failures: readonly string[]): ServiceError {
  const others = failures.length - describedFailures;
  const rest = others > 0 ? [`${others} more ${others === 1 ? "code is" : "codes are"} invalid.`] : [];
  return new ServiceError("invalid_input", [...failures.slice(0, describedFailures), ...rest].join(" "));
}

/** Reads codes to create. */
export const rowsToCreate = (codes: readonly unknown[]): BulkRow[] =>
  codes.map((code) => parseElement(code, false));

/** Examines the same change of the codes of a selection. @throws invalid_input; plan_limit for a template; rate_limited */
export async function examineUpdate(
  deps: Deps,
  context: WorkspaceContext,
  selection: BulkSelection,
  change: BulkChange,
): Promise<ExaminedChange> {
  await requireValid(deps, context, change);
  const ids = await selectedIds(deps, context, selection);
  await takeHeavyWork(deps, context.workspaceId, workUnits.dryRun(ids.length));
  const items = ids.map((qrId) => ({ qrId }));
  return { change: { kind: "update", change }, ...(await examineCodes(deps, context, change, items)) };
}

/** @throws invalid_input if there are none, or too many */
async function selectedIds(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { ids, filter }: BulkSelection,
): Promise<readonly string[]> {
  const { changes } = limits.proposals;
  if (ids !== undefined) return ids;
  const found = await listQrIds(deps.db, workspaceId, { ...filter, limit: changes + 1 });
  if (found.length === 0) throw invalid("filter", "matches no QR codes");
  if (found.length > changes)
    throw invalid("filter", `matches more than ${changes} QR codes. Narrow it down.`);
  return found;
}

/** Examines a change of its own for each code. @param items as `POST /qr/bulk-update` takes them @throws rate_limited */
export async function examineRows(
  deps: Deps,
  context: WorkspaceContext,
  items: readonly unknown[],
): Promise<ExaminedChange> {
  await takeHeavyWork(deps, context.workspaceId, workUnits.dryRun(items.length));
  const rows = await foundRows(deps, context, items);
  const failures = rows.flatMap((row) => ("error" in row ? [{ error: { message: row.error } }] : []));
  const examined = await examineCodes(deps, context, rowChanges, changesOf(rows), failures);
  return { change: { kind: "rows", items }, ...examined };
}

async function foundRows(
  deps: Deps,
  context: WorkspaceContext,
  items: readonly unknown[],
): Promise<FoundRow[]> {
  const rows: ChangeRow[] = [];
  for await (const item of yielding(deps, items, jsonLength)) rows.push(parseChangeItem(item));
  return findRows(deps, context, rows, false);
}

const changesOf = (rows: readonly FoundRow[]): StagedChange[] =>
  rows.flatMap((row) => ("qrId" in row ? [row] : []));

/** Examines undoing a bulk job. @throws as createRevertJob; invalid_input beyond the bound of codes; rate_limited */
export async function examineJobUndo(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<ExaminedChange> {
  requireScope(context, "qr:write");
  const ids = await listUndoable(deps, context, jobId);
  if (ids.length > limits.proposals.changes) {
    const most = limits.proposals.changes;
    throw invalid("jobId", `changed more than ${most} QR codes. Undo it in the dashboard.`);
  }
  await takeHeavyWork(deps, context.workspaceId, workUnits.dryRun(ids.length));
  const items = ids.map((qrId) => ({ qrId }));
  const examined = await examineCodes(deps, context, { revert: jobId }, items);
  return { change: { kind: "undoJob", jobId }, ...examined };
}

/** Examines undoing one change of the history. @throws as revertChange */
export async function examineEntryUndo(
  deps: Deps,
  context: WorkspaceContext,
  entryId: string,
): Promise<ExaminedChange> {
  const entry = await findHistoryEntry(deps, context, entryId);
  if (entry.object.kind === "job") return examineJobUndo(deps, context, entry.object.id);
  const { version, difference } = await examineUndo(deps, context, entry);
  return { change: { kind: "undoEntry", entryId }, seen: [[entryId, version]], difference };
}

/** @param failures of items that name no code */
async function examineCodes(
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange,
  items: readonly StagedChange[],
  failures: readonly Pair<QrRow>[] = [],
): Promise<Pick<ExaminedChange, "seen" | "difference">> {
  const examined = await examineItems(deps, context, change, items);
  const seen: Seen[number][] = [];
  for await (const { before, after } of yielding(deps, examined)) {
    if (before !== undefined && after !== undefined && isChanged(before, after)) {
      seen.push([before.id, before.version]);
    }
  }
  const linkOf = (row: QrRow) => scanUrlOf(row, deps.settings.scanOrigin);
  return { seen, difference: await differenceOf(deps, codeResource, [...examined, ...failures], linkOf) };
}

/**
 * Returns the items of a job that makes an examined change: only codes that it was seen to change, each with the version
 * that was seen.
 */
export async function itemsToChange(
  deps: Deps,
  context: WorkspaceContext,
  change: ProposedChange,
  seen: Seen,
): Promise<StagedChange[]> {
  if (change.kind !== "rows") return seen.map(([qrId, version]) => ({ qrId, version }));
  const versions = new Map(seen);
  return changesOf(await foundRows(deps, context, change.items)).flatMap((item) => {
    const version = versions.get(item.qrId);
    return version === undefined ? [] : [{ ...item, version }];
  });
}
