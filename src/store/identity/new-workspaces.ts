import type { Plan } from "../../contract/plans.ts";
import { isChangedBy } from "../catalogue.ts";
import { foldedName } from "../codes/codes.ts";
import { mayOwnAnother } from "./members.ts";

/** Who may create a workspace. */
export interface Allowance {
  readonly everyone: boolean;
  /** Whether owners of a workspace may, unless it is suspended or being deleted. */
  readonly owners: boolean;
  /** The issuer whose users may create a first workspace; null for none. */
  readonly newcomersOf: string | null;
}

/** A one-time link of the operator for a new workspace, which is used up. */
export interface UsedLink {
  readonly digest: string;
}

const ownsSuspendedSql = (user: string): string =>
  `EXISTS (SELECT 1 FROM members m JOIN workspaces w ON w.id = m.workspace_id
    WHERE m.user_id = ${user} AND m.role = 'owner' AND w.suspended IS NOT NULL)`;

/** Returns whether a user owns a suspended workspace. Only a link of the operator lets them create another. */
export async function ownsSuspended(db: D1Database, userId: string): Promise<boolean> {
  const row = await db
    .prepare(`SELECT ${ownsSuspendedSql("?")} AS owns`)
    .bind(userId)
    .first<{ owns: number }>();
  return row?.owns === 1;
}

/** SQL: whether a user may create a workspace. @param by the SQL of an Allowance or a UsedLink as JSON */
const mayCreate = (user: string, by: string, now: string): string =>
  `(${by}->>'everyone' AND NOT ${ownsSuspendedSql(user)}
    OR ${by}->>'owners' AND NOT ${ownsSuspendedSql(user)} AND EXISTS (SELECT 1 FROM members m JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.user_id = ${user} AND m.role = 'owner' AND w.suspended IS NULL AND w.deletion IS NULL)
    OR EXISTS (SELECT 1 FROM users WHERE id = ${user} AND issuer = ${by}->>'newcomersOf')
      AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = ${user})
    OR EXISTS (SELECT 1 FROM sign_in_links
      WHERE digest = ${by}->>'digest' AND user_id IS NULL AND expires_at > ${now}))`;

/** Returns whether a user may create a workspace. */
export async function mayCreateWorkspace(
  db: D1Database,
  userId: string,
  allowance: Allowance,
): Promise<boolean> {
  const row = await db
    .prepare(`SELECT ${mayCreate("?1", "?2", "0")} AS may`)
    .bind(userId, JSON.stringify(allowance))
    .first<{ may: number | null }>();
  return row?.may === 1;
}

/**
 * Inserts a workspace that a user owns.
 * @returns false if they may not, or own `cap` already
 */
export async function insertWorkspace(
  db: D1Database,
  userId: string,
  workspace: { readonly id: string; readonly name: string; readonly plan: Plan },
  cap: number,
  by: Allowance | UsedLink,
  now: number,
): Promise<boolean> {
  const { id, name, plan } = workspace;
  return isChangedBy(
    db,
    db
      .prepare(
        `INSERT INTO workspaces (id, name, name_folded, plan, created_at) SELECT ?1, ?2, ?3, ?4, ?5
         WHERE ${mayOwnAnother("?6", "?7")} AND ${mayCreate("?6", "?8", "?5")} RETURNING id`,
      )
      .bind(id, name, foldedName(name), plan, now, userId, cap, JSON.stringify(by)),
    db
      .prepare(
        `INSERT INTO members (user_id, workspace_id, created_at, role)
         SELECT ?1, id, ?3, 'owner' FROM workspaces WHERE id = ?2`,
      )
      .bind(userId, id, now),
    db
      .prepare(
        "DELETE FROM sign_in_links WHERE digest = ?1->>'digest' AND EXISTS (SELECT 1 FROM workspaces WHERE id = ?2)",
      )
      .bind(JSON.stringify(by), id),
  );
}
