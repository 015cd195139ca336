import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import { afterNewest, catalogue, isAmong } from "../catalogue.ts";
import { deadLetters } from "../schema/operations.ts";

/**
 * No function takes a workspace, because dead letters belong to the installation. Each takes the current time, because
 * an expired dead letter counts as deleted before it is pruned. Times are epoch milliseconds.
 */

/** The + keeps SQLite from choosing the index of expiry, which would read most of the table. */
const live = (now: number, queue: string | undefined) =>
  and(
    sql`+${deadLetters.expiresAt} > ${now}`,
    queue === undefined ? undefined : eq(deadLetters.queue, queue),
  );

/** A dead letter with only the beginning of its message. */
export interface DeadLetterExcerpt {
  readonly id: string;
  readonly queue: string;
  /** The first characters of the message's JSON. */
  readonly excerpt: string;
  readonly bodyLength: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Returns dead letters, newest first, after the id `after`. @param characters of each message */
export async function listDeadLetters(
  db: D1Database,
  {
    queue,
    after,
    limit,
    characters,
  }: {
    queue: string | undefined;
    after: string | null;
    limit: number;
    characters: number;
  },
  now: number,
): Promise<DeadLetterExcerpt[]> {
  return catalogue(db)
    .select({
      id: deadLetters.id,
      queue: deadLetters.queue,
      excerpt: sql<string>`substr(${deadLetters.body}, 1, ${characters})`,
      bodyLength: sql<number>`length(${deadLetters.body})`,
      createdAt: deadLetters.createdAt,
      expiresAt: deadLetters.expiresAt,
    })
    .from(deadLetters)
    .where(and(live(now, queue), lt(deadLetters.id, after ?? afterNewest)))
    .orderBy(desc(deadLetters.id))
    .limit(limit);
}

/** A message to put back on its queue. */
export interface StoredMessage {
  readonly id: string;
  readonly queue: string;
  /** As JSON text. */
  readonly body: string;
}

const message = { id: deadLetters.id, queue: deadLetters.queue, body: deadLetters.body };

/** Returns a dead letter; undefined for an unknown id. */
export async function findDeadLetter(
  db: D1Database,
  id: string,
  now: number,
): Promise<StoredMessage | undefined> {
  const [row] = await catalogue(db)
    .select(message)
    .from(deadLetters)
    .where(and(live(now, undefined), eq(deadLetters.id, id)));
  return row;
}

/** Returns a queue's oldest dead letters. */
export async function oldestDeadLetters(
  db: D1Database,
  queue: string,
  limit: number,
  now: number,
): Promise<StoredMessage[]> {
  return catalogue(db)
    .select(message)
    .from(deadLetters)
    .where(live(now, queue))
    .orderBy(asc(deadLetters.id))
    .limit(limit);
}

/** Returns dead letters by id, newest first. Omits those that no longer exist. */
export async function findDeadLetters(
  db: D1Database,
  ids: readonly string[],
  now: number,
): Promise<StoredMessage[]> {
  return catalogue(db)
    .select(message)
    .from(deadLetters)
    .where(and(live(now, undefined), isAmong(deadLetters.id, ids)))
    .orderBy(desc(deadLetters.id));
}

/** Replaces a dead letter's message. @param body as JSON text */
export async function replaceDeadLetter(db: D1Database, id: string, body: string): Promise<void> {
  await catalogue(db).update(deadLetters).set({ body }).where(eq(deadLetters.id, id));
}

/** Counts a queue's dead letters. */
export async function countDeadLetters(db: D1Database, queue: string, now: number): Promise<number> {
  return catalogue(db).$count(deadLetters, live(now, queue));
}

/** Counts the dead letters of each queue that has some, up to `limit` in all. */
export async function countDeadLettersByQueue(
  db: D1Database,
  now: number,
  limit: number,
): Promise<{ queue: string; count: number }[]> {
  const { results } = await db
    .prepare(
      `SELECT queue, count(*) AS count FROM (SELECT queue FROM dead_letters WHERE expires_at > ?1 LIMIT ?2)
       GROUP BY queue`,
    )
    .bind(now, limit)
    .all<{ queue: string; count: number }>();
  return results;
}

/** Deletes dead letters that their queue has accepted. */
export async function deleteDeadLetters(db: D1Database, ids: readonly string[]): Promise<void> {
  await catalogue(db).delete(deadLetters).where(isAmong(deadLetters.id, ids));
}
