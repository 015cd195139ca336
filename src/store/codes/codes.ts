import { isNull } from "drizzle-orm";
import { foldCase } from "../../lib/text/fold-case.ts";
import { filterOwnedIds } from "../owned-ids.ts";
import { type Query, query } from "../queries.ts";
import { qrCodes } from "../schema/workspaces.ts";
import { type QrRow, qrRows } from "./columns.ts";

/** Returns a code of the workspace; a deleted one only with `deleted: "shown"`. */
export async function findQr(
  db: D1Database,
  workspaceId: string,
  id: string,
  { deleted }: { deleted: "hidden" | "shown" },
): Promise<QrRow | undefined> {
  const result = await db
    .prepare(findSql)
    .bind(id, workspaceId, deleted === "shown" ? 1 : 0)
    .first();
  return result === null ? undefined : qrRows.read(result);
}

/** Returns the folded hashes that a code of any workspace has, deleted or not: hashes are never reused. */
export async function listTakenHashes(
  db: D1Database,
  folded: readonly string[],
): Promise<ReadonlySet<string>> {
  const { results } = await db.prepare(takenSql).bind(JSON.stringify(folded)).all<{ folded: string }>();
  return new Set(results.map((row) => row.folded));
}

/** Exported so that tests can check its query plan. */
const takenSql =
  "SELECT c.hash_folded AS folded FROM qr_codes c WHERE c.hash_folded IN (SELECT value FROM json_each(?))";

const findSql = `
  SELECT ${qrRows.columns("c")} FROM qr_codes c
  WHERE c.id = ?1 AND c.workspace_id = ?2 AND (?3 OR c.deleted_at IS NULL)`;

/** Returns the value of `name_folded` for a name: null for an ASCII name, which SQL can fold. */
export const foldedName = (name: string | null): string | null =>
  name === null || !/\P{ASCII}/u.test(name) ? null : foldCase(name);

/** Returns the ids of live codes of the workspace. */
export const filterLiveIds = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> => filterOwnedIds(db, qrCodes, workspaceId, ids, isNull(qrCodes.deletedAt));

/** Returns the workspace's codes by id, including deleted ones. */
export async function findQrs(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, QrRow>> {
  const { results } = await db.prepare(findManySql).bind(JSON.stringify(ids), workspaceId).all();
  return new Map(results.map(qrRows.read).map((row) => [row.id, row]));
}

/** Returns the workspace's code with this own id, deleted or not. */
export async function findQrByOwnId(
  db: D1Database,
  workspaceId: string,
  externalId: string,
): Promise<QrRow | undefined> {
  const result = await db
    .prepare(`SELECT ${qrRows.columns("c")} FROM qr_codes c WHERE c.workspace_id = ? AND c.external_id = ?`)
    .bind(workspaceId, externalId)
    .first();
  return result === null ? undefined : qrRows.read(result);
}

/** A code that has an own id. */
export interface IdHolder {
  readonly id: string;
  readonly isDeleted: boolean;
}

/** The codes that have own ids, by own id. */
export type IdHolders = ReadonlyMap<string, IdHolder>;

/** Asks for the codes of the workspace that have these own ids. Deleted ones hold theirs until they are erased. */
export const idHoldersQuery = (
  db: D1Database,
  workspaceId: string,
  externalIds: readonly string[],
): Query<IdHolders> =>
  query(
    db.prepare(holdersSql).bind(JSON.stringify(externalIds), workspaceId),
    (rows: readonly { externalId: string; id: string; deletedAt: number | null }[]) =>
      new Map(
        rows.map(({ externalId, id, deletedAt }) => [externalId, { id, isDeleted: deletedAt !== null }]),
      ),
  );

const holdersSql = `
  SELECT c.external_id AS externalId, c.id, c.deleted_at AS deletedAt
  FROM json_each(?1) i CROSS JOIN qr_codes c ON c.workspace_id = ?2 AND c.external_id = i.value`;

const findManySql = `
  SELECT ${qrRows.columns("c")} FROM json_each(?1) i CROSS JOIN qr_codes c ON c.id = i.value
  WHERE c.workspace_id = ?2`;

/** Returns names and hashes of the workspace's codes by id, including deleted ones. */
export async function findCodeLabels(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<QrRow, "name" | "hash">>> {
  const { results } = await db
    .prepare(
      `SELECT c.id, c.name, c.hash FROM json_each(?1) i CROSS JOIN qr_codes c ON c.id = i.value
       WHERE c.workspace_id = ?2`,
    )
    .bind(JSON.stringify(ids), workspaceId)
    .all<Pick<QrRow, "id" | "name" | "hash">>();
  return new Map(results.map(({ id, name, hash }) => [id, { name, hash }]));
}
