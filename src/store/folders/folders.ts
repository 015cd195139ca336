import { and, eq, isNull } from "drizzle-orm";
import type { Folder } from "../../contract/resources/codes/folders.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { naturalOrder } from "../../lib/text/natural-order.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isAmong, isChangedBy, isNotSuspended } from "../catalogue.ts";
import { foldedName } from "../codes/codes.ts";
import { deleteSurplus } from "../deleted.ts";
import { historyStatement } from "../history.ts";
import { filterOwnedIds } from "../owned-ids.ts";
import { rowReader } from "../rows.ts";
import { folders } from "../schema/workspaces.ts";

type FolderRow = typeof folders.$inferSelect;

/** Converts a row to the API's resource. */
export const presentFolder = (row: NewFolder): Folder => ({
  id: row.id,
  name: row.name,
  createdAt: new Date(row.createdAt).toISOString(),
});

/** Returns the workspace's folders, oldest first. */
export async function listFolders(db: D1Database, workspaceId: string): Promise<Folder[]> {
  const { results } = await db.prepare(listSql).bind(workspaceId).all();
  return results.map((result) => presentFolder(rows.read(result)));
}

const rows = rowReader(folders);

const listSql = `SELECT ${rows.columns("f")} FROM folders f
  WHERE f.workspace_id = ? AND f.deleted_at IS NULL ORDER BY f.id`;

/** A folder in lists and links. */
export interface ListedFolder extends Folder {
  /** Whether an older folder has the same name, ignoring case. */
  readonly isNamesake: boolean;
}

const listedColumns = `f.id, f.name, f.created_at AS createdAt, f.name_order AS nameOrder, EXISTS (
  SELECT 1 FROM folders o WHERE o.workspace_id = f.workspace_id AND o.name_order = f.name_order AND o.id < f.id
    AND o.deleted_at IS NULL
) AS isNamesake`;

interface ListedRow extends Pick<FolderRow, "id" | "name" | "createdAt" | "nameOrder"> {
  readonly isNamesake: 0 | 1;
}

const presentListed = ({ id, name, createdAt, isNamesake }: ListedRow): ListedFolder => ({
  id,
  name,
  createdAt: new Date(createdAt).toISOString(),
  isNamesake: isNamesake === 1,
});

