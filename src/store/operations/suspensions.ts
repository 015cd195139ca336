import type { QrData } from "../../contract/resources/codes/qr-data.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { afterNewest, isChangedBy } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { readSuspension } from "../routing/route-sources.ts";

/**
 * Suspensions by the operator. No function takes an owner, because the operator may suspend what belongs to any
 * workspace. Codes and pages are suspended through their usual changes. Deleted ones can be suspended until they are
 * erased, because their owner may restore them. Equal values change nothing.
 */

/** A code or page of any workspace. */
interface Suspendable {
  readonly id: string;
  readonly workspaceId: string;
}

/** The code, page or workspace after the change. */
export interface SuspendedRow extends Suspendable {
  readonly suspended: Suspension | null;
}

/** A code or page with the name of its workspace. */
interface NamedSubject extends Suspendable {
  readonly workspaceName: string;
}

const subject = "s.id, s.workspace_id AS workspaceId, w.name AS workspaceName";

/** Returns the code with this id or hash; undefined for an erased one. */
export async function findCodeToSuspend(
  db: D1Database,
  { by, value }: { readonly by: "id" | "hash"; readonly value: string },
): Promise<(NamedSubject & { readonly hash: string; readonly data: QrData }) | undefined> {
  const row = await db
    .prepare(
      `SELECT ${subject}, s.hash, s.data FROM qr_codes s JOIN workspaces w ON w.id = s.workspace_id
       WHERE s.${by} = ? AND s.erased_at IS NULL`,
    )
    .bind(value)
    .first<NamedSubject & { readonly hash: string; readonly data: string }>();
  return row === null ? undefined : { ...row, data: JSON.parse(row.data) as QrData };
}

/** Returns the hosted page with this id; undefined for an erased one. */
export async function findPageToSuspend(
  db: D1Database,
  id: string,
): Promise<(NamedSubject & { readonly title: string }) | undefined> {
  const row = await db
    .prepare(
      `SELECT ${subject}, s.content->>'title' AS title FROM pages s JOIN workspaces w ON w.id = s.workspace_id
       WHERE s.id = ? AND s.erased_at IS NULL`,
    )
    .bind(id)
    .first<NamedSubject & { readonly title: string }>();
  return row ?? undefined;
}

/** Sets or lifts a workspace's suspension. @param at epoch milliseconds @returns false if it isn't `before` any more */
export async function setWorkspaceSuspension(
  db: D1Database,
  id: string,
  [before, after]: readonly [before: Suspension | null, after: Suspension | null],
  at: number,
  entry: HistoryEntry,
): Promise<boolean> {
  return isChangedBy(
    db,
    db
      .prepare(
        `UPDATE workspaces AS w SET suspended = ?2, suspension_version = w.suspension_version + 1,
           suspension_changed_at = ?3
         WHERE w.id = ?1 AND w.suspended IS ?4 RETURNING id`,
      )
      .bind(id, after && JSON.stringify(after), at, before && JSON.stringify(before)),
    historyStatement(db, id, entry),
  );
}

/** A suspended code, page, domain or workspace, with its workspace. */
export interface SuspensionRow extends Suspendable {
  readonly kind: "code" | "page" | "domain" | "workspace";
  readonly workspaceName: string;
  /** Of a code; null for the others. */
  readonly hash: string | null;
  /** A code's name, a page's title, a domain's host or a workspace's name. */
  readonly name: string | null;
  readonly suspended: Suspension | null;
}

/** Returns what is suspended, newest code, page, domain or workspace first, after the id `after`. */
export async function listSuspensions(
  db: D1Database,
  after: string | null,
  limit: number,
): Promise<SuspensionRow[]> {
  const among = (kind: SuspensionRow["kind"], table: string, columns: string, isListed = "true") =>
    `SELECT * FROM (SELECT '${kind}' AS kind, id, ${columns}, suspended FROM ${table}
       WHERE suspended IS NOT NULL AND ${isListed} AND id < ?1 ORDER BY id DESC LIMIT ?2)`;
  const { results } = await db
    .prepare(
      `SELECT found.*, w.name AS workspaceName FROM (
         ${among("code", "qr_codes", "workspace_id AS workspaceId, hash, name")}
         UNION ALL ${among("page", "pages", "workspace_id AS workspaceId, NULL AS hash, content->>'title' AS name")}
         UNION ALL ${among(
           "domain",
           "domains",
           "workspace_id AS workspaceId, NULL AS hash, host AS name",
           "proved_at IS NOT NULL AND deleted_at IS NULL",
         )}
         UNION ALL ${among("workspace", "workspaces", "id AS workspaceId, NULL AS hash, name")}) found
       JOIN workspaces w ON w.id = found.workspaceId ORDER BY found.id DESC LIMIT ?2`,
    )
    .bind(after ?? afterNewest, limit)
    .all<Omit<SuspensionRow, "suspended"> & { suspended: string }>();
  return results.map((row) => ({ ...row, suspended: readSuspension(row.suspended) }));
}
