/** The code that has an alias. */
export interface AliasHolder {
  readonly id: string;
  readonly hash: string;
  readonly isDeleted: boolean;
}

/** Returns the codes that have addresses of the workspace as aliases, by address. */
export async function findAliasHolders(
  db: D1Database,
  workspaceId: string,
  addresses: readonly string[],
): Promise<Map<string, AliasHolder>> {
  if (addresses.length === 0) return new Map();
  const { results } = await db
    .prepare(
      `SELECT a.address, c.id, c.hash, c.deleted_at IS NOT NULL AS isDeleted
       FROM json_each(?2) j CROSS JOIN aliases a ON a.workspace_id = ?1 AND a.address = j.value
       CROSS JOIN qr_codes c ON c.id = a.qr_id`,
    )
    .bind(workspaceId, JSON.stringify(addresses))
    .all<{ address: string; id: string; hash: string; isDeleted: 0 | 1 }>();
  return new Map(
    results.map(({ address, isDeleted, ...code }) => [address, { ...code, isDeleted: isDeleted === 1 }]),
  );
}

/** Returns which folded hashes a code of the workspace has. */
export async function listOwnHashes(
  db: D1Database,
  workspaceId: string,
  folded: readonly string[],
): Promise<Set<string>> {
  if (folded.length === 0) return new Set();
  const { results } = await db
    .prepare(
      `SELECT c.hash_folded AS folded FROM json_each(?2) j
       CROSS JOIN qr_codes c ON c.hash_folded = j.value AND c.workspace_id = ?1`,
    )
    .bind(workspaceId, JSON.stringify(folded))
    .all<{ folded: string }>();
  return new Set(results.map(({ folded: each }) => each));
}

/** Returns which folded hashes an alias of the workspace reads like. */
export async function listAliasesLike(
  db: D1Database,
  workspaceId: string,
  folded: readonly string[],
): Promise<Map<string, string>> {
  if (folded.length === 0) return new Map();
  const { results } = await db
    .prepare(
      `SELECT a.folded, a.address FROM json_each(?2) j
       CROSS JOIN aliases a ON a.workspace_id = ?1 AND a.folded = j.value`,
    )
    .bind(workspaceId, JSON.stringify(folded))
    .all<{ folded: string; address: string }>();
  return new Map(results.map((row) => [row.folded, row.address]));
}
