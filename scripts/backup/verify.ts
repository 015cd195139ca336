import { stat } from "node:fs/promises";
import { Failure } from "../lib/failure.ts";
import type { BackupFile, BackupFolder, Manifest } from "./folder.ts";
import { sectionsOf } from "./sections.ts";

/**
 * Reads a whole backup and compares it with its manifest, without an account.
 * @throws Failure that names each file that is missing or changed
 */
export async function verifyBackup(folder: BackupFolder, say: (line: string) => void): Promise<Manifest> {
  const manifest = await folder.requireManifest();
  const problems: string[] = [];
  const counts: Record<string, number> = {};
  const check = async (file: BackupFile, hasSections: boolean) => {
    const problem = await problemOf(folder, file);
    if (problem !== undefined) problems.push(`${file.path} ${problem}`);
    else if (hasSections) {
      for await (const section of sectionsOf(folder.pathOf(file.path))) {
        if (section.kind === "rows") counts[section.table] = (counts[section.table] ?? 0) + section.count;
      }
    }
  };
  for (const file of [...manifest.catalogue, ...manifest.ledgers]) await check(file, true);
  for (const file of manifest.files) await check(file, false);
  const tables = new Set([...Object.keys(counts), ...Object.keys(manifest.counts)]);
  if (problems.length === 0) {
    for (const table of tables) {
      if (counts[table] !== manifest.counts[table]) {
        problems.push(`${table} has ${counts[table] ?? 0} rows, not ${manifest.counts[table] ?? 0}`);
      }
    }
  }
  if (problems.length > 0) {
    throw new Failure(`The backup isn't whole:\n${problems.map((problem) => `  ${problem}`).join("\n")}
Take another in a new folder: npm run backup -- INSTALLATION DIR`);
  }
  say(
    `  ✓ ${manifest.catalogue.length + manifest.ledgers.length + manifest.files.length} files, all as they were written`,
  );
  return manifest;
}

/** Returns what is wrong with a file; undefined if nothing is. */
async function problemOf(
  folder: BackupFolder,
  { path, bytes, sha256 }: BackupFile,
): Promise<string | undefined> {
  const size = await stat(folder.pathOf(path)).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return "is missing";
  if (size !== bytes) return `has ${size} bytes, not ${bytes}`;
  return (await folder.describe(path)).sha256 === sha256 ? undefined : "was changed";
}