/** Returns the workspace's folders by id, in no particular order. */
export async function findFolders(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ListedFolder[]> {
  if (ids.length === 0) return [];
  const { results } = await db
    .prepare(
      `SELECT ${listedColumns} FROM json_each(?1) i CROSS JOIN folders f ON f.id = i.value
       WHERE f.workspace_id = ?2 AND f.deleted_at IS NULL`,
    )
    .bind(JSON.stringify(ids), workspaceId)
    .all<ListedRow>();
  return results.map(presentListed);
}

/** A folder's position in the order by name. */
export interface FolderPosition {
  readonly nameOrder: string;
  readonly id: string;
}

/**
 * Returns the workspace's folders by name, with their positions.
 * @param words that the name must contain; searching for words reads all of the workspace's folders
 * @param after the position that the first one follows
 */
export async function searchFolders(
  db: D1Database,
  workspaceId: string,
  words: readonly string[],
  after: FolderPosition | null,
  limit: number,
): Promise<(ListedFolder & FolderPosition)[]> {
  const { results } = await db
    .prepare(
      `SELECT ${listedColumns} FROM folders f
       WHERE f.workspace_id = ?1 AND f.deleted_at IS NULL AND (f.name_order, f.id) > (?2, ?3) AND NOT EXISTS (
         SELECT 1 FROM json_each(?4) w WHERE instr(coalesce(f.name_folded, upper(f.name)), w.value) = 0)
       ORDER BY f.name_order, f.id LIMIT ?5`,
    )
    .bind(
      workspaceId,
      after?.nameOrder ?? "",
      after?.id ?? "",
      JSON.stringify(words.map((word) => foldCase(word))),
      limit,
    )
    .all<ListedRow>();
  return results.map((row) => ({ ...presentListed(row), nameOrder: row.nameOrder }));
}

/** Returns the workspace's newest folders. */
export async function listNewestFolders(
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<ListedFolder[]> {
  const { results } = await db
    .prepare(
      `SELECT ${listedColumns} FROM folders f WHERE f.workspace_id = ?1 AND f.deleted_at IS NULL
       ORDER BY f.id DESC LIMIT ?2`,
    )
    .bind(workspaceId, limit)
    .all<ListedRow>();
  return results.map(presentListed);
}

/** Returns folder ids by the `naturalOrder` of their names; for equal names, the oldest folder's. */
export async function findFolderIdsByName(
  db: D1Database,
  workspaceId: string,
  nameOrders: readonly string[],
): Promise<Map<string, string>> {
  if (nameOrders.length === 0) return new Map();
  const { results } = await db
    .prepare(
      `SELECT n.value AS nameOrder, (SELECT f.id FROM folders f
         WHERE f.workspace_id = ?2 AND f.name_order = n.value AND f.deleted_at IS NULL ORDER BY f.id LIMIT 1) AS id
       FROM json_each(?1) n`,
    )
    .bind(JSON.stringify(nameOrders), workspaceId)
    .all<{ nameOrder: string; id: string | null }>();
  return new Map(results.flatMap(({ nameOrder, id }) => (id === null ? [] : [[nameOrder, id] as const])));
}

/** Counts the live codes in folders of the workspace. @param most the highest count per folder */
export async function countCodesInFolders(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
  most: number,
): Promise<Map<string, number>> {
  const { results } = await db
    .prepare(
      `SELECT f.value AS id, (SELECT count(*) FROM (SELECT 1 FROM qr_codes c
         WHERE c.workspace_id = ?1 AND c.folder_id = f.value AND c.deleted_at IS NULL LIMIT ?2 + 1)) AS codes
       FROM json_each(?3) f`,
    )
    .bind(workspaceId, most, JSON.stringify(ids))
    .all<{ id: string; codes: number }>();
  return new Map(results.map(({ id, codes }) => [id, codes]));
}

/** Returns the condition that a workspace may have another folder. */
const mayAdd = (workspace: string, cap: string) =>
  `(SELECT count(*) FROM folders WHERE workspace_id = ${workspace} AND deleted_at IS NULL) < ${cap}
   AND ${isNotSuspended(workspace)}`;

/** A new folder. */
export type NewFolder = Pick<FolderRow, "id" | "workspaceId" | "name" | "createdAt">;

/** Stores a folder. @returns false if the workspace already has `cap` folders */
export async function insertFolder(
  db: D1Database,
  row: NewFolder,
  cap: number,
  entry: HistoryEntry,
): Promise<boolean> {
  const { id, workspaceId, name, createdAt } = row;
  const { nameFolded, nameOrder } = nameColumns(name);
  const insert = db
    .prepare(
      `INSERT INTO folders (id, workspace_id, name, created_at, name_folded, name_order)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6
       WHERE ${mayAdd("?2", "?7")}
       RETURNING id`,
    )
    .bind(id, workspaceId, name, createdAt, nameFolded, nameOrder, cap);
  return isChangedBy(db, insert, historyStatement(db, workspaceId, entry));
}

/** Returns a folder of the workspace, deleted or not. */
export async function findFolderRow(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<FolderRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(folders)
    .where(and(eq(folders.id, id), eq(folders.workspaceId, workspaceId)));
  return row;
}

/** Returns the columns derived from a folder's name. */
const nameColumns = (name: string) => ({ nameFolded: foldedName(name), nameOrder: naturalOrder(name) });

/** Returns the ids of folders of the workspace. */
export const filterOwnedFolderIds = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> => filterOwnedIds(db, folders, workspaceId, ids, isNull(folders.deletedAt));

/** Returns which folders of the workspace are present and which deleted. Omits those that are gone for good. */
export async function findFolderStates(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, "present" | "deleted">> {
  if (ids.length === 0) return new Map();
  const rows = await catalogue(db)
    .select({ id: folders.id, deletedAt: folders.deletedAt })
    .from(folders)
    .where(and(eq(folders.workspaceId, workspaceId), isAmong(folders.id, ids)));
  return new Map(rows.map(({ id, deletedAt }) => [id, deletedAt === null ? "present" : "deleted"]));
}

/** @param before as it was read @returns whether it was still that way, and has the name now */
export async function renameFolder(
  db: D1Database,
  before: NewFolder,
  name: string,
  entry: HistoryEntry,
): Promise<boolean> {
  const { workspaceId } = before;
  const update = catalogue(db)
    .update(folders)
    .set({ name, ...nameColumns(name) })
    .where(isUnchanged(before))
    .returning({ id: folders.id });
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry));
}

/**
 * Deletes a folder and takes its codes out of it, in one transaction. The codes keep its id, to return if it is restored.
 * Of the workspace's deleted folders, the latest are kept.
 * @param before as it was read
 * @param now epoch milliseconds
 * @returns whether it was still that way, and is deleted now
 */
export async function deleteFolder(
  db: D1Database,
  before: NewFolder,
  now: number,
  entry: HistoryEntry,
): Promise<boolean> {
  const { workspaceId, id } = before;
  const deletion = catalogue(db)
    .update(folders)
    .set({ deletedAt: now })
    .where(isUnchanged(before))
    .returning({ id: folders.id });
  const takeOut = db
    .prepare(
      `UPDATE qr_codes SET folder_id = NULL, deleted_folder_id = ?2, version = version + 1
       WHERE workspace_id = ?1 AND folder_id = ?2 AND deleted_at IS NULL
         AND EXISTS (SELECT 1 FROM folders WHERE id = ?2 AND deleted_at IS NOT NULL)`,
    )
    .bind(workspaceId, id);
  const surplus = deleteSurplus(db, "folders", workspaceId, now);
  return isChangedBy(db, deletion, historyStatement(db, workspaceId, entry), takeOut, ...surplus);
}

/**
 * Restores a folder deleted after `since`, epoch milliseconds, with the codes that have not been moved since, in one
 * transaction.
 * @returns undefined if the workspace has no such deleted folder, has `cap` folders or is suspended
 */
export async function restoreFolder(
  db: D1Database,
  workspaceId: string,
  id: string,
  since: number,
  cap: number,
  entry: HistoryEntry,
): Promise<Folder | undefined> {
  const isRestored = `id = ?1 AND workspace_id = ?2 AND deleted_at > ?3 AND ${mayAdd("?2", "?4")}`;
  const values = [id, workspaceId, since, cap];
  const [, restored] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `UPDATE qr_codes SET folder_id = ?1, deleted_folder_id = NULL, version = version + 1
         WHERE workspace_id = ?2 AND deleted_folder_id = ?1 AND EXISTS (SELECT 1 FROM folders WHERE ${isRestored})`,
      )
      .bind(...values),
    db.prepare(`UPDATE folders SET deleted_at = NULL WHERE ${isRestored} RETURNING *`).bind(...values),
    historyStatement(db, workspaceId, entry),
  ]);
  const [row] = restored?.results ?? [];
  return row && presentFolder(rows.read(row));
}

/** Returns the condition that a folder is as it was read, and not deleted. */
const isUnchanged = ({ workspaceId, id, name }: NewFolder) =>
  and(
    eq(folders.id, id),
    eq(folders.workspaceId, workspaceId),
    isNull(folders.deletedAt),
    eq(folders.name, name),
  );
