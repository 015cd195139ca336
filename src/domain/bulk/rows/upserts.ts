import type { BulkCreationPreview } from "../../../contract/resources/codes/bulk.ts";
import { workUnits } from "../../../contract/work-units.ts";
import { warningOf } from "../../../lib/text/spreadsheets.ts";
import type { StagedCode } from "../../../store/bulk/staging.ts";
import { type IdHolder, idHoldersQuery } from "../../../store/codes/codes.ts";
import { answer } from "../../../store/queries.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import { requirePermission } from "../../context/permissions.ts";
import { requireNotSuspended } from "../../context/suspension.ts";
import type { Deps } from "../../deps.ts";
import { takeHeavyWork } from "../../heavy-work.ts";
import { yieldToOtherRequests } from "../../yielding.ts";
import { clearedBy, effectsOf, failedRows, type RowEffect } from "../changes/row-effects.ts";
import { type FoundRow, findRows } from "./find-rows.ts";
import { type BulkRow, type ChangeRow, type NamedChange, type RowFailure, rowFailure } from "./row.ts";
import { stageRows } from "./stage-rows.ts";

/** A row of a creation: the code to create or, with upsert, to change, or why it fails. */
export type StagedRow = StagedCode | FoundRow;

/** Checks rows as `stageRows`. With upsert, those whose own id a code has change that code. */
export async function stageUpserts(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly BulkRow[],
): Promise<StagedRow[]> {
  const ids = rows.flatMap(({ change }) => ownIdOf(change) ?? []);
  if (ids.length === 0 && rows.every(({ change }) => change === undefined)) {
    return stageRows(deps, context, rows);
  }
  const holders = await findHolders(deps, context, [...new Set(ids)]);
  const isChange = ({ change }: BulkRow) => holders.get(ownIdOf(change) ?? "")?.isDeleted === false;
  const changes = rows.filter(isChange).flatMap(({ change }) => change ?? []);
  const changed = (await findRows(deps, context, changes, true)).values();
  const created = (
    await stageRows(deps, context, rows.filter((row) => !isChange(row)).map(withOwnId))
  ).values();
  return rows.flatMap((row) => (isChange(row) ? changed : created).next().value ?? []);
}

/** How many own ids are looked up at once. */
const idsAtOnce = 1000;

/** Returns the codes that have own ids, by own id. */
async function findHolders(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IdHolder>> {
  const holders = new Map<string, IdHolder>();
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = await answer(idHoldersQuery(deps.db, workspaceId, ids.slice(from, from + idsAtOnce)));
    for (const [id, holder] of some) holders.set(id, holder);
    await yieldToOtherRequests(deps);
  }
  return holders;
}

const ownIdOf = (change: ChangeRow | undefined): string | undefined =>
  change !== undefined && "names" in change ? (change as NamedChange).names.externalId : undefined;

/** Returns a row that creates a code, which must have an own id with upsert: sent twice, it would create two. */
function withOwnId(row: BulkRow): BulkRow {
  if (row.change === undefined || "error" in row || row.input.externalId !== undefined) return row;
  const { line, cells } = row;
  return rowFailure("externalId", "can't be empty with upsert", {
    ...(line !== undefined && { line }),
    ...(cells && { cells }),
  });
}

/** Dry run of a creation. @throws forbidden in a suspended workspace; rate_limited */
export async function previewCreation(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly BulkRow[],
): Promise<BulkCreationPreview> {
  requirePermission(context, "codes.write");
  await requireNotSuspended(deps, context);
  const isUpsert = rows.some(({ change }) => change !== undefined);
  const units = isUpsert ? workUnits.dryRun(rows.length) : workUnits.check(rows.length);
  await takeHeavyWork(deps, context.workspaceId, units);
  const staged = await stageUpserts(deps, context, rows);
  const changes = staged.filter((row): row is FoundRow => "qrId" in row);
  const effects = (await effectsOf(deps, context, changes)).values();
  const all = staged.map((row): RowEffect | null | undefined => {
    if ("qrId" in row) return effects.next().value;
    return "problems" in row ? (row as RowFailure) : null;
  });
  const count = (isChanged: boolean) =>
    all.filter((effect) => effect != null && "isChanged" in effect && effect.isChanged === isChanged).length;
  return {
    created: all.filter((effect) => effect === null).length,
    changed: count(true),
    unchanged: count(false),
    failed: all.filter((effect) => effect != null && "error" in effect).length,
    cleared: await clearedBy(
      deps,
      all.flatMap((effect) => effect ?? []),
    ),
    errors: failedRows(staged, all),
    warnings: [warningOf(rows.flatMap((row) => ("input" in row ? (row.input.hash ?? []) : []))) ?? []].flat(),
  };
}
