import { and, asc, eq, isNull } from "drizzle-orm";
import type { Folder } from "../contract/resources/folders.ts";
import { catalogue } from "./catalogue.ts";
import { ownIds } from "./own-ids.ts";
import { folders, qrCodes } from "./schema.ts";

type FolderRow = typeof folders.$inferSelect;

const present = (row: FolderRow): Folder => ({
  id: row.id,
  name: row.name,
  createdAt: new Date(row.createdAt).toISOString(),
});

/** The workspace's folders, oldest first. */
export async function listFolders(db: D1Database, workspaceId: string): Promise<Folder[]> {
  const rows = await catalogue(db)
    .select()
    .from(folders)
    .where(eq(folders.workspaceId, workspaceId))
    .orderBy(asc(folders.id));
  return rows.map(present);
}

export async function insertFolder(db: D1Database, row: FolderRow): Promise<Folder> {
  await catalogue(db).insert(folders).values(row);
  return present(row);
}

/** Which of these folders are the workspace's. */
export const ownFolders = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> => ownIds(db, folders, workspaceId, ids);

/** @returns the folder with its new name, or undefined when the workspace has none with this id */
export async function renameFolder(
  db: D1Database,
  workspaceId: string,
  id: string,
  name: string,
): Promise<Folder | undefined> {
  const [row] = await catalogue(db).update(folders).set({ name }).where(own(workspaceId, id)).returning();
  return row && present(row);
}

/** Deletes a folder and unfiles its codes, in one transaction. @returns whether there was one */
export async function deleteFolder(d1: D1Database, workspaceId: string, id: string): Promise<boolean> {
  const db = catalogue(d1);
  const [, deleted] = await db.batch([
    db
      .update(qrCodes)
      .set({ folderId: null })
      .where(and(eq(qrCodes.workspaceId, workspaceId), eq(qrCodes.folderId, id), isNull(qrCodes.deletedAt))),
    db.delete(folders).where(own(workspaceId, id)).returning({ id: folders.id }),
  ]);
  return deleted.length === 1;
}

const own = (workspaceId: string, id: string) =>
  and(eq(folders.id, id), eq(folders.workspaceId, workspaceId));
