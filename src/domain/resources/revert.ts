import { BinKind } from "../../contract/resources/history/bin.ts";
import { lazy } from "../../lib/lazy.ts";
import { sameJson } from "../../lib/text/json.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import type { ResourceRow } from "../../store/resources/kind.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, requireVersion, ServiceError, type Versions } from "../errors.ts";
import { isRestorable } from "../restorable.ts";
import { changeResource } from "./change.ts";
import type { Resource } from "./resource.ts";

/** How rows of a kind are deleted, restored and given earlier values. */
export interface Reversible<Row extends ResourceRow> extends Resource<Row> {
  readonly object: BinKind;
  nameOf(row: Row): string;
  /** Returns the row after its deletion. @throws ServiceError if it can't be deleted */
  deleted(deps: Deps, context: WorkspaceContext, row: Row): Row | Promise<Row>;
  /** Returns a deleted row after its restoration. @throws ServiceError if it can't be restored */
  restored(deps: Deps, context: WorkspaceContext, row: Row): Row | Promise<Row>;
  /** Returns the row with earlier values of fields, which are validated like any change. @throws ServiceError */
  putBack(
    deps: Deps,
    context: WorkspaceContext,
    row: Row,
    fields: Readonly<Record<string, unknown>>,
  ): Row | Promise<Row>;
}

/**
 * Deletes a resource. It can be restored for 30 days.
 * @throws not_found; for a deleted one only once its deletion has been published; invalid_input (412) if it has none of
 * the versions; errors of the kind
 */
export async function deleteResource<Row extends ResourceRow>(
  deps: Deps,
  context: WorkspaceContext,
  resource: Reversible<Row>,
  id: string,
  versions?: Versions,
): Promise<{ success: true }> {
  requirePermission(context, "codes.write");
  const { entry } = await changeResource(deps, context, resource, id, (row) => {
    if (row.deletedAt !== null) return row;
    requireVersion(row, versions);
    return resource.deleted(deps, context, row);
  });
  if (entry === null) throw notFound(resource.noun);
  return { success: true };
}

/**
 * Restores a deleted resource as it was. One that isn't deleted stays as it is. It has been published when this returns,
 * even if an earlier, interrupted request restored it.
 * @throws not_found, also 30 days after the deletion; plan_limit at a cap; forbidden in a suspended workspace; errors of the kind
 */
export async function restoreResource<Row extends ResourceRow>(
  deps: Deps,
  context: WorkspaceContext,
  resource: Reversible<Row>,
  id: string,
): Promise<Row> {
  requirePermission(context, "codes.write");
  const { row } = await changeResource(deps, context, resource, id, (before) =>
    before.deletedAt === null ? before : resource.restored(deps, context, before),
  );
  return row;
}

/**
 * Undoes a change of a resource by a change of its own. Creating is undone by deleting, deleting by restoring.
 * @returns the entry of that change
 * @throws not_found; invalid_input if fields have changed since; errors of the change
 */
export async function undoChange<Row extends ResourceRow>(
  deps: Deps,
  context: WorkspaceContext,
  resource: Reversible<Row>,
  undone: HistoryEntry,
): Promise<HistoryEntry> {
  const edit = (row: Row) => undoneRow(deps, context, resource, row, undone);
  const by = { ...context, revertOf: undone.id };
  const { entry } = await changeResource(deps, by, resource, undone.object.id, edit);
  if (entry === null) throw changedSinceError(Object.keys(undone.changes));
  return entry;
}

/** Returns a row as it is once a change is undone. @throws invalid_input if fields have changed since; errors of the change */
export const undoneRow = <Row extends ResourceRow>(
  deps: Deps,
  context: WorkspaceContext,
  resource: Reversible<Row>,
  row: Row,
  undone: HistoryEntry,
): Row | Promise<Row> =>
  undo(resource, row, undone, {
    delete: () => resource.deleted(deps, context, row),
    restore: () => resource.restored(deps, context, row),
    putBack: (fields) => resource.putBack(deps, context, row, fields),
  });

/** The ways in which a change can be undone. */
interface Undoings<Result> {
  delete(): Result;
  restore(): Result;
  putBack(fields: Readonly<Record<string, unknown>>): Result;
}

/** Undoes a change of a row in one of these ways. @throws invalid_input if it has changed since, or can't be undone */
export function undo<Row extends ResourceRow, Result>(
  { fieldsOf }: Pick<Resource<Row>, "fieldsOf">,
  row: Row,
  { action, changes, leftOut }: HistoryEntry,
  undoings: Undoings<Result>,
): Result {
  const verb = action.replace(/^.*\./, "");
  const isDeleted = row.deletedAt !== null;
  if (verb === "deleted") {
    if (!isDeleted) throw changedSinceError(["deleted"]);
    return undoings.restore();
  }
  if (verb !== "created" && verb !== "restored" && verb !== "updated") throw notRevertible();
  if (isDeleted) throw changedSinceError(["deleted"]);
  const fields = fieldsOf(row);
  const since = Object.keys(changes).filter(
    (name) => name in fields && !sameJson(fields[name] ?? null, changes[name]?.[1] ?? null),
  );
  if (since.length > 0) throw changedSinceError(since);
  if (verb === "restored") return undoings.delete();
  if (Object.keys(changes).length === 0) {
    const what = leftOut === true ? "were left out" : "have been erased";
    throw new ServiceError("invalid_input", `This change can't be undone, because its values ${what}.`);
  }
  if (verb === "created") return undoings.delete();
  return undoings.putBack(valuesBefore({ changes }));
}

/** Returns the values of fields before a change. */
export const valuesBefore = ({ changes }: Pick<HistoryEntry, "changes">): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([name, [before]]) => [name, before]));

/** The error for a change of fields that have changed again since. */
function changedSinceError(fields: readonly string[]): ServiceError {
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(fields);
  return new ServiceError(
    "invalid_input",
    `${names} changed since. Undo ${fields.length === 1 ? "that change" : "those changes"} first, or edit the values.`,
  );
}

const resources = lazy(() =>
  new Intl.ListFormat("en").format(BinKind.options.map((kind) => `${kind.replace("_", " ")}s`)),
);

/** The error for a change that isn't one of a resource by its owner. */
export const notRevertible = () =>
  new ServiceError("invalid_input", `This change can't be undone. Only those of ${resources()} can.`);

/** The error for a folder that can't be restored any more. */
export const folderGone = () => invalid("folderId", "can't be put back, because the folder no longer exists");

/** The error for a logo whose file no longer exists. */
export const logoGone = () => invalid("logo", "can't be put back, because its file has been deleted");

/** @throws not_found if a deleted row can't be restored any more */
export function requireRestorable(
  deps: Deps,
  noun: string,
  { deletedAt, erasedAt = null }: Pick<ResourceRow, "deletedAt"> & { readonly erasedAt?: number | null },
): void {
  if (erasedAt !== null || !isRestorable(deletedAt ?? 0, deps.now())) throw notFound(noun);
}
