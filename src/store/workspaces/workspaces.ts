import { and, desc, eq, lt } from "drizzle-orm";
import type { Plan } from "../../contract/plans.ts";
import type { Suspension } from "../../contract/resources/suspension.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { afterNewest, catalogue } from "../catalogue.ts";
import { foldedName } from "../codes/codes.ts";
import { workspaces } from "../schema/workspaces.ts";

/** Returns the workspace's plan; undefined for an unknown workspace. */
export async function findPlan(db: D1Database, workspaceId: string): Promise<Plan | undefined> {
  const [row] = await catalogue(db)
    .select({ plan: workspaces.plan })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row?.plan;
}

/** Returns the workspace's suspension; null if it is not suspended. */
export async function findSuspension(db: D1Database, workspaceId: string): Promise<Suspension | null> {
  const [row] = await catalogue(db)
    .select({ suspended: workspaces.suspended })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row?.suspended ?? null;
}

/** Returns how many more bytes the workspace can store; negative above its limit. */
export async function findRemainingBytes(db: D1Database, workspaceId: string): Promise<number> {
  const remaining = await db
    .prepare("SELECT storage_limit - stored_bytes - job_bytes AS remaining FROM workspaces WHERE id = ?")
    .bind(workspaceId)
    .first<number>("remaining");
  return remaining ?? 0;
}

/** Records that the workspace has, or had, a webhook. From then on its events are added to the outbox. */
export async function markHasWebhooks(db: D1Database, workspaceId: string): Promise<void> {
  await catalogue(db).update(workspaces).set({ hasWebhooks: true }).where(eq(workspaces.id, workspaceId));
}

/** Returns workspaces that have, or had, webhooks, newest first, after the id `after`. For the operator, without an owner. */
export async function listWorkspacesWithWebhooks(
  db: D1Database,
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> {
  return catalogue(db)
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.hasWebhooks, true), lt(workspaces.id, after ?? afterNewest)))
    .orderBy(desc(workspaces.id))
    .limit(limit);
}

/** Returns the workspace; undefined for an unknown id. */
export async function findWorkspace(db: D1Database, workspaceId: string) {
  const [row] = await catalogue(db).select().from(workspaces).where(eq(workspaces.id, workspaceId));
  return row;
}

/** Returns how many folders, hosted pages and templates a workspace has, counted as for the plan's caps. */
export async function countOwned(
  db: D1Database,
  workspaceId: string,
): Promise<{ folders: number; pages: number; templates: number }> {
  const counts = await db
    .prepare(
      `SELECT (SELECT count(*) FROM folders WHERE workspace_id = ?1 AND deleted_at IS NULL) AS folders,
         (SELECT count(*) FROM pages WHERE workspace_id = ?1 AND erased_at IS NULL) AS pages,
         (SELECT count(*) FROM templates WHERE workspace_id = ?1 AND deleted_at IS NULL) AS templates`,
    )
    .bind(workspaceId)
    .first<{ folders: number; pages: number; templates: number }>();
  return counts ?? { folders: 0, pages: 0, templates: 0 };
}

export async function renameWorkspace(db: D1Database, workspaceId: string, name: string): Promise<void> {
  await catalogue(db)
    .update(workspaces)
    .set({ name, nameFolded: foldedName(name) })
    .where(eq(workspaces.id, workspaceId));
}

/** Returns how many codes a workspace has created or restored today. @param now epoch milliseconds */
export const creationsToday = (
  { creations, creationsDay }: Pick<typeof workspaces.$inferSelect, "creations" | "creationsDay">,
  now: number,
): number => (creationsDay < Math.floor(now / dayLength) ? 0 : creations);

/** The columns that a workspace's request allowance is computed from. */
interface PlanRow {
  readonly plan: Plan;
  readonly requestsPerMinute: number | null;
  readonly planVersion: number;
}

/** The same after a change of plan, with the bytes that the workspace may store. */
export interface ChangedPlan extends PlanRow {
  readonly storageLimit: number;
}

/**
 * Sets the plan and, if that is a change, adds an event to the outbox. If `requestsPerMinute` is undefined, a raised
 * cap is kept on the business plan and removed on any other; if `storedBytes` is undefined, a set limit is kept as long
 * as the plan stays the same.
 * @returns the new values and the previous plan; undefined for an unknown workspace
 */
export async function updatePlan(
  db: D1Database,
  workspaceId: string,
  change: {
    plan: Plan;
    requestsPerMinute: number | null | undefined;
    storedBytes: number | null | undefined;
    eventId: string;
    now: number;
  },
): Promise<{ row: ChangedPlan; previousPlan: Plan } | undefined> {
  const { plan, requestsPerMinute, storedBytes, eventId, now } = change;
  const [before, , after] = await db.batch<ChangedPlan>([
    db.prepare("SELECT plan FROM workspaces WHERE id = ?").bind(workspaceId),
    db
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?1, id, 'subscription.updated',
           json_object('workspaceId', id, 'previousPlan', plan, 'plan', ?2), ?3
         FROM workspaces WHERE id = ?4 AND has_webhooks AND plan <> ?2`,
      )
      .bind(eventId, plan, now, workspaceId),
    db
      .prepare(
        `UPDATE workspaces SET plan = ?1, plan_version = plan_version + 1,
           requests_per_minute = iif(?2, iif(?1 = 'business', requests_per_minute, NULL), ?3),
           max_stored_bytes = iif(?5, iif(?1 = plan, max_stored_bytes, NULL), ?6)
         WHERE id = ?4
         RETURNING plan, requests_per_minute AS requestsPerMinute, plan_version AS planVersion,
           storage_limit AS storageLimit`,
      )
      .bind(
        ...[plan, requestsPerMinute === undefined ? 1 : 0, requestsPerMinute ?? null, workspaceId],
        ...[storedBytes === undefined ? 1 : 0, storedBytes ?? null],
      ),
  ]);
  const [previous] = before?.results ?? [];
  const [row] = after?.results ?? [];
  return previous && row && { row, previousPlan: previous.plan };
}
