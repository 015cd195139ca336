import { limits } from "../../contract/limits.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { BulkPreview } from "../../contract/resources/codes/bulk-update.ts";
import { enteredFields } from "../../contract/resources/codes/qr-fields.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { valueAt } from "../../lib/field-path.ts";
import { findQrs } from "../../store/codes/codes.ts";
import { codes as codeKind, presentQr } from "../../store/codes/columns.ts";
import { differingColumns } from "../../store/resources/kind.ts";
import type { JobChange } from "../../store/schema/bulk.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { type Idempotency, idempotencyRecord, runOnce } from "../idempotency.ts";
import { takeTurns } from "../turns.ts";
import type { ChangeRow } from "./change-rows.ts";
import { type FoundRow, findRows, rowNotFound } from "./find-rows.ts";
import { newJob, stagedFailure } from "./jobs.ts";
import { prepareChanges } from "./prepare-changes.ts";
import { beginJob } from "./run.ts";
import { storeJob } from "./staging.ts";

/**
 * The change of a job whose items have a change each. Workers of 1.0.0 don't know `rows`: the status, which they refuse,
 * makes them fail the items instead of changing nothing.
 */
export const rowChanges: JobChange = { rows: true, status: "by row" as never };

interface Options {
  /** Whether codes may have changed since their row was written. */
  readonly force: boolean;
  /** Whether a change of a few codes is to be made before this returns. */
  readonly atOnce?: boolean;
}

/**
 * Stores a job that gives each code what its row says, and begins it. Rows that are invalid or find no code fail.
 * @throws plan_limit (403) if there is no space for the job
 */
export async function createRowUpdate(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly ChangeRow[],
  { force, atOnce = false }: Options,
  idempotency?: Idempotency,
): Promise<BulkJob> {
  requirePermission(context, "codes.write");
  return runOnce(deps, context.workspaceId, idempotency, async () => {
    const found = await findRows(deps, context, rows, force);
    const items = found.map((row) => ("problems" in row ? stagedFailure(row) : row));
    const failures = items.filter((item) => "error" in item).length;
    const job = newJob(deps, "update", items.length, failures);
    const record = idempotencyRecord(deps.now(), idempotency, job);
    await storeJob(deps, context, job, { items, change: rowChanges, source: null }, record);
    const run = { task: "run", workspaceId: context.workspaceId, jobId: job.jobId } as const;
    await beginJob(deps, run, items.length, atOnce);
    return job;
  });
}

/** The effect of a row: its code before and after, which are equal if nothing changes, or why it fails. */
export type RowEffect =
  | { readonly before: Qr; readonly after: Qr; readonly isChanged: boolean }
  | { readonly before?: Qr; readonly error: string; readonly problems: Readonly<Record<string, string>> };

/** Dry run: returns the effects of rows, in order. */
export async function examineRows(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly ChangeRow[],
  { force }: Pick<Options, "force">,
): Promise<RowEffect[]> {
  requirePermission(context, "codes.write");
  const found = await findRows(deps, context, rows, force);
  const effects: RowEffect[] = [];
  for (let from = 0; from < found.length; from += rowsAtATime) {
    effects.push(...(await effectsOf(deps, context, found.slice(from, from + rowsAtATime))));
    await takeTurns(deps);
  }
  return effects;
}

/** How many codes are read at once. */
const rowsAtATime = 500;

async function effectsOf(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly FoundRow[],
): Promise<RowEffect[]> {
  const ids = rows.flatMap((row) => ("qrId" in row ? row.qrId : []));
  const codes = await findQrs(deps.db, context.workspaceId, ids);
  const items = rows.flatMap((own, row) => {
    const code = "qrId" in own ? codes.get(own.qrId) : undefined;
    return "qrId" in own && code !== undefined ? [{ row, own, code }] : [];
  });
  const prepared = await prepareChanges(deps, context, rowChanges, items);
  const show = (row: Parameters<typeof presentQr>[0]) => presentQr(row, deps.settings.scanOrigin);
  return rows.map((row) => {
    if (!("qrId" in row)) return { error: row.error, problems: row.problems };
    const code = codes.get(row.qrId);
    if (code === undefined) return { error: rowNotFound, problems: { "": rowNotFound } };
    const error = prepared.errors.get(code.id);
    if (error !== undefined) return { before: show(code), error, problems: { "": error } };
    const after = prepared.rows.get(code.id) ?? code;
    const isChanged = differingColumns(codeKind, code, after).length > 0;
    return {
      before: show(code),
      after: show(isChanged ? { ...after, updatedAt: deps.now() } : code),
      isChanged,
    };
  });
}

/** Dry run of rows, for the API. */
export async function previewRows(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly ChangeRow[],
  options: Pick<Options, "force">,
): Promise<BulkPreview> {
  const effects = await examineRows(deps, context, rows, options);
  const sampled = effects.filter((effect) => effect.before !== undefined && isEffective(effect));
  const count = (is: (effect: RowEffect) => boolean) => effects.filter(is).length;
  return {
    matched: count(({ before }) => before !== undefined),
    samples: sampled
      .slice(0, limits.bulkUpdate.samples)
      .flatMap((effect) =>
        effect.before === undefined
          ? []
          : [
              "error" in effect
                ? { before: effect.before, after: null, error: effect.error }
                : { before: effect.before, after: effect.after, error: null },
            ],
      ),
    rows: {
      changed: count((effect) => "isChanged" in effect && effect.isChanged),
      unchanged: count((effect) => "isChanged" in effect && !effect.isChanged),
      failed: count((effect) => "error" in effect),
      cleared: clearedBy(effects),
    },
  };
}

const isEffective = (effect: RowEffect): boolean => "error" in effect || effect.isChanged;

/** Says which values rows remove from how many codes, most first. */
export function clearedBy(effects: readonly RowEffect[]): string[] {
  const counts = new Map<string, number>();
  for (const effect of effects) {
    if ("error" in effect || !effect.isChanged) continue;
    for (const { path, columnLabel } of enteredFields) {
      const [before, after] = [valueAt(effect.before, path), valueAt(effect.after, path)];
      if (!isEmpty(before) && isEmpty(after)) counts.set(columnLabel, (counts.get(columnLabel) ?? 0) + 1);
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([label, count]) => `Removes the ${wordOf(label)} of ${count} code${count === 1 ? "" : "s"}.`);
}

const isEmpty = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);

/** A field's label within a sentence. */
const wordOf = (label: string): string =>
  /^[A-Z]{2}/.test(label)
    ? label
    : label.charAt(0).toLowerCase() + label.slice(1).replace(/^our own id$/, "our own id");
