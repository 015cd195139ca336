import { limits } from "../../contract/limits.ts";
import type { BulkChange, BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import type { Difference, DifferenceSample } from "../../contract/resources/codes/proposals.ts";
import type { StagedChange } from "../../store/bulk/staging.ts";
import { type QrRow, scanUrlOf } from "../../store/codes/columns.ts";
import { listQrIds } from "../../store/codes/list.ts";
import type { ProposedChange, Seen } from "../../store/proposals.ts";
import type { JobChange } from "../../store/schema/bulk.ts";
import { parseChangeItem } from "../bulk/rows/change-rows.ts";
import { examineItems } from "../bulk/changes/examine.ts";
import { findRows, type FoundRow } from "../bulk/rows/find-rows.ts";
import { isChanged, rowChanges } from "../bulk/changes/prepare-changes.ts";
import { listUndoable } from "../bulk/revert-jobs.ts";
import { parseElement } from "../bulk/rows/rows.ts";
import { requireValid } from "../bulk/update-jobs.ts";
import { checkRows } from "../bulk/jobs.ts";
import type { BulkRow } from "../bulk/rows/row.ts";
import { codeResource } from "../codes/resource.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requireScope } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, ServiceError } from "../errors.ts";
import { findHistoryEntry } from "../history/history.ts";
import { examineUndo } from "../undo.ts";
import { differenceOf, type Pair } from "../resources/difference.ts";

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
  const rows = rowsToCreate(codes);
  const failures = (await checkRows(deps, context, rows)).flatMap((failure, index) =>
    failure === null ? [] : [`codes.${index}: ${failure.error}`],
  );
  if (failures.length > 0) throw invalidCodes(failures);
  const samples = rows.slice(0, limits.bulkUpdate.samples).map(creationSample);
  return {
    change: { kind: "create", codes },
    seen: [],
    difference: {
      kind: "code",
      summary: [`Creates ${rows.length} ${rows.length === 1 ? "code" : "codes"}.`],
      ...{ changed: rows.length, unchanged: 0, failed: 0, samples },
      leftOut: rows.length - samples.length,
    },
  };
}

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

function creationSample(row: BulkRow): DifferenceSample {
  const input = "input" in row ? row.input : {};
  const fields = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, before: null, after: value as unknown }));
  const name = "input" in row ? (row.input.name ?? null) : null;
  return { effect: "created", id: null, name, scanUrl: null, fields, error: null };
}

/** Examines the same change of the codes of a selection. @throws invalid_input; plan_limit for a template */
export async function examineUpdate(
  deps: Deps,
  context: WorkspaceContext,
  selection: BulkSelection,
  change: BulkChange,
): Promise<ExaminedChange> {
  await requireValid(deps, context, change);
  const ids = await selectedIds(deps, context, selection);
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

/** Examines a change of its own for each code. @param items as `POST /qr/bulk-update` takes them */
export async function examineRows(
  deps: Deps,
  context: WorkspaceContext,
  items: readonly unknown[],
): Promise<ExaminedChange> {
  const rows = await foundRows(deps, context, items);
  const failures = rows.flatMap((row) => ("error" in row ? [{ error: { message: row.error } }] : []));
  const examined = await examineCodes(deps, context, rowChanges, changesOf(rows), failures);
  return { change: { kind: "rows", items }, ...examined };
}

const foundRows = (deps: Deps, context: WorkspaceContext, items: readonly unknown[]): Promise<FoundRow[]> =>
  findRows(
    deps,
    context,
    items.map((item) => parseChangeItem(item)),
    false,
  );

const changesOf = (rows: readonly FoundRow[]): StagedChange[] =>
  rows.flatMap((row) => ("qrId" in row ? [row] : []));

/** Examines undoing a bulk job. @throws as createRevertJob; invalid_input beyond the bound of codes */
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
  const { scanOrigin } = deps.settings;
  return {
    seen: examined.flatMap(({ before, after }) =>
      before !== undefined && after !== undefined && isChanged(before, after)
        ? [[before.id, before.version] as const]
        : [],
    ),
    difference: differenceOf(codeResource, [...examined, ...failures], (row) => scanUrlOf(row, scanOrigin)),
  };
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
