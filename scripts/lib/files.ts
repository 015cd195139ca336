import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns a file's text; empty if the file doesn't exist. */
export async function readFileIfExists(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/**
 * Returns a file's text. If the file doesn't exist, creates it with the text of `create`, readable only by its owner.
 */
export async function readOrCreateFile(file: string, create: () => Promise<string>): Promise<string> {
  const existing = await readFileIfExists(file);
  if (existing !== "") return existing;
  const created = await create();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, created, { mode: 0o600 });
  return created;
}
