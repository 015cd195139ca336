/** Deleting a person's account. */

/** A workspace of which a person is the only owner. */
export interface SoleWorkspace {
  readonly id: string;
  readonly name: string;
  /** Its other members. */
  readonly others: number;
}

/** Returns the workspaces of which a person is the only owner and that aren't being deleted. */
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

/**
 * Deletes a person with everything that belongs to them alone, unless they are the only owner of a workspace that isn't
 * being deleted. Keys that they created go on.
 * @returns whether they are deleted
 */
export async function deleteUser(db: D1Database, userId: string): Promise<boolean> {
  const isGone = "NOT EXISTS (SELECT 1 FROM members WHERE user_id = ?1)";
  const deleteFrom = (table: string, column = "user_id") =>
    db.prepare(`DELETE FROM ${table} WHERE ${column} = ?1 AND ${isGone}`).bind(userId);
  const results = await db.batch([
    db
      .prepare(
        `DELETE FROM members WHERE user_id = ?1 AND NOT EXISTS
           (SELECT 1 FROM members me JOIN workspaces w ON w.id = me.workspace_id WHERE ${isSoleOwner})`,
      )
      .bind(userId),
    deleteFrom("invitations", "invited_by"),
    deleteFrom("sessions"),
    deleteFrom("passkeys"),
    deleteFrom("sign_in_links"),
    deleteFrom("users", "id"),
  ]);
  return results.at(-1)?.meta.changes === 1;
}
