import { limits } from "../../contract/limits.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { BulkPreview } from "../../contract/resources/codes/bulk-update.ts";
import { workUnits } from "../../contract/work-units.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { type Idempotency, idempotencyRecord, runOnce } from "../idempotency.ts";
import { rowChanges } from "./changes/prepare-changes.ts";
import { clearedBy, effectsOf, failedRows, type RowEffect } from "./changes/row-effects.ts";
import { type JobSource, newJob, noValidRow, stagedFailure } from "./jobs.ts";
import { findRows } from "./rows/find-rows.ts";
import type { ChangeRow } from "./rows/row.ts";
import { startJob } from "./start.ts";

interface Options {
  /** Whether codes may have changed since their row was written. */
  readonly force: boolean;
  /** Whether at least one row must be valid. */
  readonly requireValid?: boolean;
  /** The table that the rows were imported from. */
  readonly source?: JobSource;
}

/**
 * Stores a job that gives each code what its row says, and begins it. Rows that are invalid or find no code fail.
 * @throws rate_limited; invalid_input if a row must be valid and none is; plan_limit (403) if there is no space for the
 * job
 */
export async function createRowUpdate(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly ChangeRow[],
  { force, requireValid = false, source }: Options,
  idempotency?: Idempotency,
): Promise<BulkJob> {
  requirePermission(context, "codes.write");
  return runOnce(deps, context.workspaceId, idempotency, async () => {
    await takeHeavyWork(deps, context.workspaceId, workUnits.change(rows.length));
    const found = await findRows(deps, context, rows, force);
    const items = found.map((row) => ("problems" in row ? stagedFailure(row) : row));
    const failures = items.filter((item) => "error" in item).length;
    if (requireValid && failures === items.length) throw noValidRow();
    const job = newJob(deps, "update", items.length, failures);
    const record = idempotencyRecord(deps.now(), idempotency, job);
    return startJob(deps, context, job, { items, change: rowChanges, source: source ?? null }, { record });
  });
}

/** Dry run of rows, for the API. @throws rate_limited */
export async function previewRows(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly ChangeRow[],
  { force }: Pick<Options, "force">,
): Promise<BulkPreview> {
  requirePermission(context, "codes.write");
  await takeHeavyWork(deps, context.workspaceId, workUnits.dryRun(rows.length));
  const found = await findRows(deps, context, rows, force);
  const effects = await effectsOf(deps, context, found);
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
    nearMisses: [],
    rows: {
      changed: count((effect) => "isChanged" in effect && effect.isChanged),
      unchanged: count((effect) => "isChanged" in effect && !effect.isChanged),
      failed: count((effect) => "error" in effect),
      cleared: await clearedBy(deps, effects),
      errors: failedRows(found, effects),
    },
  };
}

const isEffective = (effect: RowEffect): boolean => "error" in effect || effect.isChanged;
