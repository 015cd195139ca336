import { catalogue } from "./catalogue.ts";
import { deadLetters } from "./schema.ts";

/** Stores a message that failed every retry. Storing the same message again changes nothing. */
export async function saveDeadLetter(db: D1Database, row: typeof deadLetters.$inferInsert): Promise<void> {
  await catalogue(db).insert(deadLetters).values(row).onConflictDoNothing();
}
