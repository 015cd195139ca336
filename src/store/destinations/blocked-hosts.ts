import { desc, eq, lt } from "drizzle-orm";
import { type AddressField, addressFields } from "../../contract/resources/codes/qr-fields.ts";
import { afterNewest, catalogue } from "../catalogue.ts";
import { codes, type QrRow } from "../codes/columns.ts";
import { blockedHosts } from "../schema/operations.ts";

/** No function takes a workspace, because blocked hosts apply to the whole installation. */

export type BlockedHostRow = typeof blockedHosts.$inferSelect;

/**
 * Blocks a host, or updates the reason if it is already blocked.
 * @param cap maximum number of blocked hosts
 * @returns the row; undefined at the cap
 */
export async function insertBlockedHost(
  db: D1Database,
  { id, host, reason, createdAt }: BlockedHostRow,
  cap: number,
): Promise<BlockedHostRow | undefined> {
  const row = await db
    .prepare(
      `INSERT INTO blocked_hosts (id, host, reason, created_at) SELECT ?1, ?2, ?3, ?4
       WHERE (SELECT count(*) FROM blocked_hosts WHERE host <> ?2) < ?5
       ON CONFLICT (host) DO UPDATE SET reason = excluded.reason
       RETURNING id, host, reason, created_at AS createdAt`,
    )
    .bind(id, host, reason, createdAt, cap)
    .first<BlockedHostRow>();
  return row ?? undefined;
}

/** Returns blocked hosts, newest first, after the id `after`. */
export async function listBlockedHosts(
  db: D1Database,
  after: string | null,
  limit: number,
): Promise<BlockedHostRow[]> {
  return catalogue(db)
    .select()
    .from(blockedHosts)
    .where(lt(blockedHosts.id, after ?? afterNewest))
    .orderBy(desc(blockedHosts.id))
    .limit(limit);
}

/** Returns all blocked hosts, with the time each was blocked, epoch milliseconds. */
export async function readBlockedHosts(db: D1Database): Promise<Map<string, number>> {
  const rows = await catalogue(db)
    .select({ host: blockedHosts.host, createdAt: blockedHosts.createdAt })
    .from(blockedHosts);
  return new Map(rows.map(({ host, createdAt }) => [host, createdAt]));
}

/** @returns whether the host was blocked */
export async function deleteBlockedHost(db: D1Database, id: string): Promise<boolean> {
  const deleted = await catalogue(db)
    .delete(blockedHosts)
    .where(eq(blockedHosts.id, id))
    .returning({ id: blockedHosts.id });
  return deleted.length === 1;
}

/** A code of any workspace; `links` is null if the code is deleted or doesn't contain the searched text. */
export interface CodeData {
  readonly id: string;
  readonly links: Pick<QrRow, "data" | AddressField> | null;
}

/**
 * Returns codes of all workspaces, newest first, after the id `after`.
 * @param text that the data or fallback must contain, in lower case; codes with percent-encoding are always included
 */
export async function listCodeData(
  db: D1Database,
  text: string,
  after: string | null,
  limit: number,
): Promise<CodeData[]> {
  const { results } = await db
    .prepare(
      `SELECT id, ${linked.map(({ name }) => name).join(", ")},
         deleted_at IS NULL AND (instr(lower(${searched}), ?1) OR instr(${searched}, '%')) AS is_found
       FROM qr_codes WHERE id < ?2 ORDER BY id DESC LIMIT ?3`,
    )
    .bind(text, after ?? afterNewest, limit)
    .all();
  return results.map((row) => ({
    id: String(row.id),
    links: row.is_found === 1 ? codes.rows.read(row) : null,
  }));
}

/** The columns with the addresses of a code. */
const linked = codes.columns.filter(
  ({ key }) => key === "data" || addressFields.some((field) => field === key),
);

const searched = `(${linked.map(({ name }) => `coalesce(${name}, '')`).join(" || ")})`;
