import { applyD1Migrations, type D1Migration, reset } from "cloudflare:test";

/** How often the storage is emptied again if the database keeps its content. */
const mostAttempts = 5;

/** The statements that make an empty catalogue what the migrations made of the first one. */
let statements: readonly string[] | undefined;

/**
 * Empties the storage but for the catalogue's schema. Work that the last test file left may open the database while it is
 * deleted, and so keep its content; then it is deleted once more.
 */
export async function emptyStorage(db: D1Database, migrations: D1Migration[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await reset();
    try {
      await createCatalogue(db, migrations);
      return;
    } catch (error) {
      if (attempt === mostAttempts || !String(error).includes("already exists")) throw error;
    }
  }
}

/** Creates the catalogue in an empty database. Migrations run once a runtime, because they take as long as many tests. */
async function createCatalogue(db: D1Database, migrations: D1Migration[]): Promise<void> {
  if (statements !== undefined) {
    await db.prepare(statements.join(";")).run();
    return;
  }
  await applyD1Migrations(db, migrations);
  statements = await dump(db);
}

/** The tables of SQLite and of D1, which make them themselves. */
const isInternal = (name: string): boolean => /^(sqlite|_cf)_/.test(name);

/** Returns statements for everything in the database: tables, their rows, then indexes and triggers. */
async function dump(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    .all<{ type: string; name: string; sql: string }>();
  const objects = results.filter(({ name }) => !isInternal(name));
  const [tables, others] = [true, false].map((isTable) =>
    objects.filter(({ type }) => (type === "table") === isTable),
  ) as [typeof objects, typeof objects];
  const rows = await db.batch<Record<string, string | number | null>>(
    tables.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`)),
  );
  const insertions = tables.flatMap(({ name }, i) =>
    (rows[i]?.results ?? []).map((row) => insertion(name, row)),
  );
  return [...tables.map(({ sql }) => sql), ...insertions, ...others.map(({ sql }) => sql)];
}

function insertion(table: string, row: Readonly<Record<string, string | number | null>>): string {
  // Migrations are applied anew, because an installation is as old as its first migration.
  const cells = Object.entries(row).filter(([column]) => column !== "applied_at");
  const columns = cells.map(([column]) => `"${column}"`);
  const values = cells.map(([, value]) =>
    typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : `${value}`,
  );
  return `INSERT INTO "${table}" (${columns.join(", ")}) VALUES (${values.join(", ")})`;
}
