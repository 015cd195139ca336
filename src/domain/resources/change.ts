import type { HistoryEntry } from "../../protocol/history.ts";
import { insertRecord, type NewRecord } from "../../store/idempotency.ts";
import { storeChanges } from "../../store/resources/changes.ts";
import { findCurrent } from "../../store/resources/find.ts";
import { differingColumns, type ResourceRow } from "../../store/resources/kind.ts";
import { type Note, retryOnConflict } from "../conflicts.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { notFound, storageFull } from "../errors.ts";
import { changeOf, entryOf, newChange, type Resource } from "./resource.ts";

/** Computes a resource's new row, or returns the given one. @throws ServiceError */
export type Edit<Row> = (row: Row) => Row | Promise<Row>;

/** Who changes a resource. The operator has no plan, and neither creates nor restores. */
type Changer = Pick<WorkspaceContext, "workspaceId" | "actor" | "revertOf"> & Partial<WorkspaceContext>;

/** A resource after a change. */
export interface Changed<Row> {
  readonly row: Row;
  /** The entry of the change in the history; null if nothing was to change. */
  readonly entry: HistoryEntry | null;
}

/**
 * Changes a resource, deleted or not: reads it, computes the new row, and stores what differs with an event and an entry
 * in the history, provided that the resource has not changed since it was read. Otherwise it starts over. Equal values
 * change nothing. The returned row has been published, even if it was changed by an earlier request that was interrupted.
 * @param edit called again for each attempt
 * @param patience how long it goes on while others change the resource, milliseconds; by default some attempts
 * @throws not_found; errors of the edit; why it can't be restored; internal (503) while others keep changing it
 */
export async function changeResource<Row extends ResourceRow>(
  deps: Deps,
  context: Changer,
  resource: Resource<Row>,
  id: string,
  edit: Edit<Row>,
  patience?: number,
): Promise<Changed<Row>> {
  const { kind, noun } = resource;
  const { plan } = context;
  const caps = plan === undefined ? {} : resource.capsOf(planOf({ plan }));
  const attempt = async (note: Note) => {
    const found = await findCurrent(deps.db, kind, context.workspaceId, id);
    if (found === undefined) throw notFound(noun);
    note(found.row);
    const change = changeOf(deps, resource, found.row, await edit(found.row), context);
    if (change === undefined) return { ...found, entry: null, before: null };
    const { ids } = await storeChanges(deps.db, kind, context.workspaceId, [change], { caps });
    if (!ids.has(id)) return conflictOf(deps, context, resource, found.row, change.after);
    const isRouteChanged = change.columns.some(({ route }) => route === true);
    return {
      row: change.after,
      entry: entryOf(change),
      before: found.isPublicationPending ? null : found.row,
      isPublicationPending: found.isPublicationPending || isRouteChanged,
    };
  };
  const { row, entry, before, isPublicationPending } = await retryOnConflict(deps, noun, attempt, patience);
  if (isPublicationPending) await resource.publish?.(deps, row, before);
  return { row, entry };
}

/** @throws why a resource can't be restored, unless another request got ahead */
async function conflictOf<Row extends ResourceRow>(
  deps: Deps,
  context: Changer,
  resource: Resource<Row>,
  before: Row,
  after: Row,
): Promise<"conflict"> {
  const { plan, workspaceId } = context;
  if (plan === undefined || before.deletedAt === null || after.deletedAt !== null) return "conflict";
  const now = await findCurrent(deps.db, resource.kind, workspaceId, before.id);
  if (now === undefined || differingColumns(resource.kind, before, now.row).length > 0) return "conflict";
  const refusal = await resource.refusalOf(deps, { ...context, plan }, after);
  if (refusal !== undefined) throw refusal;
  return "conflict";
}

/**
 * Creates a resource, with its event and its entry in the history.
 * @param record of the response, if the request has an Idempotency-Key
 * @throws why it can't be created; if a unique value or the Idempotency-Key already exists (see isUniqueViolation)
 */
export async function createResource<Row extends ResourceRow>(
  deps: Deps,
  context: WorkspaceContext,
  resource: Resource<Row>,
  row: Row,
  record?: NewRecord,
): Promise<void> {
  const { workspaceId } = context;
  const change = newChange(deps, resource, null, row, context);
  const caps = resource.capsOf(planOf(context));
  const after = record === undefined ? [] : insertRecord(deps.db, workspaceId, record);
  const { ids } = await storeChanges(deps.db, resource.kind, workspaceId, [change], { caps, after });
  if (!ids.has(row.id)) throw (await resource.refusalOf(deps, context, row)) ?? storageFull();
}
