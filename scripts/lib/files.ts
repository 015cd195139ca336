import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A file's text, empty where there is no such file. */
export async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** A file's text, made and kept, for its owner alone, where there is no such file. */
export async function keepFile(file: string, make: () => Promise<string>): Promise<string> {
  const there = await readIfThere(file);
  if (there !== "") return there;
  const made = await make();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, made, { mode: 0o600 });
  return made;
}
