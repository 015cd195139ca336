import type { Suspension } from "../contract/resources/suspension.ts";
import { assignmentsOf, changeEventSql } from "./code-events.ts";
import { readSuspension } from "./route-sources.ts";

/**
 * Suspensions by the operator, who may suspend what belongs to any workspace, so no function takes an owner. What is
 * deleted can be suspended until it is erased, because its owner may restore it. Equal values change nothing.
 */

/** A suspension, or null to lift it; and when it is set, epoch milliseconds. */
export interface SuspensionChange {
  readonly suspended: Suspension | null;
  readonly at: number;
}

/** What was to be suspended, after the change. */
export interface SuspendedRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly suspended: Suspension | null;
}

/** The event that reports a code's suspension to its owner's webhooks. */
export interface SuspensionEvent {
  readonly eventId: string;
  readonly scanOrigin: string;
}

export interface SuspendedCode extends SuspendedRow {
  readonly hash: string;
  readonly isEventStored: boolean;
}

/** The condition that a suspension in ?2 is new. Its time does not count. */
const differs = (alias: string) =>
  `(${alias}.suspended->>'reason' IS NOT ?2->>'reason' OR ${alias}.suspended->>'legalOrder' IS NOT ?2->>'legalOrder')`;

/**
 * Sets or lifts a code's suspension, with its event.
 * @param by what `value` is
 * @returns undefined when there is no such code
 */
export async function setCodeSuspension(
  db: D1Database,
  { by, value }: { readonly by: "id" | "hash"; readonly value: string },
  change: SuspensionChange,
  { eventId, scanOrigin }: SuspensionEvent,
): Promise<SuspendedCode | undefined> {
  const isChangeable = `c.${by} = ?1 AND c.erased_at IS NULL AND ${differs("c")}`;
  const { at } = change;
  const suspended = toColumn(change);
  // The event comes before the update, so that both compare with the old row. The owner of a deleted code gets none.
  const [event, , select] = await db.batch<{
    id: string;
    hash: string;
    workspaceId: string;
    suspended: string;
  }>([
    db
      .prepare(
        changeEventSql({
          kind: "qr.updated",
          values: newValues,
          condition: `${isChangeable} AND c.deleted_at IS NULL`,
          changed: `'["suspended"]'`,
          parameters: { eventId: "?4", origin: "?5", at: "?3" },
        }),
      )
      .bind(value, suspended, at, eventId, scanOrigin),
    db.prepare(`UPDATE qr_codes AS c SET ${assignments} WHERE ${isChangeable}`).bind(value, suspended, at),
    db
      .prepare(
        `SELECT c.id, c.hash, c.workspace_id AS workspaceId, c.suspended FROM qr_codes c
         WHERE c.${by} = ? AND c.erased_at IS NULL`,
      )
      .bind(value),
  ]);
  const [row] = select?.results ?? [];
  return (
    row && { ...row, suspended: readSuspension(row.suspended), isEventStored: event?.results.length === 1 }
  );
}

/** The new values of a suspended code or page. */
const newValues = { version: "c.version + 1", suspended: "?2", updated_at: "?3" };

const assignments = assignmentsOf(newValues);

/** Sets or lifts a hosted page's suspension. @returns undefined when there is no such page */
export async function setPageSuspension(
  db: D1Database,
  id: string,
  change: SuspensionChange,
): Promise<SuspendedRow | undefined> {
  return readSuspended(
    await db.batch<SuspendedResult>([
      db
        .prepare(
          `UPDATE pages AS c SET ${assignments} WHERE c.id = ?1 AND c.erased_at IS NULL AND ${differs("c")}`,
        )
        .bind(id, toColumn(change), change.at),
      db
        .prepare(
          "SELECT id, workspace_id AS workspaceId, suspended FROM pages WHERE id = ? AND erased_at IS NULL",
        )
        .bind(id),
    ]),
  );
}

/** Sets or lifts a workspace's suspension. @returns undefined for an unknown id */
export async function setWorkspaceSuspension(
  db: D1Database,
  id: string,
  change: SuspensionChange,
): Promise<SuspendedRow | undefined> {
  return readSuspended(
    await db.batch<SuspendedResult>([
      db
        .prepare(
          `UPDATE workspaces AS w SET suspended = ?2, suspension_version = w.suspension_version + 1,
             suspension_changed_at = ?3
           WHERE w.id = ?1 AND ${differs("w")}`,
        )
        .bind(id, toColumn(change), change.at),
      db.prepare("SELECT id, id AS workspaceId, suspended FROM workspaces WHERE id = ?").bind(id),
    ]),
  );
}

interface SuspendedResult extends Omit<SuspendedRow, "suspended"> {
  readonly suspended: string | null;
}

function readSuspended(results: readonly D1Result<SuspendedResult>[]): SuspendedRow | undefined {
  const [row] = results.at(-1)?.results ?? [];
  return row && { ...row, suspended: readSuspension(row.suspended) };
}

const toColumn = ({ suspended }: SuspensionChange): string | null =>
  suspended === null ? null : JSON.stringify(suspended);
