import { and, eq, isNull } from "drizzle-orm";
import type { Folder } from "../contract/resources/folders.ts";
import { catalogue } from "./catalogue.ts";
import { filterOwnedIds } from "./owned-ids.ts";
import { rowReader } from "./rows.ts";
import { folders, qrCodes } from "./schema.ts";

type FolderRow = typeof folders.$inferSelect;

const presentFolder = (row: FolderRow): Folder => ({
  id: row.id,
  name: row.name,
  createdAt: new Date(row.createdAt).toISOString(),
});

/** The workspace's folders, oldest first. */
export async function listFolders(db: D1Database, workspaceId: string): Promise<Folder[]> {
  const { results } = await db.prepare(listSql).bind(workspaceId).all();
  return results.map((result) => presentFolder(rows.read(result)));
}

const rows = rowReader(folders);

const listSql = `SELECT ${rows.columns("f")} FROM folders f WHERE f.workspace_id = ? ORDER BY f.id`;

/** The number of live codes in each folder of the workspace. @param most codes of a folder to count */
export async function countCodesInFolders(
  db: D1Database,
  workspaceId: string,
  most: number,
): Promise<Map<string, number>> {
  const { results } = await db
    .prepare(
      `SELECT f.id, (SELECT count(*) FROM (SELECT 1 FROM qr_codes c
         WHERE c.workspace_id = f.workspace_id AND c.folder_id = f.id AND c.deleted_at IS NULL LIMIT ?2 + 1)) AS codes
       FROM folders f WHERE f.workspace_id = ?1`,
    )
    .bind(workspaceId, most)
    .all<{ id: string; codes: number }>();
  return new Map(results.map(({ id, codes }) => [id, codes]));
}

export async function insertFolder(db: D1Database, row: FolderRow): Promise<Folder> {
  await catalogue(db).insert(folders).values(row);
  return presentFolder(row);
}

/** Those of the ids that are folders of the workspace. */
export const filterOwnedFolderIds = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> => filterOwnedIds(db, folders, workspaceId, ids);

/** @returns the folder with its new name, or undefined when the workspace has no such folder */
export async function renameFolder(
  db: D1Database,
  workspaceId: string,
  id: string,
  name: string,
): Promise<Folder | undefined> {
  const [row] = await catalogue(db)
    .update(folders)
    .set({ name })
    .where(isFolder(workspaceId, id))
    .returning();
  return row && presentFolder(row);
}

/** Deletes a folder and unfiles its codes, in one transaction. @returns whether the folder existed */
export async function deleteFolder(d1: D1Database, workspaceId: string, id: string): Promise<boolean> {
  const db = catalogue(d1);
  const [, deleted] = await db.batch([
    db
      .update(qrCodes)
      .set({ folderId: null })
      .where(and(eq(qrCodes.workspaceId, workspaceId), eq(qrCodes.folderId, id), isNull(qrCodes.deletedAt))),
    db.delete(folders).where(isFolder(workspaceId, id)).returning({ id: folders.id }),
  ]);
  return deleted.length === 1;
}

const isFolder = (workspaceId: string, id: string) =>
  and(eq(folders.id, id), eq(folders.workspaceId, workspaceId));
