import { eq, sql } from "drizzle-orm";
import type { Plan } from "../contract/plans.ts";
import { catalogue } from "./catalogue.ts";
import { outbox, workspaces } from "./schema.ts";

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

/** The workspace, or undefined when there is none with this id. */
export async function findWorkspace(db: D1Database, workspaceId: string) {
  const [row] = await catalogue(db).select().from(workspaces).where(eq(workspaces.id, workspaceId));
  return row;
}

/**
 * Sets the plan, with its event if it is another than before. A raised cap stays where nothing is said of it and
 * the plan is business still.
 * @returns the row as it is now, and the plan before; undefined when there is no such workspace
 */
export async function writePlan(
  d1: D1Database,
  workspaceId: string,
  change: { plan: Plan; requestsPerMinute: number | null | undefined; eventId: string; now: number },
) {
  const { plan, requestsPerMinute, eventId, now } = change;
  const db = catalogue(d1);
  const kept = sql`iif(${plan} = 'business', ${workspaces.requestsPerMinute}, NULL)`;
  const [[before], , [row]] = await db.batch([
    db.select({ plan: workspaces.plan }).from(workspaces).where(eq(workspaces.id, workspaceId)),
    db.insert(outbox).select(sql`
      SELECT ${eventId}, id, 'subscription.updated',
        json_object('workspaceId', id, 'previousPlan', plan, 'plan', ${plan}), ${now}
      FROM workspaces WHERE id = ${workspaceId} AND listens AND plan <> ${plan}`),
    db
      .update(workspaces)
      .set({
        plan,
        requestsPerMinute: requestsPerMinute === undefined ? kept : requestsPerMinute,
        planVersion: sql`${workspaces.planVersion} + 1`,
      })
      .where(eq(workspaces.id, workspaceId))
      .returning(),
  ]);
  return before && row && { row, previousPlan: before.plan };
}
