import type { HistoryEntry } from "../../protocol/history.ts";
import { insertRecord, type NewRecord } from "../../store/idempotency.ts";
import { storeChanges } from "../../store/resources/changes.ts";
import { type Current, findCurrent } from "../../store/resources/find.ts";
import {
  type Change,
  differingColumns,
  isAddition,
  type ResourceRow,
  type RowVersion,
} from "../../store/resources/kind.ts";
import { type Note, retryOnConflict } from "../conflicts.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { requireFound, storageFull } from "../errors.ts";
import { changeOf, entryOf, newChange, type Resource } from "./resource.ts";
import { requireRules } from "./rules.ts";

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
 * @throws not_found; errors of the edit and of the kind's rules; why it can't be restored; internal (503) while others keep changing it
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
  const caps = plan === undefined ? {} : resource.capsOf?.(planOf({ plan }));
  const attempt = async (note: Note): Promise<Stored<Row> | "conflict"> => {
    const found = note(await findRow(deps, context, resource, id));
    const edited = await edit(found.row);
    await requireAllowed(deps, context, resource, found.row, edited);
    const change = changeOf(deps, resource, found.row, edited, context);
    if (change === undefined) return storedOf(found, change);
    const { ids } = await storeChanges(deps.db, kind, context.workspaceId, [change], { caps });
    if (!ids.has(id)) {
      const adds = isAddition(change) || resource.adds?.(change) === true;
      return conflictOf(deps, context, resource, found.row, adds ? change.after : null);
    }
    return storedOf(found, change);
  };
  return published(deps, resource, await retryOnConflict(deps, noun, attempt, patience));
}

/**
 * Changes two resources of a kind in one transaction: both, or neither if one has changed since it was read, upon which it
 * starts over.
 * @param ids of both. The first one's change is stored first
 * @param edit returns both rows in this order; called again for each attempt
 * @throws as changeResource
 */
export async function changeBoth<Row extends ResourceRow>(
  deps: Deps,
  context: Changer,
  resource: Resource<Row>,
  ids: readonly [string, string],
  edit: (one: Row, other: Row) => Promise<readonly [Row, Row]>,
): Promise<readonly [Changed<Row>, Changed<Row>]> {
  const { kind, noun } = resource;
  const attempt = async (note: Note): Promise<readonly [Stored<Row>, Stored<Row>] | "conflict"> => {
    const [one, other] = note(
      await Promise.all([findRow(deps, context, resource, ids[0]), findRow(deps, context, resource, ids[1])]),
    );
    const edited = await edit(one.row, other.row);
    await requireAllowed(deps, context, resource, one.row, edited[0]);
    await requireAllowed(deps, context, resource, other.row, edited[1]);
    const first = changeOf(deps, resource, one.row, edited[0], context);
    const second = changeOf(deps, resource, other.row, edited[1], context);
    const changes = [
      ...(first === undefined ? [] : [{ ...first, requires: versionOf(other.row) }]),
      ...(second === undefined ? [] : [{ ...second, requires: versionOf(first?.after ?? one.row) }]),
    ];
    if (changes.length > 0) {
      const { ids: stored } = await storeChanges(deps.db, kind, context.workspaceId, changes);
      if (stored.size < changes.length) return "conflict";
    }
    return [storedOf(one, first), storedOf(other, second)];
  };
  const [one, other] = await retryOnConflict(deps, noun, attempt);
  return Promise.all([published(deps, resource, one), published(deps, resource, other)]);
}

/**
 * Creates a resource and changes another of its kind in one transaction: both, or neither.
 * @param edit returns the new row, and the one with this id after its change; called again for each attempt
 * @returns the new row
 * @throws as changeResource and createResource
 */
