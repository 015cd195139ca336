import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { ApiKey } from "../../contract/resources/keys.ts";
import { catalogue, isNotSuspended } from "../catalogue.ts";
import { apiKeys } from "../schema/identity.ts";
import { workspaces } from "../schema/workspaces.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

/**
 * Returns the key with this digest and its workspace's plan, unless it is revoked. Takes no workspace, because it looks
 * that up.
 */
export async function findKeyByDigest(db: D1Database, digest: string) {
  const [row] = await catalogue(db)
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      workspaceId: apiKeys.workspaceId,
      type: apiKeys.type,
      scopes: apiKeys.scopes,
      origins: apiKeys.origins,
      plan: workspaces.plan,
      requestsPerMinute: workspaces.requestsPerMinute,
      planVersion: workspaces.planVersion,
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(and(eq(apiKeys.digest, digest), isNull(apiKeys.revokedAt)));
  return row;
}

/** @returns false if the workspace already has `cap` keys that are not revoked, or is suspended */
export async function insertKey(d1: D1Database, row: KeyRow, cap: number): Promise<boolean> {
  const rows = await catalogue(d1).all<{ id: string }>(sql`
    INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
    SELECT ${row.id}, ${row.workspaceId}, ${row.name}, ${row.type}, ${JSON.stringify(row.scopes)},
      ${JSON.stringify(row.origins)}, ${row.digest}, ${row.prefix}, ${row.lastFour}, ${row.createdAt}
    WHERE (SELECT count(*) FROM api_keys WHERE workspace_id = ${row.workspaceId} AND revoked_at IS NULL) < ${cap}
      AND ${isNotSuspended(row.workspaceId)}
    RETURNING id`);
  return rows.length === 1;
}

/** Returns the workspace's keys that are not revoked, oldest first. */
export async function listKeys(db: D1Database, workspaceId: string): Promise<ApiKey[]> {
  const rows = await catalogue(db)
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.revokedAt)))
    .orderBy(asc(apiKeys.id));
  return rows.map(presentKey);
}

/** Returns ids of the workspace's keys that are not revoked. */
export async function listKeyIds(db: D1Database, workspaceId: string): Promise<string[]> {
  return (await listKeys(db, workspaceId)).map(({ id }) => id);
}

/** Converts a row to the API's resource, which omits the key itself. */
export const presentKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  type: row.type,
  scopes: row.scopes,
  origins: row.origins,
  prefix: row.prefix,
  lastFour: row.lastFour,
  createdAt: new Date(row.createdAt).toISOString(),
  lastUsedAt: row.lastUsedAt === null ? null : new Date(row.lastUsedAt).toISOString(),
});

/** Records that a key was used at `at`, unless a use after `since` is already recorded. Both are epoch milliseconds. */
export async function updateKeyLastUsed(
  db: D1Database,
  workspaceId: string,
  id: string,
  { at, since }: { at: number; since: number },
): Promise<void> {
  await catalogue(db)
    .update(apiKeys)
    .set({ lastUsedAt: at })
    .where(
      and(
        eq(apiKeys.id, id),
        eq(apiKeys.workspaceId, workspaceId),
        sql`coalesce(${apiKeys.lastUsedAt}, 0) <= ${since}`,
      ),
    );
}

/**
 * Records that a key was refused at its daily cap, unless that is already recorded for the day that began at `since`.
 */
export async function markKeyCapped(
  db: D1Database,
  { workspaceId, id }: KeyId,
  { at, since }: { at: number; since: number },
): Promise<void> {
  await catalogue(db)
    .update(apiKeys)
    .set({ cappedAt: at })
    .where(
      and(
        eq(apiKeys.id, id),
        eq(apiKeys.workspaceId, workspaceId),
        sql`coalesce(${apiKeys.cappedAt}, 0) < ${since}`,
      ),
    );
}

/** Identifies a key, with the workspace it belongs to. */
export interface KeyId {
  readonly workspaceId: string;
  readonly id: string;
}

/**
 * Revokes a key, and marks that its meter has yet to be told.
 * @param at epoch milliseconds
 * @returns false if the workspace has no such key, or its revocation is complete
 */
export async function revokeKey(db: D1Database, { workspaceId, id }: KeyId, at: number): Promise<boolean> {
  const rows = await catalogue(db)
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${at})`, revocationPendingAt: at })
    .where(
      and(
        eq(apiKeys.id, id),
        eq(apiKeys.workspaceId, workspaceId),
        or(isNull(apiKeys.revokedAt), isNotNull(apiKeys.revocationPendingAt)),
      ),
    )
    .returning({ id: apiKeys.id });
  return rows.length === 1;
}

/** Marks a revocation as complete once the meter knows about it. */
export async function clearPendingRevocation(db: D1Database, { workspaceId, id }: KeyId): Promise<void> {
  await catalogue(db)
    .update(apiKeys)
    .set({ revocationPendingAt: null })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId)));
}

/**
 * Returns revoked keys whose meter has yet to be told, least recently tried first, for the sweep. Sets their mark to
 * `now` (epoch milliseconds), so that keys that fail again come last in the next sweep.
 */
export async function takePendingRevocations(db: D1Database, now: number, limit: number): Promise<KeyId[]> {
  return catalogue(db).all<KeyId>(sql`
    UPDATE api_keys SET revocation_pending_at = ${now} WHERE id IN
      (SELECT id FROM api_keys WHERE revocation_pending_at IS NOT NULL ORDER BY revocation_pending_at LIMIT ${limit})
    RETURNING id, workspace_id AS workspaceId`);
}
