import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../failure.ts";
import { migrationNames, migrationsTable, type Query, type Row } from "../schema.ts";
import type { RunWrangler } from "./stored-secrets.ts";

/** A deployed database, as wrangler reaches it. */
interface RemoteDatabase {
  readonly binding: string;
  /** The path of the configuration that has the binding. */
  readonly config: string;
}

/** Returns a function that queries a deployed database. */
export const queryRemotely =
  (run: RunWrangler, { binding, config }: RemoteDatabase): Query =>
  async (sql) => {
    const output = await run([
      "d1",
      "execute",
      binding,
      "--remote",
      "--json",
      "--command",
      sql,
      "-c",
      config,
    ]);
    return (JSON.parse(output) as { results: Row[] }[])[0]?.results ?? [];
  };

/**
 * Applies the migrations in a folder that a deployed database lacks. D1 sometimes cuts a trigger at one of its
 * semicolons, and then refuses it as incomplete (workers-sdk issues 14991, 15178, 15690). Imported as a file, the same
 * SQL is accepted.
 * @param scratch a folder for the files to import
 * @param imported called with each migration that was imported
 */
export async function migrateRemotely(
  run: RunWrangler,
  database: RemoteDatabase,
  folder: string,
  scratch: string,
  imported: (name: string) => void,
): Promise<void> {
  const { binding, config } = database;
  const tried = new Set<string>();
  for (;;) {
    try {
      await run(["d1", "migrations", "apply", binding, "--remote", "-c", config]);
      return;
    } catch (error) {
      if (!(error instanceof Failure) || !error.message.includes("incomplete input")) throw error;
      const rows = await queryRemotely(run, database)(`SELECT name FROM ${migrationsTable}`);
      const applied = new Set(rows.map(({ name }) => name));
      const next = migrationNames(folder).find((name) => !applied.has(name));
      if (next === undefined || tried.has(next)) throw error;
      tried.add(next);
      await importMigration(run, database, folder, next, scratch);
      imported(next);
    }
  }
}

/** Imports a migration together with its row in the list of applied ones: both or neither. */
async function importMigration(
  run: RunWrangler,
  { binding, config }: RemoteDatabase,
  folder: string,
  name: string,
  scratch: string,
): Promise<void> {
  const sql = await readFile(join(folder, name), "utf8");
  const file = join(scratch, name);
  await writeFile(file, `${sql}\nINSERT INTO ${migrationsTable} (name) VALUES ('${name}');\n`);
  try {
    await run(["d1", "execute", binding, "--remote", "--file", file, "-c", config]);
  } finally {
    await rm(file);
  }
}
