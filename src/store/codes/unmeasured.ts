import type { Plan } from "../../contract/plans.ts";
import { isUnmeasured, type QrRow, qrRows } from "./columns.ts";

/** A code whose design has to be measured, and its workspace's plan. */
export interface UnmeasuredCode {
  readonly row: QrRow;
  readonly plan: Plan;
}

/** Codes of a workspace that one statement compares with the measured one. */
const compared = 1000;

/**
 * Returns one code for each of at most `count` workspaces, chosen at random, so that none waits for another that has many.
 * @param now epoch milliseconds
 * @param examined workspaces with unmeasured designs among which it chooses, from a random one on
 */
export async function findUnmeasured(
  db: D1Database,
  now: number,
  count: number,
  examined = 1000,
): Promise<UnmeasuredCode[]> {
  const { results } = await db.prepare(findSql).bind(now, count, examined).all<Record<string, unknown>>();
  return results.map((result) => ({ row: qrRows.read(result), plan: result.plan as Plan }));
}

/** SQL for the first workspace after another that has a design to measure. Left to itself, SQLite reads all codes for it. */
const nextAfter = (id: string) =>
  `(SELECT min(c.workspace_id) FROM qr_codes c INDEXED BY qr_codes_unmeasured
    WHERE c.workspace_id > ${id} AND ${isUnmeasured})`;

/** The workspaces are listed from `start` to the last, and then from the first to `start`. */
const findSql = `
  WITH RECURSIVE start(id) AS (
    SELECT coalesce(min(id), '') FROM (SELECT id FROM workspaces
      WHERE rowid >= abs(random()) % (SELECT max(rowid) FROM workspaces) + 1 ORDER BY rowid LIMIT 1)
  ),
  waiting(id, n, rounds) AS (
    SELECT ${nextAfter("start.id")}, 1, 0 FROM start
    UNION ALL
    SELECT iif(waiting.id IS NULL, ${nextAfter("''")}, ${nextAfter("waiting.id")}), n + 1, rounds + (waiting.id IS NULL)
    FROM waiting CROSS JOIN start
    WHERE n < ?3 AND iif(waiting.id IS NULL, rounds = 0, rounds = 0 OR waiting.id <= start.id)
  )
  SELECT ${qrRows.columns("q")}, w.plan FROM (
    SELECT (
      SELECT c.id FROM qr_codes c
      WHERE c.workspace_id = listed.id AND ${isUnmeasured} AND (c.measure_at IS NULL OR c.measure_at <= ?1)
      ORDER BY c.measure_at, c.id LIMIT 1
    ) AS id FROM (SELECT DISTINCT id FROM waiting WHERE id IS NOT NULL) listed
  ) due CROSS JOIN qr_codes q ON q.id = due.id CROSS JOIN workspaces w ON w.id = q.workspace_id
  ORDER BY random() LIMIT ?2`;

/**
 * Stores what was found out about a code's design, also in the workspace's codes that look the same. A code whose design
 * has changed since stays as it is.
 * @param measureAt when to try again if it could not be measured, epoch milliseconds
 */
export async function storeJudgement(
  db: D1Database,
  { id, version, workspaceId }: Pick<QrRow, "id" | "version" | "workspaceId">,
  { readable, measureAt }: Pick<QrRow, "readable" | "measureAt">,
): Promise<void> {
  await db
    .prepare(storeSql)
    .bind(id, version, workspaceId, readable === null ? null : Number(readable), measureAt)
    .run();
}

const storeSql = `
  UPDATE qr_codes SET version = version + 1, readable = ?4, measure_at = ?5 WHERE id IN (
    SELECT listed.id FROM qr_codes m CROSS JOIN (
      SELECT * FROM qr_codes c WHERE c.workspace_id = ?3 AND ${isUnmeasured} ORDER BY c.measure_at, c.id LIMIT ${compared}
    ) listed
    WHERE m.id = ?1 AND m.version = ?2 AND listed.color_config IS m.color_config AND listed.shape IS m.shape
      AND listed.advanced IS m.advanced AND listed.logo_id IS m.logo_id AND length(listed.hash) = length(m.hash)
  ) AND readable IS NULL`;
