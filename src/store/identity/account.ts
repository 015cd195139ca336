import { newId } from "../../lib/text/ids.ts";
import type { Actor } from "../../protocol/history.ts";
import { historyOfEach } from "../history.ts";
import { revokedInvitation } from "./members.ts";

/** Deleting a person's account. */

/** A workspace with a person as its only owner. */
export interface SoleWorkspace {
  readonly id: string;
  readonly name: string;
  /** Its other members. */
  readonly others: number;
}

/** Returns the workspaces that have a person as their only owner and aren't being deleted. */
export async function listSoleWorkspaces(db: D1Database, userId: string): Promise<SoleWorkspace[]> {
  const { results } = await db
    .prepare(
      `SELECT w.id, w.name,
         (SELECT count(*) FROM members other WHERE other.workspace_id = w.id AND other.user_id <> ?1) AS others
       FROM members me JOIN workspaces w ON w.id = me.workspace_id WHERE ${isSoleOwner} ORDER BY w.id`,
    )
    .bind(userId)
    .all<SoleWorkspace>();
  return results;
}

/** SQL: whether `me` is the only owner of the workspace `w`, which isn't being deleted. */
const isSoleOwner = `me.user_id = ?1 AND me.role = 'owner' AND w.deletion IS NULL AND NOT EXISTS
  (SELECT 1 FROM members owner WHERE owner.workspace_id = w.id AND owner.role = 'owner' AND owner.user_id <> ?1)`;

/** SQL: whether the user may be deleted: they are the only owner of no workspace. */
const mayGo = `NOT EXISTS (SELECT 1 FROM members me JOIN workspaces w ON w.id = me.workspace_id WHERE ${isSoleOwner})`;

/**
 * Deletes a person with everything that belongs to them alone, unless they are the only owner of a workspace that isn't
 * being deleted. Keys that they created keep working.
 * @param actor the person
 * @param now epoch milliseconds
 * @returns whether they are deleted
 */
export async function deleteUser(
  db: D1Database,
  userId: string,
  actor: Actor,
  now: number,
): Promise<boolean> {
  const record = (action: "member.removed" | "invitation.revoked", rows: string) =>
    historyOfEach(db, { v: 1, id: newId(now), action, actor }, `${rows} AND ${mayGo}`, userId);
  const isGone = "NOT EXISTS (SELECT 1 FROM members WHERE user_id = ?1)";
  const deleteFrom = (table: string, column = "user_id") =>
    db.prepare(`DELETE FROM ${table} WHERE ${column} = ?1 AND ${isGone}`).bind(userId);
  const results = await db.batch([
    record(
      "member.removed",
      `SELECT m.workspace_id, json_object('kind', 'member', 'id', u.id, 'name', coalesce(u.name, u.email)) AS object,
         json_object('role', json_array(m.role, NULL)) AS changes
       FROM members m JOIN users u ON u.id = m.user_id WHERE m.user_id = ?1`,
    ),
    record("invitation.revoked", `SELECT ${revokedInvitation} FROM invitations WHERE invited_by = ?1`),
    db.prepare(`DELETE FROM members WHERE user_id = ?1 AND ${mayGo}`).bind(userId),
    deleteFrom("saved_lists", "owner_id"),
    deleteFrom("invitations", "invited_by"),
    deleteFrom("sessions"),
    deleteFrom("passkeys"),
    deleteFrom("sign_in_links"),
    deleteFrom("users", "id"),
  ]);
  return results.at(-1)?.meta.changes === 1;
}
