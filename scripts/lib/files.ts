import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A file's text; empty if the file does not exist. */
export async function readFileIfExists(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** A file's text. If the file does not exist, it is created with the text of `create`, readable by its owner only. */
export async function readOrCreateFile(file: string, create: () => Promise<string>): Promise<string> {
  const existing = await readFileIfExists(file);
  if (existing !== "") return existing;
  const created = await create();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, created, { mode: 0o600 });
  return created;
}
