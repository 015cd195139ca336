import { entries } from "../../../migrations/meta/_journal.json";
import type { RunName } from "../schema/operations.ts";

/** Reads from the primary database. @returns its size in bytes @throws if it can't be read */
export async function readCatalogue(db: D1Database): Promise<number> {
  const { meta } = await db.withSession("first-primary").prepare("SELECT id FROM workspaces LIMIT 1").run();
  return meta.size_after;
}

/** Reads from KV. @throws if it can't be read */
export async function readRouteCache(kv: KVNamespace): Promise<void> {
  await kv.get("readiness");
}

/** The names of this release's migrations, in order. */
const ownMigrations: readonly string[] = entries.map(({ tag }) => tag);

/** Migrations of the catalogue, by name. */
export interface MigrationState {
  /** Those of this release that the catalogue lacks. */
  readonly missing: readonly string[];
  /** Those of the catalogue that this release doesn't know. */
  readonly unknown: readonly string[];
  /** The newest of the catalogue; undefined if it has none. */
  readonly newest: string | undefined;
}

/** Compares the catalogue's migrations with this release's. Wrangler records them as it applies them. */
export async function readMigrations(db: D1Database): Promise<MigrationState> {
  const { results } = await db
    .prepare("SELECT name FROM d1_migrations ORDER BY id")
    .all<{ name: string }>()
    .catch((error: unknown) => {
      if (/no such table/.test(String(error))) return { results: [] };
      throw error;
    });
  const applied = results.map(({ name }) => name.replace(/\.sql$/, ""));
  return {
    missing: ownMigrations.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !ownMigrations.includes(name)),
    newest: applied.at(-1),
  };
}

/** Records that work was done, unless that was recorded since `before`: an unchanged row costs nothing. */
export async function noteRun(db: D1Database, name: RunName, now: number, before: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO last_runs (name, at) VALUES (?1, ?2)
       ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE at < ?3`,
    )
    .bind(name, now, before)
    .run();
}

/** Returns when each kind of work was last done, in epoch milliseconds, and when the catalogue was first migrated. */
export async function readRuns(
  db: D1Database,
): Promise<Readonly<Partial<Record<RunName, number>>> & { readonly installed: number }> {
  const { results } = await db
    .prepare(
      `SELECT name, at FROM last_runs
       UNION ALL SELECT 'installed', CAST(unixepoch(min(applied_at)) * 1000 AS INTEGER) FROM d1_migrations`,
    )
    .all<{ name: RunName | "installed"; at: number }>();
  return { installed: 0, ...Object.fromEntries(results.map(({ name, at }) => [name, at])) };
}

/** Returns the catalogue's time, in epoch milliseconds. */
export async function readClock(db: D1Database): Promise<number> {
  const row = await db.prepare("SELECT unixepoch('subsec') * 1000 AS now").first<{ now: number }>();
  return row?.now ?? 0;
}
