import { and, eq, lt, sql } from "drizzle-orm";
import { type Catalogue, catalogue } from "./catalogue.ts";
import { idempotentAnswers } from "./schema.ts";

export interface KeptAnswer {
  readonly fingerprint: string;
  readonly answer: unknown;
}

/** The first answer given under an Idempotency-Key, if it is no older than `since` (epoch milliseconds). */
export async function findAnswer(
  db: D1Database,
  workspaceId: string,
  key: string,
  since: number,
): Promise<KeptAnswer | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(idempotentAnswers)
    .where(and(eq(idempotentAnswers.workspaceId, workspaceId), eq(idempotentAnswers.key, key)));
  return row !== undefined && row.createdAt >= since ? row : undefined;
}

/** An answer to keep. Times are epoch milliseconds; an answer older than `since` makes way. */
export interface NewAnswer {
  readonly key: string;
  readonly fingerprint: string;
  readonly answer: unknown;
  readonly at: number;
  readonly since: number;
  /** Keep the answer only if this code was created. */
  readonly qrId?: string;
}

/**
 * Statements that keep an answer, for the batch of the creation it tells of. The batch fails
 * (`idempotent_answers.key` is taken) when another request with this key was first.
 */
export function keepAnswer(db: Catalogue, workspaceId: string, kept: NewAnswer) {
  return [
    db
      .delete(idempotentAnswers)
      .where(
        and(
          eq(idempotentAnswers.workspaceId, workspaceId),
          eq(idempotentAnswers.key, kept.key),
          lt(idempotentAnswers.createdAt, kept.since),
        ),
      ),
    db.insert(idempotentAnswers).select(sql`
      SELECT ${workspaceId}, ${kept.key}, ${kept.fingerprint}, ${JSON.stringify(kept.answer)}, ${kept.at}
      WHERE ${kept.qrId === undefined ? sql`true` : sql`EXISTS (SELECT 1 FROM qr_codes WHERE id = ${kept.qrId})`}`),
  ] as const;
}

/** Forgets answers older than `before` (epoch milliseconds), a bounded number at a time. */
export async function forgetAnswers(db: D1Database, before: number): Promise<void> {
  await catalogue(db).run(sql`
    DELETE FROM idempotent_answers WHERE (workspace_id, key) IN
      (SELECT workspace_id, key FROM idempotent_answers WHERE created_at < ${before} LIMIT 1000)`);
}