export async function createWithChange<Row extends ResourceRow>(
  deps: Deps,
  context: WorkspaceContext,
  resource: Resource<Row>,
  id: string,
  edit: (before: Row) => { readonly created: Row; readonly changed: Row },
): Promise<Row> {
  const { kind, noun } = resource;
  const { workspaceId } = context;
  const caps = resource.capsOf?.(planOf(context));
  return retryOnConflict(deps, noun, async (note) => {
    const { row } = note(await findRow(deps, context, resource, id));
    const { created, changed } = edit(row);
    await requireAllowed(deps, context, resource, null, created);
    await requireAllowed(deps, context, resource, row, changed);
    const creation = { ...newChange(deps, resource, null, created, context), requires: versionOf(row) };
    const change = changeOf(deps, resource, row, changed, context);
    if (change === undefined) return "conflict";
    const both = [creation, { ...change, requires: versionOf(created) }];
    const { ids } = await storeChanges(deps.db, kind, workspaceId, both, { caps });
    return ids.size === 2 ? created : conflictOf(deps, context, resource, row, created);
  });
}

/** Checks a row about to be stored by the rules of its kind. The operator, who has no plan, need not follow them. @throws ServiceError */
async function requireAllowed<Row extends ResourceRow>(
  deps: Deps,
  { plan, ...context }: Changer,
  { rules = [] }: Resource<Row>,
  before: Row | null,
  after: Row,
): Promise<void> {
  if (plan !== undefined) await requireRules(rules, { before, after }, deps, { ...context, plan }, undefined);
}

const versionOf = ({ id, version }: ResourceRow): RowVersion => ({ id, version });

/** A resource after an attempt. */
interface Stored<Row> extends Changed<Row> {
  /** The row before the change; null if there was none, or if an earlier one isn't published yet. */
  readonly before: Row | null;
  readonly isPublicationPending: boolean;
}

async function findRow<Row extends ResourceRow>(
  deps: Deps,
  { workspaceId }: Changer,
  { kind, noun }: Resource<Row>,
  id: string,
): Promise<Current<Row>> {
  return requireFound(await findCurrent(deps.db, kind, workspaceId, id), noun);
}

function storedOf<Row extends ResourceRow>(
  { row, isPublicationPending }: Current<Row>,
  change: Change<Row> | undefined,
): Stored<Row> {
  if (change === undefined) return { row, entry: null, before: null, isPublicationPending };
  return {
    row: change.after,
    entry: entryOf(change),
    before: isPublicationPending ? null : row,
    isPublicationPending: isPublicationPending || change.columns.some(({ route }) => route === true),
  };
}

async function published<Row extends ResourceRow>(
  deps: Deps,
  resource: Resource<Row>,
  { row, entry, before, isPublicationPending }: Stored<Row>,
): Promise<Changed<Row>> {
  if (isPublicationPending) await resource.publish?.(deps, row, before);
  return { row, entry };
}

/** @throws why nothing can be added, unless the row that it is based on has changed. @param added null if nothing was */
async function conflictOf<Row extends ResourceRow>(
  deps: Deps,
  context: Changer,
  resource: Resource<Row>,
  before: Row,
  added: Row | null,
): Promise<"conflict"> {
  const { plan, workspaceId } = context;
  if (plan === undefined || added === null) return "conflict";
  const now = await findCurrent(deps.db, resource.kind, workspaceId, before.id);
  if (now === undefined || differingColumns(resource.kind, before, now.row).length > 0) return "conflict";
  const refusal = await resource.refusalOf?.(deps, { ...context, plan }, added);
  if (refusal !== undefined) throw refusal;
  return "conflict";
}

/**
 * Creates a resource, with its event and its entry in the history.
 * @param record of the response, if the request has an Idempotency-Key
 * @throws the rules' errors; why it can't be created; if a unique value or the Idempotency-Key already exists (see isUniqueViolation)
 */
export async function createResource<Row extends ResourceRow>(
  deps: Deps,
  context: WorkspaceContext,
  resource: Resource<Row>,
  row: Row,
  record?: NewRecord,
): Promise<void> {
  const { workspaceId } = context;
  await requireAllowed(deps, context, resource, null, row);
  const change = newChange(deps, resource, null, row, context);
  const caps = resource.capsOf?.(planOf(context));
  const after = record === undefined ? [] : insertRecord(deps.db, workspaceId, record);
  const { ids } = await storeChanges(deps.db, resource.kind, workspaceId, [change], { caps, after });
  if (!ids.has(row.id)) throw (await resource.refusalOf?.(deps, context, row)) ?? storageFull();
}
