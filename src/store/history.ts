import type { HistoryKind } from "../contract/resources/history/history.ts";
import { timeOfId } from "../lib/text/ids.ts";
import { bounds } from "../protocol/bounds.ts";
import { type Changes, type HistoryEntry, isGuarded, type OutboxHistory } from "../protocol/history.ts";

/** The history that is still in the outbox, on its way to the workspace's ledger. */

/** SQL: whether the outbox has room for the values of a change in the workspace `w`. */
export const valuesFit = `w.waiting_bytes < ${bounds.outbox.values}`;

/**
 * SQL: whether it has room for the change at all. Without it, a change is made, but not recorded. Where webhooks may wait
 * for its event, there is far more room.
 */
export const changeFits = `w.waiting_bytes < iif(w.has_webhooks, ${bounds.outbox.events}, ${bounds.outbox.changes})`;

/** SQL: whether it has room for a change that only admins make. */
export const guardedFit = `w.waiting_bytes < ${bounds.outbox.guarded}`;

/** Returns SQL for an entry as the outbox of the workspace `w` takes it. @param entry SQL for its JSON */
export const fittedEntry = (entry: string): string =>
  `iif(${valuesFit} OR ${entry}->'changes' = '{}', ${entry},
     json_set(${entry}, '$.changes', json('{}'), '$.leftOut', json('true')))`;

/**
 * Returns a statement that adds an entry to the history, if the statement right before it in the batch has changed
 * something.
 */
export function historyStatement(
  db: D1Database,
  workspaceId: string,
  { id, ...entry }: HistoryEntry,
): D1PreparedStatement {
  const [fitted, fits] = isGuarded(entry.object.kind) ? ["?3", guardedFit] : [fittedEntry("?3"), changeFits];
  return db
    .prepare(
      `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
       SELECT ?1, w.id, '', '{}', ${fitted}, ?4 FROM workspaces w WHERE w.id = ?2 AND changes() > 0 AND ${fits}`,
    )
    .bind(id, workspaceId, JSON.stringify(entry), timeOfId(id));
}

/**
 * Returns a statement that adds an entry for each of some objects.
 * @param rows SQL with the columns `workspace_id`, and as JSON `object` and `changes`
 * @param values of the parameters in `rows`, from `?1` on
 */
export function historyOfEach(
  db: D1Database,
  { id, ...entry }: Pick<HistoryEntry, "v" | "id" | "action" | "actor">,
  rows: string,
  ...values: readonly (string | number)[]
): D1PreparedStatement {
  const [event, at, json] = [1, 2, 3].map((n) => `?${values.length + n}`);
  return db
    .prepare(
      `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
       SELECT substr(${event}, 1, 24) || lower(hex(randomblob(6))), workspace_id, '', '{}',
         json_set(${json}, '$.object', json(object), '$.changes', json(changes)), ${at} FROM (${rows})`,
    )
    .bind(...values, id, timeOfId(id), JSON.stringify(entry));
}

/**
 * Returns the SQL of a statement that erases the values of objects from their history.
 * @param ids SQL for the ids of the objects, which are in this table
 * @param event SQL for a UUIDv7 and its time, epoch milliseconds
 */
export const eraseHistory = (
  kind: HistoryKind,
  table: string,
  ids: string,
  event: { readonly id: string; readonly at: string },
): string =>
  `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
   SELECT substr(${event.id}, 1, 24) || lower(hex(randomblob(6))), workspace_id, '', '{}',
     json_object('erased', json_object('kind', '${kind}', 'id', id)), ${event.at}
   FROM ${table} WHERE id IN (${ids})`;

/** A row of the outbox that carries history. */
interface HistoryRow {
  readonly id: string;
  readonly data: string;
  readonly history: string;
}

/** Returns the entry in a row of the outbox, or the object whose values it erases. */
export function readHistory({
  id,
  data,
  history,
}: HistoryRow): HistoryEntry | Extract<OutboxHistory, { erased: unknown }> {
  const stored = JSON.parse(history) as OutboxHistory;
  if ("erased" in stored) return stored;
  return { ...stored, id, changes: stored.changes ?? creationOf(JSON.parse(data)) };
}

/** Fields of a resource that its history needn't repeat. */
const selfEvident = new Set(["id", "scanUrl", "createdAt", "updatedAt", "readability", "scanOriginOnly"]);

/** Returns the changes by which something new got its values. @param resource as the API shows it */
export function creationOf(resource: object): Changes {
  const given = Object.entries(resource).filter(
    ([name, value]) =>
      !selfEvident.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given.map(([name, value]) => [name, [null, value]]));
}
