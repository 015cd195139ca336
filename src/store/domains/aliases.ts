import { answer, type Query, query } from "../queries.ts";

/** The code that has an alias. */
export interface AliasHolder {
  readonly id: string;
  readonly hash: string;
  readonly isDeleted: boolean;
}

/** The codes that have aliases, by address. */
export type AliasHolders = ReadonlyMap<string, AliasHolder>;

/** Asks for the codes that have addresses of the workspace as aliases. */
export const aliasHoldersQuery = (
  db: D1Database,
  workspaceId: string,
  addresses: readonly string[],
): Query<AliasHolders> =>
  query(
    db
      .prepare(
        `SELECT a.address, c.id, c.hash, c.deleted_at IS NOT NULL AS isDeleted
         FROM json_each(?2) j CROSS JOIN aliases a ON a.workspace_id = ?1 AND a.address = j.value
         CROSS JOIN qr_codes c ON c.id = a.qr_id`,
      )
      .bind(workspaceId, JSON.stringify(addresses)),
    (rows: readonly { address: string; id: string; hash: string; isDeleted: 0 | 1 }[]) =>
      new Map(
        rows.map(({ address, isDeleted, ...code }) => [address, { ...code, isDeleted: isDeleted === 1 }]),
      ),
  );

/** Returns the code of the workspace that has an address as an alias; undefined if none has. */
export const findAliasHolder = async (
  db: D1Database,
  workspaceId: string,
  address: string,
): Promise<AliasHolder | undefined> =>
  (await answer(aliasHoldersQuery(db, workspaceId, [address]))).get(address);

/** Asks which folded hashes a code of the workspace has. */
export const ownHashesQuery = (
  db: D1Database,
  workspaceId: string,
  folded: readonly string[],
): Query<ReadonlySet<string>> =>
  query(
    db
      .prepare(
        `SELECT c.hash_folded AS folded FROM json_each(?2) j
         CROSS JOIN qr_codes c ON c.hash_folded = j.value AND c.workspace_id = ?1`,
      )
      .bind(workspaceId, JSON.stringify(folded)),
    (rows: readonly { folded: string }[]) => new Set(rows.map(({ folded: each }) => each)),
  );

/** Asks which folded hashes an alias of the workspace reads like. The answer has the alias of each. */
export const lookAlikesQuery = (
  db: D1Database,
  workspaceId: string,
  folded: readonly string[],
): Query<ReadonlyMap<string, string>> =>
  query(
    db
      .prepare(
        `SELECT a.folded, a.address FROM json_each(?2) j
         CROSS JOIN aliases a ON a.workspace_id = ?1 AND a.folded = j.value`,
      )
      .bind(workspaceId, JSON.stringify(folded)),
    (rows: readonly { folded: string; address: string }[]) =>
      new Map(rows.map((row) => [row.folded, row.address])),
  );
