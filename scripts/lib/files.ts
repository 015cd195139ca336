import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The modes of files and folders that only their owner can use. */
export const ownerOnly = { file: 0o600, folder: 0o700 } as const;

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
 * Returns the text of a file with secrets; empty if the file doesn't exist. One that others can read, as an editor or
 * another program may have written it, is closed to them.
 */
export async function readSecretFile(file: string): Promise<string> {
  const text = await readFileIfExists(file);
  // A file of another owner stays as open as that owner made it.
  if (text !== "" && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => {});
  return text;
}

/**
 * Returns a file's text. If the file doesn't exist, creates it with the text of `create`, readable only by its owner.
 */
export async function readOrCreateFile(file: string, create: () => Promise<string>): Promise<string> {
  const existing = await readSecretFile(file);
  if (existing !== "") return existing;
  const created = await create();
  await writeSecretFile(file, created);
  return created;
}

/**
 * Writes a file that only its owner can read, with its folder. It replaces an existing file, whose mode would otherwise
 * stay, and which would be lost if writing fails half-way.
 */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const target = await realpath(file).catch(() => file);
  // Git ignores whatever begins with the name of a secret file.
  const written = `${target}.${randomUUID()}`;
  try {
    await writeFile(written, text, { flag: "wx", mode: ownerOnly.file });
    await rename(written, target);
  } finally {
    await rm(written, { force: true });
  }
}
