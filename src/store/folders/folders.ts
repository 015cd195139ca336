import { isNull } from "drizzle-orm";
import type { Folder } from "../../contract/resources/codes/folders.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { naturalOrder } from "../../lib/text/natural-order.ts";
import { foldedName } from "../codes/codes.ts";
import { deleteSurplus } from "../deleted.ts";
import { filterOwnedIds } from "../owned-ids.ts";
import { type Query, query } from "../queries.ts";
import { isSet, resourceKind, roomFor } from "../resources/kind.ts";
import { folders } from "../schema/workspaces.ts";

export type FolderRow = typeof folders.$inferSelect;

/** Folders as resources. Their codes leave a deleted folder, and return with it unless they have been moved since. */
export const folderKind = resourceKind(
  folders,
  {
    ...{ id: {}, workspaceId: {}, name: {}, createdAt: {}, deletedAt: {}, version: {} },
    ...{ nameFolded: { reported: null }, nameOrder: { reported: null } },
  },
  {
    conditions: { room: roomFor<FolderRow>("folders") },
    checkedColumns: ["name", "deletedAt"],
    sideEffects: (db, change) => {
      if (!isSet(change, "deletedAt")) return [];
      const { id, workspaceId, deletedAt } = change.after;
      const move = db.prepare(deletedAt === null ? putBackSql : takeOutSql).bind(workspaceId, id);
      return deletedAt === null ? [move] : [move, ...deleteSurplus(db, "folders", workspaceId, deletedAt)];
    },
  },
);

const takeOutSql = `
  UPDATE qr_codes SET folder_id = NULL, deleted_folder_id = ?2, version = version + 1
  WHERE workspace_id = ?1 AND folder_id = ?2 AND deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM folders WHERE id = ?2 AND deleted_at IS NOT NULL)`;

const putBackSql = `
  UPDATE qr_codes SET folder_id = ?2, deleted_folder_id = NULL, version = version + 1
  WHERE workspace_id = ?1 AND deleted_folder_id = ?2
    AND EXISTS (SELECT 1 FROM folders WHERE id = ?2 AND deleted_at IS NULL)`;

/** Converts a row to the API's resource. */
export const presentFolder = (row: Pick<FolderRow, "id" | "name" | "createdAt">): Folder => ({
  id: row.id,
  name: row.name,
  createdAt: new Date(row.createdAt).toISOString(),
});

/** Returns the workspace's folders, oldest first: all, or up to `limit` of them after the id `after`. */
export async function listFolders(
  db: D1Database,
  workspaceId: string,
  after: string | null = null,
  limit = -1,
): Promise<Folder[]> {
  const { results } = await db
    .prepare(listSql)
    .bind(workspaceId, after ?? "", limit)
    .all();
  return results.map((result) => presentFolder(folderKind.rows.read(result)));
}

const listSql = `SELECT ${folderKind.rows.columns("f")} FROM folders f
  WHERE f.workspace_id = ?1 AND f.id > ?2 AND f.deleted_at IS NULL ORDER BY f.id LIMIT ?3`;

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

/** A code in a group, such as a folder or the codes with a tag. */
export interface GroupedCode {
  /** The folder's id, or the tag. */
  readonly group: string;
  readonly id: string;
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

/** Returns live codes in folders of the workspace, each with its folder. */
export async function listCodesInFolders(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
  limit: number,
): Promise<GroupedCode[]> {
  const { results } = await db
    .prepare(
      `SELECT c.folder_id AS "group", c.id FROM json_each(?2) f
       CROSS JOIN qr_codes c ON c.workspace_id = ?1 AND c.folder_id = f.value AND c.deleted_at IS NULL LIMIT ?3`,
    )
    .bind(workspaceId, JSON.stringify(ids), limit)
    .all<GroupedCode>();
  return results;
}

/** Returns the columns of a folder's name. */
export const nameColumns = (name: string): Pick<FolderRow, "name" | "nameFolded" | "nameOrder"> => ({
  name,
  nameFolded: foldedName(name),
  nameOrder: naturalOrder(name),
});

/** Returns the ids of folders of the workspace. */
export const filterOwnedFolderIds = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> => filterOwnedIds(db, folders, workspaceId, ids, isNull(folders.deletedAt));

/** Folders of the workspace, present or deleted, by id. Those that are gone for good are missing. */
export type FolderStates = ReadonlyMap<string, "present" | "deleted">;

/** Asks which folders of the workspace are present and which deleted. */
export const folderStatesQuery = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Query<FolderStates> =>
  query(
    db
      .prepare(
        `SELECT f.id, f.deleted_at AS deletedAt FROM json_each(?2) i
         CROSS JOIN folders f ON f.id = i.value AND f.workspace_id = ?1`,
      )
      .bind(workspaceId, JSON.stringify(ids)),
    (rows: readonly Pick<FolderRow, "id" | "deletedAt">[]) =>
      new Map(rows.map(({ id, deletedAt }) => [id, deletedAt === null ? "present" : "deleted"])),
  );
