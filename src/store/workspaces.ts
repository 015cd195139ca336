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

/** From now on the workspace's events are written down: it has, or had, a webhook. */
export async function startListening(db: D1Database, workspaceId: string): Promise<void> {
  await catalogue(db).update(workspaces).set({ listens: true }).where(eq(workspaces.id, workspaceId));
}
