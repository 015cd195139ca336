import { existsSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import { storagePath } from "../../lib/catalogue.ts";

const copyPath = (state: string) => `${storagePath(state)}-large`;
const formerPath = (state: string) => `${storagePath(state)}-former`;

/**
 * Changes a copy of a data folder's storage, which takes the storage's place once that is done. Nothing is left of a change
 * that was interrupted but the copy, which `clearCopies` deletes.
 */
export async function changeCopy(state: string, change: (storage: string) => Promise<void>): Promise<void> {
  const copy = copyPath(state);
  await cp(storagePath(state), copy, { recursive: true });
  await change(copy);
  await rename(storagePath(state), formerPath(state));
  await rename(copy, storagePath(state));
  await clearCopies(state);
}

/** Deletes what an interrupted `changeCopy` left behind, and puts back a storage that it was about to replace. */
export async function clearCopies(state: string): Promise<void> {
  if (existsSync(formerPath(state)) && !existsSync(storagePath(state)))
    await rename(formerPath(state), storagePath(state));
  for (const path of [copyPath(state), formerPath(state)]) await rm(path, { recursive: true, force: true });
}
