import { eq } from "drizzle-orm";
import type { Plan } from "../contract/plans.ts";
import { catalogue } from "./catalogue.ts";
import { workspaces } from "./schema.ts";

/** The workspace's plan, or undefined when there is no such workspace. */
export async function findPlan(db: D1Database, workspaceId: string): Promise<Plan | undefined> {
  const [row] = await catalogue(db)
    .select({ plan: workspaces.plan })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row?.plan;
}

/** The workspace, or undefined when there is none with this id. */
export async function findWorkspace(db: D1Database, workspaceId: string) {
  const [row] = await catalogue(db).select().from(workspaces).where(eq(workspaces.id, workspaceId));
  return row;
}
