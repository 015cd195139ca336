import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { ApiKey } from "../../contract/resources/identity/keys.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isChangedBy } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { type Removable, removableKind, roomFor } from "../resources/kind.ts";
import { joinReader } from "../rows.ts";
import { apiKeys, members, users } from "../schema/identity.ts";
import { workspaces } from "../schema/workspaces.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

const foundKey = joinReader({
  id: apiKeys.id,
  name: apiKeys.name,
  workspaceId: apiKeys.workspaceId,
  type: apiKeys.type,
  scopes: apiKeys.scopes,
  origins: apiKeys.origins,
  plan: workspaces.plan,
  requestsPerMinute: workspaces.requestsPerMinute,
  planVersion: workspaces.planVersion,
  expiresAt: apiKeys.expiresAt,
  personConfirms: apiKeys.personConfirms,
  usesDomains: apiKeys.usesDomains,
});

const keyByDigestSql = `SELECT ${foundKey.columns}
  FROM api_keys JOIN workspaces ON workspaces.id = api_keys.workspace_id
  WHERE api_keys.digest = ? AND api_keys.revoked_at IS NULL AND workspaces.deletion IS NULL`;

/**
 * Returns the key with this digest and its workspace's plan, unless it is revoked or the workspace is being deleted. Takes
 * no workspace, because it looks that up.
 */
export async function findKeyByDigest(db: D1Database, digest: string) {
  const row = await db.prepare(keyByDigestSql).bind(digest).first();
  return row === null ? undefined : foundKey.read(row);
}

/** Keys as resources. Revocation stays apart, since their meters have to know. */
export const keyKind = removableKind<typeof apiKeys>(apiKeys, {
  conditions: { room: roomFor<Removable<KeyRow>>("api_keys", "revoked_at IS NULL") },
  checkedColumns: ["revokedAt", "replacedBy", "expiresAt", "usesDomains"],
  // Deletes the oldest revoked keys beyond what a workspace may keep. Their meters know of the revocation.
  sideEffects: (db, { before, after: { workspaceId } }) =>
    before === null ? [db.prepare(deleteSurplusSql).bind(workspaceId)] : [],
});

const deleteSurplusSql = `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys
  WHERE workspace_id = ?1 AND revoked_at IS NOT NULL AND revocation_pending_at IS NULL
  ORDER BY revoked_at DESC, id DESC LIMIT -1 OFFSET ${limits.revokedKeys})`;

/** Returns the workspace's keys that are not revoked, oldest first. */
export async function listKeys(db: D1Database, workspaceId: string): Promise<ApiKey[]> {
  const rows = await catalogue(db)
    .select({
      key: apiKeys,
      userId: users.id,
      name: users.name,
      email: users.email,
      memberId: members.userId,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(
      members,
      and(eq(members.userId, apiKeys.createdBy), eq(members.workspaceId, apiKeys.workspaceId)),
    )
    .where(and(eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.revokedAt)))
    .orderBy(asc(apiKeys.id));
  return rows.map(({ key, userId, name, email, memberId }) =>
    presentKey(key, {
      name: userId === null ? null : (name ?? email ?? "Someone"),
      member: memberId !== null,
    }),
  );
}

/** Returns the id of a key and those of the keys that it was rotated from. */
export async function listPredecessors(db: D1Database, workspaceId: string, id: string): Promise<string[]> {
  const rows = await catalogue(db).all<{ id: string }>(sql`
    WITH RECURSIVE line(id) AS (
      SELECT ${id}
      UNION SELECT k.id FROM api_keys k JOIN line ON k.replaced_by = line.id WHERE k.workspace_id = ${workspaceId}
    )
    SELECT id FROM line`);
  return rows.map((row) => row.id);
}

/** Returns ids of the workspace's keys that are not revoked. */
export async function listKeyIds(db: D1Database, workspaceId: string): Promise<string[]> {
  return (await listKeys(db, workspaceId)).map(({ id }) => id);
}

/** Converts a row to the API's resource, which omits the key itself. @param creator ignored if it is unknown */
export const presentKey = (row: KeyRow, creator: { name: string | null; member: boolean }): ApiKey => ({
  id: row.id,
  name: row.name,
  type: row.type,
  scopes: row.scopes,
  origins: row.origins,
  prefix: row.prefix,
  lastFour: row.lastFour,
  createdAt: new Date(row.createdAt).toISOString(),
  lastUsedAt: isoTime(row.lastUsedAt),
  createdBy: row.createdBy === null ? null : { id: row.createdBy, ...creator },
  expiresAt: isoTime(row.expiresAt),
  personConfirms: row.personConfirms,
  ...(row.type === "publishable" && { usesDomains: row.usesDomains }),
  replacedBy: row.replacedBy,
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
 * Revokes a key, and marks that its meter doesn't know yet.
 * @param at epoch milliseconds
 * @param entry of the history, unless the key is revoked already
 * @returns false if the workspace has no such key, or its revocation is complete
 */
export async function revokeKey(
  db: D1Database,
  { workspaceId, id }: KeyId,
  at: number,
  entry: HistoryEntry | undefined,
): Promise<boolean> {
  const update = catalogue(db)
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
  return isChangedBy(db, update, ...(entry === undefined ? [] : [historyStatement(db, workspaceId, entry)]));
}

/** Marks a revocation as complete once the meter knows about it. */
export async function clearPendingRevocation(db: D1Database, { workspaceId, id }: KeyId): Promise<void> {
  await catalogue(db)
    .update(apiKeys)
    .set({ revocationPendingAt: null })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId)));
}

/**
 * Returns revoked keys whose meters don't know yet, least recently tried first, for the sweep. Sets their mark to `now`
 * (epoch milliseconds), so that keys that fail again come last in the next sweep.
 */
export async function takePendingRevocations(db: D1Database, now: number, limit: number): Promise<KeyId[]> {
  return catalogue(db).all<KeyId>(sql`
    UPDATE api_keys SET revocation_pending_at = ${now} WHERE id IN
      (SELECT id FROM api_keys WHERE revocation_pending_at IS NOT NULL ORDER BY revocation_pending_at LIMIT ${limit})
    RETURNING id, workspace_id AS workspaceId`);
}
