import { and, eq, isNull, sql } from "drizzle-orm";
import { catalogue } from "../catalogue.ts";
import { logos, qrCodes, workspaces } from "../schema/workspaces.ts";
import { activeDomain } from "./columns.ts";

/** The columns of a code that its image depends on, its name for the file, and the plan, which limits the design. */
const styleColumns = {
  workspaceId: qrCodes.workspaceId,
  hash: qrCodes.hash,
  activeDomain: sql<string | null>`${sql.raw(activeDomain("qr_codes"))}`.as("active_domain"),
  name: qrCodes.name,
  colorConfig: qrCodes.colorConfig,
  shape: qrCodes.shape,
  advanced: qrCodes.advanced,
  logoId: qrCodes.logoId,
  plan: workspaces.plan,
  deletedAt: qrCodes.deletedAt,
  scanOriginOnly: qrCodes.scanOriginOnly,
  suspended: qrCodes.suspended,
  workspaceSuspended: workspaces.suspended,
  /** Null if there is none. */
  logo: { id: logos.id, mediaType: logos.mediaType, size: logos.size, conversion: logos.conversion },
};

const selectStyles = (db: D1Database) =>
  catalogue(db)
    .select(styleColumns)
    .from(qrCodes)
    .innerJoin(workspaces, eq(workspaces.id, qrCodes.workspaceId))
    .leftJoin(logos, and(eq(logos.workspaceId, qrCodes.workspaceId), eq(logos.id, qrCodes.logoId)));

/** The code with this hash, deleted or not. Takes no workspace: public images have no caller. */
export async function findStyleByHash(db: D1Database, hash: string) {
  const [row] = await selectStyles(db).where(eq(qrCodes.hash, hash));
  return row;
}

/** A code of the workspace that is not deleted. */
export async function findStyleById(db: D1Database, workspaceId: string, id: string) {
  const [row] = await selectStyles(db).where(
    and(eq(qrCodes.id, id), eq(qrCodes.workspaceId, workspaceId), isNull(qrCodes.deletedAt)),
  );
  return row;
}

type FoundStyle = NonNullable<Awaited<ReturnType<typeof findStyleByHash>>>;

/** A style, and the domain of its code; that of the scan origin if it isn't a code's. */
export type StyledCode = Omit<
  FoundStyle,
  "name" | "deletedAt" | "scanOriginOnly" | "suspended" | "workspaceSuspended" | "logo" | "activeDomain"
> &
  Partial<Pick<FoundStyle, "activeDomain">>;
