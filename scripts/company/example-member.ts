import type { Database } from "../lib/catalogue.ts";

/** The name under which the example company's member signs in to the local identity provider. */
export const exampleName = "ines";

/**
 * Makes everyone who has signed in a member of the example company, which the dashboard then shows them.
 * @param now epoch milliseconds
 */
export async function joinExample(db: Database, now: number): Promise<void> {
  const example =
    "(SELECT workspace_id FROM members JOIN users ON users.id = members.user_id WHERE users.subject = ? LIMIT 1)";
  await db.batch([
    db
      .prepare(
        `INSERT INTO members (user_id, workspace_id, role, created_at, chosen_at)
         SELECT id, ${example}, 'owner', ?, ? FROM users WHERE true
         ON CONFLICT (user_id, workspace_id) DO UPDATE SET chosen_at = excluded.chosen_at`,
      )
      .bind(exampleName, now, now),
    db.prepare(`UPDATE sessions SET workspace_id = ${example}`).bind(exampleName),
  ]);
}

/** Returns whether a local catalogue has an example. Its member follows the identity provider's port. */
export async function findExample(db: Database, issuer: string, name = exampleName): Promise<boolean> {
  const update = db.prepare(
    "UPDATE OR IGNORE users SET issuer = ? WHERE subject = ? AND issuer <> 'passkey'",
  );
  const { meta } = await update.bind(issuer, name).run();
  return meta.changes > 0;
}
