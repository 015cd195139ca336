import { env } from "cloudflare:workers";

/**
 * Copies a row of the catalogue many times, for tests of what depends on the number of rows.
 * @param others SQL expressions of columns that differ, in which `i` is the copy's number, from 1
 */
export async function copyRow(
  table: string,
  where: string,
  count: number,
  others: Readonly<Record<string, string>>,
): Promise<void> {
  // Columns that are computed of others can't be inserted.
  const { results } = await env.DB.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0")
    .bind(table)
    .all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")})
     SELECT ${columns.map((name) => others[name] ?? `"${name}"`).join(", ")}
     FROM n, (SELECT * FROM ${table} WHERE ${where})`,
  )
    .bind(count)
    .run();
}

/** The id of a copy: a UUID that follows the original's. */
export const copiedId = (column = "id"): string => `substr(${column}, 1, 24) || printf('%012x', i)`;
