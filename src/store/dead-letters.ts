import { catalogue } from "./catalogue.ts";
import { deadLetters } from "./schema.ts";

/** Keeps a message that failed every retry. A second arrival of the same message changes nothing. */
export async function keepDeadLetter(db: D1Database, row: typeof deadLetters.$inferInsert): Promise<void> {
  await catalogue(db).insert(deadLetters).values(row).onConflictDoNothing();
}
