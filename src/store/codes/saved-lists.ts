import { limits } from "../../contract/limits.ts";
import type { SavedList } from "../../contract/resources/codes/saved-lists.ts";
import { naturalOrder } from "../../lib/text/natural-order.ts";
import { deleteSurplus } from "../deleted.ts";
import { isAddition, isSet, resourceKind } from "../resources/kind.ts";
import { savedLists } from "../schema/saved-lists.ts";

export type SavedListRow = typeof savedLists.$inferSelect;

/** The owner of lists that a whole workspace has. */
export const everyone = "";

/** Saved lists as resources. */
export const savedListKind = resourceKind(
  savedLists,
  {
    ...{ id: {}, workspaceId: {}, ownerId: {}, name: {}, nameOrder: { reported: null }, filter: {} },
    ...{ sort: {}, order: {}, columns: {}, createdAt: {}, updatedAt: {}, deletedAt: {}, version: {} },
  },
  {
    conditions: {
      room: {
        of: (change) => (isAddition(change) || isSet(change, "ownerId") ? change.after.ownerId : undefined),
        sql: (owner) => `(w.suspended IS NULL AND s.key + 1 +
          (SELECT count(*) FROM saved_lists WHERE workspace_id = w.id AND owner_id = ${owner} AND deleted_at IS NULL)
          <= iif(${owner} = '', ${limits.savedLists.workspace}, ${limits.savedLists.person}))`,
      },
    },
    sideEffects: (db, change) => {
      const { workspaceId, deletedAt } = change.after;
      return isSet(change, "deletedAt") && deletedAt !== null
        ? deleteSurplus(db, "saved_lists", workspaceId, deletedAt)
        : [];
    },
  },
);

/** Returns the columns of a list's name. */
export const listNameColumns = (name: string): Pick<SavedListRow, "name" | "nameOrder"> => ({
  name,
  nameOrder: naturalOrder(name),
});

/** Converts a row to the API's resource. */
export const presentSavedList = (row: SavedListRow): SavedList => ({
  id: row.id,
  name: row.name,
  shared: row.ownerId === everyone,
  filter: row.filter,
  sort: row.sort,
  order: row.order,
  columns: [...row.columns],
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
});

const columns = savedListKind.rows.columns("l");

/** Returns a workspace's lists and those of a person in it, by name. @param userId empty for nobody's */
export async function listSavedLists(
  db: D1Database,
  workspaceId: string,
  userId: string,
): Promise<SavedListRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${columns} FROM json_each(?2) o CROSS JOIN saved_lists l
       WHERE l.workspace_id = ?1 AND l.owner_id = o.value AND l.deleted_at IS NULL ORDER BY l.name_order, l.id`,
    )
    .bind(workspaceId, JSON.stringify([...new Set([everyone, userId])]))
    .all();
  return results.map(savedListKind.rows.read);
}

/** Returns a list that isn't deleted, by id: the workspace's, or the person's own. */
export async function findSavedList(
  db: D1Database,
  workspaceId: string,
  userId: string,
  id: string,
): Promise<SavedListRow | undefined> {
  const row = await db
    .prepare(
      `SELECT ${columns} FROM saved_lists l
       WHERE l.id = ?3 AND l.workspace_id = ?1 AND l.owner_id IN ('', ?2) AND l.deleted_at IS NULL`,
    )
    .bind(workspaceId, userId, id)
    .first();
  return row === null ? undefined : savedListKind.rows.read(row);
}

/** A saved list in the navigation. */
export interface ListedList {
  readonly id: string;
  readonly name: string;
}

/** SQL of the first lists of workspace ?1 and of the person ?2, by name; at most ?3 of each. */
export const namedListsSql = `SELECT id, name FROM (
    SELECT * FROM (SELECT l.id, l.name, l.name_order FROM saved_lists l
      WHERE l.workspace_id = ?1 AND l.owner_id = '' AND l.deleted_at IS NULL ORDER BY l.name_order, l.id LIMIT ?3)
    UNION ALL
    SELECT * FROM (SELECT l.id, l.name, l.name_order FROM saved_lists l
      WHERE l.workspace_id = ?1 AND l.owner_id = ?2 AND ?2 <> '' AND l.deleted_at IS NULL
      ORDER BY l.name_order, l.id LIMIT ?3)
  ) ORDER BY name_order, id`;

/** Returns the statement that deletes a person's lists in a workspace, of which they are no longer a member. */
export const deleteListsOf = (db: D1Database, workspaceId: string, userId: string): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM saved_lists WHERE owner_id = ?2 AND owner_id <> '' AND workspace_id = ?1
         AND NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = ?1 AND m.user_id = ?2)`,
    )
    .bind(workspaceId, userId);
