import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { ApiKey } from "../../contract/resources/identity/keys.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isChangedBy, isNotSuspended } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { apiKeys, members, users } from "../schema/identity.ts";
import { workspaces } from "../schema/workspaces.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

/**
 * Returns the key with this digest and its workspace's plan, unless it is revoked or the workspace is being
 * deleted. Takes no workspace, because it looks
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
      expiresAt: apiKeys.expiresAt,
      personConfirms: apiKeys.personConfirms,
      usesDomains: apiKeys.usesDomains,
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(and(eq(apiKeys.digest, digest), isNull(apiKeys.revokedAt), isNull(workspaces.deletion)));
  return row;
}

/**
 * Returns the statement that inserts a key, unless the workspace already has `cap` keys that are not revoked, or is
 * suspended.
 * @param condition further SQL condition, with parameters from `?15`
 */
const insertKeyWhere = (
  db: D1Database,
  row: KeyRow,
  cap: number,
  condition = "true",
  parameters: readonly string[] = [],
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at,
         created_by, expires_at, person_confirms, uses_domains)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
       WHERE (SELECT count(*) FROM api_keys WHERE workspace_id = ?2 AND revoked_at IS NULL) < ${cap}
         AND ${isNotSuspended("?2")} AND ${condition}
       RETURNING id`,
    )
    .bind(
      ...[
        row.id,
        row.workspaceId,
        row.name,
        row.type,
        JSON.stringify(row.scopes),
        JSON.stringify(row.origins),
      ],
      ...[row.digest, row.prefix, row.lastFour, row.createdAt, row.createdBy, row.expiresAt],
      ...[Number(row.personConfirms), Number(row.usesDomains)],
      ...parameters,
    );

/** @returns false if the workspace already has `cap` keys that are not revoked, or is suspended */
export async function insertKey(
  db: D1Database,
  row: KeyRow,
  cap: number,
  entry: HistoryEntry,
): Promise<boolean> {
  return isChangedBy(
    db,
    insertKeyWhere(db, row, cap),
    historyStatement(db, row.workspaceId, entry),
    deleteSurplus(db, row.workspaceId),
  );
}

/** Deletes the workspace's revoked keys that are more than it may keep, those revoked first. Their meters know. */
const deleteSurplus = (db: D1Database, workspaceId: string): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys
         WHERE workspace_id = ?1 AND revoked_at IS NOT NULL AND revocation_pending_at IS NULL
         ORDER BY revoked_at DESC, id DESC LIMIT -1 OFFSET ${limits.revokedKeys})`,
    )
    .bind(workspaceId);

/**
 * Inserts the key that replaces another one, which expires at `until` (epoch milliseconds), unless it does earlier. If
 * `until` isn't after the new key's creation, the other one is revoked, and its meter has yet to be told.
 * @returns false if the other key is revoked or replaced already, or there is no room as for `insertKey`
 */
export async function replaceKey(
  db: D1Database,
  { id, replacement, until }: { id: string; replacement: KeyRow; until: number },
  cap: number,
  entries: { readonly created: HistoryEntry; readonly rotated: HistoryEntry },
): Promise<boolean> {
  const { createdAt, workspaceId } = replacement;
  const revokedAt = until > createdAt ? null : createdAt;
  const isRotatable =
    "EXISTS (SELECT 1 FROM api_keys WHERE id = ?15 AND workspace_id = ?2 AND revoked_at IS NULL AND replaced_by IS NULL)";
  return isChangedBy(
    db,
    insertKeyWhere(db, replacement, cap, isRotatable, [id]),
    historyStatement(db, workspaceId, entries.created),
    db
      .prepare(
        `UPDATE api_keys SET replaced_by = ?3, expires_at = min(coalesce(expires_at, ?4), ?4), revoked_at = ?5,
           revocation_pending_at = ?5
         WHERE id = ?1 AND workspace_id = ?2 AND EXISTS (SELECT 1 FROM api_keys WHERE id = ?3)`,
      )
      .bind(id, workspaceId, replacement.id, until, revokedAt),
    historyStatement(db, workspaceId, entries.rotated),
    deleteSurplus(db, workspaceId),
  );
}

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
  lastUsedAt: row.lastUsedAt === null ? null : new Date(row.lastUsedAt).toISOString(),
  createdBy: row.createdBy === null ? null : { id: row.createdBy, ...creator },
  expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
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

/** Sets whether new codes of a publishable key answer at domains. @returns false if that is so already, or the key is revoked */
export async function setUsesDomains(
  db: D1Database,
  { workspaceId, id }: KeyId,
  usesDomains: boolean,
  entry: HistoryEntry,
): Promise<boolean> {
  const update = catalogue(db)
    .update(apiKeys)
    .set({ usesDomains })
    .where(
      and(
        eq(apiKeys.id, id),
        eq(apiKeys.workspaceId, workspaceId),
        isNull(apiKeys.revokedAt),
        eq(apiKeys.usesDomains, !usesDomains),
      ),
    )
    .returning({ id: apiKeys.id });
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry));
}

/** Identifies a key, with the workspace it belongs to. */
export interface KeyId {
  readonly workspaceId: string;
  readonly id: string;
}

/**
 * Revokes a key, and marks that its meter has yet to be told.
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
 * Returns revoked keys whose meter has yet to be told, least recently tried first, for the sweep. Sets their mark to
 * `now` (epoch milliseconds), so that keys that fail again come last in the next sweep.
 */
export async function takePendingRevocations(db: D1Database, now: number, limit: number): Promise<KeyId[]> {
  return catalogue(db).all<KeyId>(sql`
    UPDATE api_keys SET revocation_pending_at = ${now} WHERE id IN
      (SELECT id FROM api_keys WHERE revocation_pending_at IS NOT NULL ORDER BY revocation_pending_at LIMIT ${limit})
    RETURNING id, workspace_id AS workspaceId`);
}
