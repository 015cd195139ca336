import { limits } from "../../contract/limits.ts";
import {
  type HistoryEntry as Entry,
  type HistoryExportQuery,
  HistoryKind,
  type HistoryList,
  type HistoryQuery,
  historyOfKeys,
  historyPermissions,
  type ObjectHistoryQuery,
} from "../../contract/resources/history/history.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import type { HistoryEntry, HistoryFilter, HistoryPage, ObjectRef } from "../../protocol/history.ts";
import type { Member, WorkspaceContext } from "../context/context.ts";
import { isKey, may, onlyPeople, requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { requireFound, unavailable } from "../errors.ts";
import { forwardHistory } from "../events/forwarding.ts";
import { leaseExport } from "../export-lease.ts";
import { ifAvailable, ifKnown } from "../ledger.ts";
import { parseCursor } from "../paging.ts";

/**
 * Returns a page of the workspace's history, newest first. A filter examines some entries at a time, so a page may be
 * short or empty and still have a cursor.
 * @throws invalid_input for a cursor of another list
 */
export async function listHistory(
  deps: Deps,
  context: WorkspaceContext,
  { cursor, limit, ...query }: HistoryQuery,
): Promise<HistoryList> {
  return toList(deps, context, filterOf(context, query), cursor, limit);
}

/** The same for one object. */
export const listObjectHistory = (
  deps: Deps,
  context: WorkspaceContext,
  { kind, id }: ObjectRef,
  { cursor, limit, ...query }: ObjectHistoryQuery,
): Promise<HistoryList> =>
  toList(deps, context, { ...query, until: query.to, kinds: [kind], objectId: id }, cursor, limit);

/**
 * Streams the workspace's history as NDJSON, newest first.
 * @throws rate_limited for too many exports; unavailable while some of it is still on its way
 */
export async function exportHistory(
  deps: Deps,
  context: WorkspaceContext,
  query: HistoryExportQuery,
): Promise<AsyncIterable<Uint8Array>> {
  const filter = filterOf(context, query);
  if (!(await forwardHistory(deps, context.workspaceId))) throw unavailable();
  return leaseExport(deps, context, exportLines(deps, context, filter));
}

async function* exportLines(deps: Deps, context: WorkspaceContext, filter: HistoryFilter) {
  let after: string | null = null;
  do {
    const { items, next } = await readPage(deps, context, filter, after, limits.historyList.max);
    yield items.map((entry) => `${JSON.stringify(presentEntry(context, entry))}\n`).join("");
    after = next;
  } while (after !== null);
}

/** Returns an entry of the workspace's history. @throws not_found; unavailable while it may still be on its way */
export async function findHistoryEntry(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<HistoryEntry> {
  const isWhole = await forwardHistory(deps, workspaceId);
  const entry = await ifKnown(deps.ledger(workspaceId).findHistory(id));
  if (entry === undefined && !isWhole) throw unavailable();
  return requireFound(entry, "Entry of the history");
}

/**
 * Returns what a bulk job did to some objects, by their ids. It changes each once.
 * @throws unavailable while some of it may still be on its way
 */
export async function findJobEntries(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  jobId: string,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  const isWhole = await forwardHistory(deps, workspaceId);
  const entries = (await ifKnown(deps.ledger(workspaceId).listJobHistory(jobId, objectIds))) ?? [];
  const byObject = new Map(entries.map((entry) => [entry.object.id, entry]));
  if (!isWhole && objectIds.some((id) => !byObject.has(id))) throw unavailable();
  return byObject;
}

/** Returns the last deletion of each of some objects, by their ids: those that can be read, if the ledger fails. */
export async function findDeletions(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  if (objectIds.length === 0) return new Map();
  await forwardHistory(deps, workspaceId);
  const entries = await ifAvailable(deps, () => deps.ledger(workspaceId).listDeletions(objectIds));
  return new Map((entries ?? []).map((entry) => [entry.object.id, entry]));
}

/** Returns a page of entries as they are stored. It may be short or empty and still have a next one. */
const readPage = async (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  filter: HistoryFilter,
  after: string | null,
  limit: number,
): Promise<HistoryPage> =>
  (await ifKnown(deps.ledger(workspaceId).listHistory(filter, after, limit))) ?? noHistory;

/** The history of a ledger that doesn't keep it yet. */
const noHistory: HistoryPage = { items: [], next: null };

function requireVisible(context: WorkspaceContext | Member, kind: HistoryKind): void {
  if (isKey(context) && !historyOfKeys.includes(kind)) throw onlyPeople();
  requirePermission(context, historyPermissions[kind]);
}

type Filters = Omit<HistoryQuery, "cursor" | "limit">;

/** @throws forbidden for a kind that the caller may not see; the others are left out of a list of all kinds */
function filterOf(
  context: WorkspaceContext | Member,
  { object, kind, to, ...filters }: Filters,
): HistoryFilter {
  if (kind !== undefined) requireVisible(context, kind);
  const seen = isKey(context)
    ? historyOfKeys
    : HistoryKind.options.filter((each) => !("role" in context) || may(context, historyPermissions[each]));
  const kinds = kind === undefined ? (seen.length === HistoryKind.options.length ? undefined : seen) : [kind];
  return { ...filters, objectId: object?.toLowerCase(), kinds, until: to };
}

async function toList(
  deps: Deps,
  context: WorkspaceContext,
  filter: HistoryFilter,
  cursor: string | undefined,
  limit: number,
): Promise<HistoryList> {
  const after = parseCursor(cursor, filter);
  const isWhole = await forwardHistory(deps, context.workspaceId);
  const page = await readPage(deps, context, filter, after, limit);
  return {
    items: page.items.map((entry) => presentEntry(context, entry)),
    nextCursor: page.next === null ? null : writeCursor(page.next, filter),
    newestFollow: !isWhole,
  };
}

/** Converts an entry to the API's resource, as the caller may see it. */
export function presentEntry(context: WorkspaceContext, entry: HistoryEntry): Entry {
  const { id, action, actor, object, changes, leftOut, jobId, revertOf } = entry;
  const { via, requestId, client = null } = actor;
  return {
    id,
    at: new Date(timeOfId(id)).toISOString(),
    action,
    actor: isKey(context) ? withoutAddress(presentActor(actor)) : presentActor(actor),
    via,
    client,
    requestId,
    object,
    changes: Object.fromEntries(
      Object.entries(changes).map(([field, [before, after]]) => [field, { before, after }]),
    ),
    valuesLeftOut: leftOut ?? false,
    jobId: jobId ?? null,
    revertOf: revertOf ?? null,
  };
}

/** Hides an email address, which stands for the name of people who have none. */
const withoutAddress = (actor: Entry["actor"]): Entry["actor"] =>
  actor.kind === "person" && actor.name.includes("@") ? { ...actor, name: "Someone" } : actor;

/** Returns who made a change, without how. */
export const presentActor = ({ kind, id, name }: HistoryEntry["actor"]): Entry["actor"] => ({
  kind,
  id,
  name,
});
