import {
  type HistoryEntry as Entry,
  type HistoryExportQuery,
  HistoryKind,
  type HistoryList,
  historyPermissions,
  type HistoryQuery,
  type ObjectHistoryQuery,
} from "../../contract/resources/history/history.ts";
import { limits } from "../../contract/limits.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import type { HistoryEntry, HistoryFilter, HistoryPage, ObjectRef } from "../../protocol/history.ts";
import {
  findPendingHistory,
  listPendingDeletions,
  listPendingHistory,
  listPendingJobHistory,
} from "../../store/history.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import type { Member, WorkspaceContext } from "../context/context.ts";
import { ifAvailable, ifKnown } from "../ledger.ts";
import { parseCursor } from "../paging.ts";
import { may, requirePermission } from "../context/permissions.ts";

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

/** Streams the workspace's history as NDJSON, newest first. @throws rate_limited for too many exports */
export async function exportHistory(
  deps: Deps,
  context: WorkspaceContext,
  query: HistoryExportQuery,
): Promise<AsyncIterable<Uint8Array>> {
  return leaseExport(deps, context, exportLines(deps, context, filterOf(context, query)));
}

async function* exportLines(deps: Deps, context: WorkspaceContext, filter: HistoryFilter) {
  let after: string | null = null;
  do {
    const page: HistoryPage = await readPage(deps, context, filter, after, limits.historyList.max);
    yield page.items.map((entry) => `${JSON.stringify(presentEntry(entry))}\n`).join("");
    after = page.next;
  } while (after !== null);
}

/** Returns an entry of the workspace's history, wherever it is stored. @throws not_found */
export async function findHistoryEntry(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<HistoryEntry> {
  // First, because entries move from the outbox to the ledger.
  const pending = await findPendingHistory(deps.db, workspaceId, id);
  return requireFound(
    pending ?? (await ifKnown(deps.ledger(workspaceId).findHistory(id))),
    "Entry of the history",
  );
}

/** Returns what a bulk job did to some objects, by their ids. It changes each once. */
export async function findJobEntries(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  jobId: string,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  // First, because entries move from the outbox to the ledger.
  const pending = await listPendingJobHistory(deps.db, workspaceId, jobId, objectIds);
  const stored = (await ifKnown(deps.ledger(workspaceId).listJobHistory(jobId, objectIds))) ?? [];
  return new Map([...stored, ...pending].map((entry) => [entry.object.id, entry]));
}

/** Returns the last deletion of each of some objects, by their ids: those that can be read, if the ledger fails. */
export async function findDeletions(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  if (objectIds.length === 0) return new Map();
  // First, because entries move from the outbox to the ledger.
  const pending = await listPendingDeletions(deps.db, workspaceId, objectIds);
  const stored = await ifAvailable(deps, () => deps.ledger(workspaceId).listDeletions(objectIds));
  const entries = [...(stored ?? []), ...pending].sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map(entries.map((entry) => [entry.object.id, entry]));
}

/**
 * Returns a page of entries as they are stored, newest first, after the id `after`: those in the outbox and those in the
 * ledger. A page may be short or empty and still have a next one.
 */
async function readPage(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  filter: HistoryFilter,
  after: string | null,
  limit: number,
): Promise<HistoryPage> {
  // First, because entries move from the outbox to the ledger.
  const pending = await listPendingHistory(deps.db, workspaceId, filter, after, limit + 1);
  const stored = (await ifKnown(deps.ledger(workspaceId).listHistory(filter, after, limit + 1))) ?? noHistory;
  const lastPending = pending.length > limit ? (pending.at(-1)?.id ?? "") : "";
  // Between this id and the end, only one of both has been read.
  const floor = lastPending > (stored.next ?? "") ? lastPending : (stored.next ?? "");
  const byId = new Map([...stored.items, ...pending].map((entry) => [entry.id, entry]));
  const known = [...byId.values()].filter(({ id }) => id >= floor).sort((a, b) => (a.id < b.id ? 1 : -1));
  const items = known.slice(0, limit);
  const last = known.length > limit ? items.at(-1)?.id : undefined;
  return { items, next: last ?? (floor === "" ? null : floor) };
}

/** The history of a ledger that doesn't keep it yet. */
const noHistory: HistoryPage = { items: [], next: null };

type Filters = Omit<HistoryQuery, "cursor" | "limit">;

/** @throws forbidden for a kind that the person's role may not see; the others are left out of a list of all kinds */
function filterOf(
  context: WorkspaceContext | Member,
  { object, kind, to, ...filters }: Filters,
): HistoryFilter {
  if (kind !== undefined) requirePermission(context, historyPermissions[kind]);
  const seen = HistoryKind.options.filter(
    (each) => !("role" in context) || may(context, historyPermissions[each]),
  );
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
  const page = await readPage(deps, context, filter, parseCursor(cursor, filter), limit);
  return {
    items: page.items.map(presentEntry),
    nextCursor: page.next === null ? null : writeCursor(page.next, filter),
  };
}

/** Converts an entry to the API's resource. */
export function presentEntry(entry: HistoryEntry): Entry {
  const { id, action, actor, object, changes, leftOut, jobId, revertOf } = entry;
  const { via, requestId } = actor;
  return {
    id,
    at: new Date(timeOfId(id)).toISOString(),
    action,
    actor: presentActor(actor),
    via,
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

/** Returns who made a change, without how. */
export const presentActor = ({ kind, id, name }: HistoryEntry["actor"]): Entry["actor"] => ({
  kind,
  id,
  name,
});
