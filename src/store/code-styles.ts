import { eq } from "drizzle-orm";
import { catalogue } from "./catalogue.ts";
import { qrCodes, workspaces } from "./schema.ts";

/** What of a code its image shows, and the plan that says what applies of it. */
const styled = {
  workspaceId: qrCodes.workspaceId,
  hash: qrCodes.hash,
  colorConfig: qrCodes.colorConfig,
  shape: qrCodes.shape,
  logoId: qrCodes.logoId,
  plan: workspaces.plan,
  deletedAt: qrCodes.deletedAt,
};

/** The code with this hash, deleted ones too; undefined when none ever had it. One of the named reads without an owner. */
export async function findByHash(db: D1Database, hash: string) {
  const [row] = await catalogue(db)
    .select(styled)
    .from(qrCodes)
    .innerJoin(workspaces, eq(workspaces.id, qrCodes.workspaceId))
    .where(eq(qrCodes.hash, hash));
  return row;
}

export type Styled = Omit<NonNullable<Awaited<ReturnType<typeof findByHash>>>, "deletedAt">;
