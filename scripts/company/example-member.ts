import type { Database } from "../lib/catalogue.ts";

/** The name under which the example company's member signs in to the local identity provider. */
export const exampleName = "ines";

/** Returns whether a local catalogue has the example company. Its member follows the identity provider's port. */
export async function findExample(db: Database, issuer: string): Promise<boolean> {
  const update = db.prepare(
    "UPDATE OR IGNORE users SET issuer = ? WHERE subject = ? AND issuer <> 'passkey'",
  );
  const { meta } = await update.bind(issuer, exampleName).run();
  return meta.changes > 0;
}
