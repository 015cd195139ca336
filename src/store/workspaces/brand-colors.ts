import { and, eq, sql } from "drizzle-orm";
import type { BrandColor } from "../../contract/resources/images/brand.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isChangedBy } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { workspaces } from "../schema/workspaces.ts";

/** Returns the brand's colours, in order; null for none. */
export async function findBrandColors(
  db: D1Database,
  workspaceId: string,
): Promise<readonly BrandColor[] | null> {
  const [row] = await catalogue(db)
    .select({ colors: workspaces.brandColors })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row?.colors ?? null;
}

/** Stores the colours, unless they have changed since they were read. @returns whether they were stored */
export async function storeBrandColors(
  db: D1Database,
  workspaceId: string,
  before: readonly BrandColor[] | null,
  after: readonly BrandColor[] | null,
  entry: HistoryEntry,
): Promise<boolean> {
  const update = catalogue(db)
    .update(workspaces)
    .set({ brandColors: after })
    .where(
      and(
        eq(workspaces.id, workspaceId),
        sql`brand_colors IS ${before === null ? null : JSON.stringify(before)}`,
      ),
    )
    .returning({ id: workspaces.id });
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry));
}
