import { and, eq, isNull, gt } from "drizzle-orm";
import type { ProposalResult } from "../contract/resources/codes/proposals.ts";
import { utf8Length } from "../lib/text/utf8.ts";
import type { Actor } from "../protocol/history.ts";
import { catalogue } from "./catalogue.ts";
import { proposals, type ProposedChange, type Seen } from "./schema/proposals.ts";

export type { ProposedChange, Seen };

/** A proposed change. Times are epoch milliseconds. */
export type ProposalRow = typeof proposals.$inferSelect;

/** Stores a proposal. @param cap bytes of the workspace's proposals that can be used @returns false beyond the cap */
export async function insertProposal(
  db: D1Database,
  row: Omit<ProposalRow, "bytes" | "usedAt" | "usedBy" | "result">,
  now: number,
  cap: number,
): Promise<boolean> {
  const texts = [row.change, row.seen, row.difference].map((value) => JSON.stringify(value));
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  const { meta } = await db
    .prepare(
      `INSERT INTO proposals (id, workspace_id, key_id, digest, proposed_by, change, seen, difference, bytes, expires_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
       WHERE (SELECT coalesce(sum(bytes), 0) FROM proposals WHERE workspace_id = ?2 AND used_at IS NULL AND expires_at > ?11)
         + ?9 <= ?12`,
    )
    .bind(
      ...[row.id, row.workspaceId, row.keyId, row.digest, JSON.stringify(row.proposedBy)],
      ...[...texts, bytes, row.expiresAt, now, cap],
    )
    .run();
  return meta.changes > 0;
}

/** Returns a proposal of the workspace. */
export async function findProposal(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<ProposalRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(proposals)
    .where(and(eq(proposals.id, id), eq(proposals.workspaceId, workspaceId)));
  return row;
}

/** Returns the proposal of a key that a token makes. @param digest SHA-256 of the token, hex */
export async function findProposalByToken(
  db: D1Database,
  { workspaceId, keyId }: { readonly workspaceId: string; readonly keyId: string },
  digest: string,
): Promise<ProposalRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(proposals)
    .where(
      and(eq(proposals.digest, digest), eq(proposals.workspaceId, workspaceId), eq(proposals.keyId, keyId)),
    );
  return row;
}

/** Marks a proposal as used. @returns false if it was used before, or has expired */
export async function useProposal(
  db: D1Database,
  { workspaceId, id }: Pick<ProposalRow, "workspaceId" | "id">,
  now: number,
  usedBy: Actor,
): Promise<boolean> {
  const used = await catalogue(db)
    .update(proposals)
    .set({ usedAt: now, usedBy })
    .where(
      and(
        eq(proposals.id, id),
        eq(proposals.workspaceId, workspaceId),
        isNull(proposals.usedAt),
        gt(proposals.expiresAt, now),
      ),
    )
    .returning({ id: proposals.id });
  return used.length === 1;
}

/** Records what using a proposal has done. */
export async function finishProposal(
  db: D1Database,
  { workspaceId, id }: Pick<ProposalRow, "workspaceId" | "id">,
  result: ProposalResult,
): Promise<void> {
  await catalogue(db)
    .update(proposals)
    .set({ result })
    .where(and(eq(proposals.id, id), eq(proposals.workspaceId, workspaceId)));
}

/** Deletes proposals that expired before `before`, used or not. @returns how many were deleted */
export async function pruneProposals(db: D1Database, before: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM proposals WHERE id IN (SELECT id FROM proposals WHERE expires_at < ?1 LIMIT ?2)")
    .bind(before, limit)
    .run();
  return meta.changes;
}
