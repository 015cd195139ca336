import type { EventKind } from "../contract/resources/enums.ts";
import { assignmentsOf, changeEventSql } from "./code-events.ts";
import { type QrRow, qrRows } from "./code-columns.ts";
import { foldedName, type QrChanges, type QrMerges } from "./codes.ts";
import { changeSql, settableColumns, type Values } from "./settable-columns.ts";

/** The code to change, and the event that reports its change. */
export interface CodeChange {
  readonly id: string;
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly eventId: string;
  readonly scanOrigin: string;
}

export interface ChangedCode {
  /** The code after the change; a deleted one, if it was deleted before. */
  readonly row: QrRow;
  /** Whether anything differed, so that the change was stored. */
  readonly isChanged: boolean;
  readonly isEventStored: boolean;
  /** Whether a change of its route, by this request or an earlier one, may not have been published yet. */
  readonly isPublicationPending: boolean;
}

/** Colors of a row, by the property of `colorConfig`; null for one that it lacks. */
export type SeenColors = Readonly<Record<string, string | null>>;

/**
 * Sets the given fields and adds the event to the outbox, in one transaction. The database orders concurrent changes:
 * each is compared with the row that the one before has left, so none has to be tried again. Equal values change nothing.
 * Nor does a merge that exceeds the limit of free-form objects, or finds other colors than those it was judged with.
 * @param seenColors those with which the merged colors were judged
 * @returns undefined when the workspace has no such code
 */
export async function updateQr(
  db: D1Database,
  change: CodeChange,
  given: QrChanges & QrMerges,
  seenColors: SeenColors = {},
): Promise<ChangedCode | undefined> {
  return write(db, change, "qr.updated", given, seenColors);
}

/** Deletes a code in the same way. A code that is deleted already stays as it is. */
export async function deleteQr(db: D1Database, change: CodeChange): Promise<ChangedCode | undefined> {
  return write(db, change, "qr.deleted", { deletedAt: change.at });
}

async function write(
  db: D1Database,
  { id, workspaceId, at, eventId, scanOrigin }: CodeChange,
  kind: EventKind,
  given: Values,
  seenColors: SeenColors = {},
): Promise<ChangedCode | undefined> {
  const { event, update } = statementsOf(kind, Object.keys(given) as (keyof Values)[]);
  const values = JSON.stringify({ ...given, nameFolded: foldedName(given.name ?? null), seenColors });
  const run = (sql: string, ...more: string[]) => db.prepare(sql).bind(values, id, workspaceId, at, ...more);
  // The event comes before the update, so that both compare the values with the old row.
  const results = await db.batch<Record<string, unknown>>([
    run(event, eventId, scanOrigin),
    run(update),
    db.prepare(changedCodeSql).bind(id, workspaceId),
  ]);
  return readChangedCode(results);
}

/** Reads a code and whether a publication of it is pending. Its parameters are the ids of the code and the workspace. */
export const changedCodeSql = `
  SELECT ${qrRows.columns("c")}, EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = c.hash) AS is_pending
  FROM qr_codes c WHERE c.id = ?1 AND c.workspace_id = ?2`;

/** Reads the results of three statements: the event and the update, which return their ids, and `changedCodeSql`. */
export function readChangedCode(
  results: readonly D1Result<Record<string, unknown>>[],
): ChangedCode | undefined {
  const [event, update, select] = results;
  const [result] = select?.results ?? [];
  return (
    result && {
      row: qrRows.read(result),
      isChanged: update?.results.length === 1,
      isEventStored: event?.results.length === 1,
      isPublicationPending: result.is_pending === 1,
    }
  );
}

const settable = settableColumns("?1");

function statementsOf(kind: EventKind, names: readonly (keyof Values)[]): { event: string; update: string } {
  const { values, isChangeable, changed } = changeSql(settable, names, "?1", "?4");
  const condition = `c.id = ?2 AND c.workspace_id = ?3 AND ${isChangeable}`;
  return {
    event: changeEventSql({
      kind,
      values,
      condition,
      ...(kind === "qr.updated" ? { changed } : {}),
      parameters: { eventId: "?5", origin: "?6", at: "?4" },
    }),
    update: `UPDATE qr_codes AS c SET ${assignmentsOf(values)} WHERE ${condition} RETURNING id`,
  };
}
