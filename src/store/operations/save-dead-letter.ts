/** A queue message that failed every retry, as the table `dead_letters` has it. Times are epoch milliseconds. */
export interface NewDeadLetter {
  readonly id: string;
  /** The queue to put the message back on. */
  readonly queue: string;
  /** Identifies the message: storing it again has no effect. */
  readonly messageId: string;
  /** JSON. */
  readonly body: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Stores a message that failed every retry. Storing the same message again has no effect. */
export async function saveDeadLetter(
  db: D1Database,
  { id, queue, messageId, body, createdAt, expiresAt }: NewDeadLetter,
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO dead_letters (id, queue, message_id, body, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    )
    .bind(id, queue, messageId, body, createdAt, expiresAt)
    .run();
}
