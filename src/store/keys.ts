import { and, eq, isNull } from "drizzle-orm";
import { catalogue } from "./catalogue.ts";
import { apiKeys, workspaces } from "./schema.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

/** The key with this digest and its workspace's plan, unless it is revoked. One of the named reads without an owner. */
export async function findKeyByDigest(db: D1Database, digest: string) {
  const [row] = await catalogue(db)
    .select({
      id: apiKeys.id,
      workspaceId: apiKeys.workspaceId,
      type: apiKeys.type,
      scopes: apiKeys.scopes,
      origins: apiKeys.origins,
      plan: workspaces.plan,
      requestsPerMinute: workspaces.requestsPerMinute,
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(and(eq(apiKeys.digest, digest), isNull(apiKeys.revokedAt)));
  return row;
}

export async function insertKey(db: D1Database, row: KeyRow): Promise<void> {
  await catalogue(db).insert(apiKeys).values(row);
}

/** @returns whether the workspace had such a key, not yet revoked */
export async function revokeKey(
  db: D1Database,
  workspaceId: string,
  id: string,
  at: number,
): Promise<boolean> {
  const rows = await catalogue(db)
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return rows.length === 1;
}
