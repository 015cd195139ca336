import type { Suspension } from "../../contract/resources/suspension.ts";
import { readSuspension } from "../routing/route-sources.ts";

/**
 * Suspensions by the operator, who may suspend what belongs to any workspace, so no function takes an owner; a code's is stored as other changes of it are. What is
 * deleted can be suspended until it is erased, because its owner may restore it. Equal values change nothing.
 */

/** A suspension, or null to lift it; and when it is set, epoch milliseconds. */
export interface SuspensionChange {
  readonly suspended: Suspension | null;
  readonly at: number;
}

/** The code, page or workspace after the change. */
export interface SuspendedRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly suspended: Suspension | null;
}

/** The condition that a suspension in ?2 is new. Its time does not count. */
const differs = (alias: string) =>
  `(${alias}.suspended->>'reason' IS NOT ?2->>'reason' OR ${alias}.suspended->>'legalOrder' IS NOT ?2->>'legalOrder')`;

/** The code with this id or hash, of any workspace; undefined for an erased one. */
export async function findCodeToSuspend(
  db: D1Database,
  { by, value }: { readonly by: "id" | "hash"; readonly value: string },
): Promise<{ readonly id: string; readonly workspaceId: string } | undefined> {
  const row = await db
    .prepare(`SELECT id, workspace_id AS workspaceId FROM qr_codes WHERE ${by} = ? AND erased_at IS NULL`)
    .bind(value)
    .first<{ id: string; workspaceId: string }>();
  return row ?? undefined;
}

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
          `UPDATE pages AS c SET version = c.version + 1, suspended = ?2, updated_at = ?3
           WHERE c.id = ?1 AND c.erased_at IS NULL AND ${differs("c")}`,
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
