import { and, eq } from "drizzle-orm";
import { utf8Length } from "../lib/text/utf8.ts";
import type { Actor } from "../protocol/history.ts";
import { catalogue } from "./catalogue.ts";
import { type ProposedChange, proposals, type Seen, type StoredResult } from "./schema/proposals.ts";

export type { ProposedChange, Seen, StoredResult };

/** A proposed change. Times are epoch milliseconds. */
export type ProposalRow = typeof proposals.$inferSelect;

/** Bytes counted for a proposal besides its contents: more than its row and its place in the indexes take up. */
const rowBytes = 2048;

/** How many proposals that can't be used any more make room for another one. */
const displaced = 1000;

/**
 * Stores a proposal. Those of the workspace that can't be used any more, oldest first, make room for it.
 * @param cap bytes of all of the workspace's proposals @returns false beyond the cap
 */
export async function insertProposal(
  db: D1Database,
  row: Omit<ProposalRow, "bytes" | "usedAt" | "usedBy" | "result">,
  now: number,
  cap: number,
): Promise<boolean> {
  const texts = [row.change, row.seen, row.difference].map((value) => JSON.stringify(value));
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), rowBytes);
  const insertion = db
    .prepare(
      `INSERT INTO proposals (id, workspace_id, key_id, digest, proposed_by, change, seen, difference, bytes, expires_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
       WHERE (SELECT coalesce(sum(bytes), 0) FROM proposals WHERE workspace_id = ?2) + ?9 <= ?11`,
    )
    .bind(
      ...[row.id, row.workspaceId, row.keyId, row.digest, JSON.stringify(row.proposedBy)],
      ...[...texts, bytes, row.expiresAt, cap],
    );
  if ((await insertion.run()).meta.changes > 0) return true;
  const { meta } = await db
    .prepare(
      `DELETE FROM proposals WHERE id IN (SELECT id FROM proposals
         WHERE workspace_id = ?1 AND (used_at IS NOT NULL OR expires_at <= ?2) ORDER BY id LIMIT ${displaced})`,
    )
    .bind(row.workspaceId, now)
    .run();
  return meta.changes > 0 && (await insertion.run()).meta.changes > 0;
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

/** SQL that takes the contents out of a proposal. Its difference is then only in words and numbers. */
const emptied = `change = 'null', seen = '[]', bytes = ${rowBytes}, difference = json_set(difference,
  '$.samples', json('[]'), '$.leftOut', (difference->>'leftOut') + json_array_length(difference, '$.samples'))`;

/**
 * Marks a proposal as used, and empties it. @param result if it is known already
 * @returns false if it was used before, or has expired
 */
export async function useProposal(
  db: D1Database,
  { workspaceId, id }: Pick<ProposalRow, "workspaceId" | "id">,
  now: number,
  usedBy: Actor,
  result: StoredResult | null = null,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `UPDATE proposals SET used_at = ?3, used_by = ?4, result = ?5, ${emptied}
       WHERE id = ?1 AND workspace_id = ?2 AND used_at IS NULL AND expires_at > ?3`,
    )
    .bind(id, workspaceId, now, JSON.stringify(usedBy), result && JSON.stringify(result))
    .run();
  return meta.changes > 0;
}

/** Empties proposals that have expired. @returns how many */
export async function emptyProposals(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `UPDATE proposals SET ${emptied} WHERE id IN
         (SELECT id FROM proposals WHERE change <> 'null' AND expires_at <= ?1 ORDER BY expires_at LIMIT ?2)`,
    )
    .bind(now, limit)
    .run();
  return meta.changes;
}

/** SQL for a proposal that a person may confirm. @param now epoch milliseconds, as a parameter */
export const isWaiting = (now: string): string =>
  `digest IS NULL AND used_at IS NULL AND expires_at > ${now}`;

/** A proposal that a person may confirm, without its contents. Times are epoch milliseconds. */
export interface WaitingProposal {
  readonly id: string;
  readonly proposedBy: Actor;
  /** The change in words. */
  readonly summary: readonly string[];
  readonly expiresAt: number;
}

/**
 * Returns proposals of the workspace that wait for a person, newest first.
 * @param qrId only those that would change this code
 */
export async function listWaitingProposals(
  db: D1Database,
  workspaceId: string,
  now: number,
  { qrId, limit }: { qrId?: string; limit: number },
): Promise<WaitingProposal[]> {
  const { results } = await db
    .prepare(
      `SELECT id, proposed_by AS proposedBy, difference->>'$.summary' AS summary, expires_at AS expiresAt
       FROM proposals
       WHERE workspace_id = ?1 AND ${isWaiting("?2")}
         AND (?3 IS NULL OR instr(seen, '"' || ?3 || '"') > 0 OR instr(difference, '"' || ?3 || '"') > 0)
       ORDER BY id DESC LIMIT ?4`,
    )
    .bind(workspaceId, now, qrId ?? null, limit)
    .all<{ id: string; proposedBy: string; summary: string; expiresAt: number }>();
  return results.map(({ proposedBy, summary, ...others }) => ({
    ...others,
    proposedBy: JSON.parse(proposedBy) as Actor,
    summary: JSON.parse(summary) as string[],
  }));
}

/** Records what using a proposal has done. */
export async function finishProposal(
  db: D1Database,
  { workspaceId, id }: Pick<ProposalRow, "workspaceId" | "id">,
  result: StoredResult,
): Promise<void> {
  await catalogue(db)
    .update(proposals)
    .set({ result })
    .where(and(eq(proposals.id, id), eq(proposals.workspaceId, workspaceId)));
}
