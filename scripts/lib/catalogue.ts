import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { migrationsTable } from "./schema.ts";
import { root } from "./wrangler.ts";

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The subfolder of a data folder in which wrangler and Miniflare keep what is stored. */
export const storagePath = (state: string): string => join(state, "v3");

/** The id by which the local runtime finds the database. */
function databaseId(): string {
  const config = readFileSync(join(root, "wrangler.toml"), "utf8");
  const [, id] = /^database_id = "(.+)"$/m.exec(config) ?? [];
  if (id === undefined) throw new Error("wrangler.toml has no database_id");
  return id;
}

/**
 * Uses the catalogue of a data folder that no service runs on. Starting wrangler for each of its commands would take
 * most of the time of `npm run dev`.
 */
export async function withCatalogue<T>(state: string, use: (db: Database) => Promise<T>): Promise<T> {
  const options = {
    modules: true,
    script: "",
    resourcePersistencePath: storagePath(state),
    d1Databases: { DB: databaseId() },
  } as const;
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  try {
    return await use(await miniflare.getD1Database("DB"));
  } finally {
    await miniflare.dispose();
  }
}

/** Applies the migrations that a local catalogue lacks, and records them as wrangler does. */
export async function migrate(db: Database): Promise<void> {
  await db
    .prepare(
      `CREATE TABLE IF NOT EXISTS ${migrationsTable} (
         id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
         applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await db.prepare(`SELECT name FROM ${migrationsTable}`).all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const folder = join(root, "migrations");
  const missing = readdirSync(folder).filter((name) => name.endsWith(".sql") && !applied.has(name));
  for (const name of missing.sort()) {
    await db.batch([
      db.prepare(readFileSync(join(folder, name), "utf8")),
      db.prepare(`INSERT INTO ${migrationsTable} (name) VALUES (?)`).bind(name),
    ]);
  }
}
