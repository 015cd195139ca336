import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import type { Plan } from "../../contract/plans.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { afterNewest, catalogue } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { workspaces } from "../schema/workspaces.ts";

/** Returns the plan of a workspace, and whether it is being deleted, for its jobs; undefined for an unknown workspace. */
export async function findPlan(
  db: D1Database,
  workspaceId: string,
): Promise<{ readonly plan: Plan; readonly isBeingDeleted: boolean } | undefined> {
  const [row] = await catalogue(db)
    .select({ plan: workspaces.plan, deletion: workspaces.deletion })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row && { plan: row.plan, isBeingDeleted: row.deletion !== null };
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

/** Returns how many live codes a workspace has. */
export const countLiveCodes = async (db: D1Database, workspaceId: string): Promise<number> =>
  (await db
    .prepare("SELECT live_codes AS n FROM workspaces WHERE id = ?")
    .bind(workspaceId)
    .first<number>("n")) ?? 0;

/** Returns whether the workspace has, or had, a webhook. */
export const mayHaveWebhooks = async (db: D1Database, workspaceId: string): Promise<boolean> =>
  (await db
    .prepare("SELECT has_webhooks AS has FROM workspaces WHERE id = ?")
    .bind(workspaceId)
    .first<number>("has")) === 1;

const hasAlertAddress = sql`EXISTS (SELECT 1 FROM alert_addresses a WHERE a.workspace_id = ${workspaces.id})`;

/**
 * Returns workspaces that have, or had, webhooks or that have an address for alerts, newest first, after the id `after`. For
 * the operator, without an owner.
 */
export async function listWorkspacesWithWebhooks(
  db: D1Database,
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> {
  return catalogue(db)
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(
      and(or(eq(workspaces.hasWebhooks, true), hasAlertAddress), lt(workspaces.id, after ?? afterNewest)),
    )
    .orderBy(desc(workspaces.id))
    .limit(limit);
}

/** Returns all workspaces, newest first, after the id `after`. For the operator, without an owner. */
export async function listWorkspaceIds(
  db: D1Database,
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> {
  return catalogue(db)
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(lt(workspaces.id, after ?? afterNewest))
    .orderBy(desc(workspaces.id))
    .limit(limit);
}

export type WorkspaceRow = typeof workspaces.$inferSelect;

/** Returns a workspace's row; undefined for an unknown one. */
export async function findWorkspace(db: D1Database, workspaceId: string): Promise<WorkspaceRow | undefined> {
  const [row] = await catalogue(db).select().from(workspaces).where(eq(workspaces.id, workspaceId));
  return row;
}

/** Returns how many folders, hosted pages, templates and domains a workspace has, counted as for the plan's caps. */
export async function countOwned(
  db: D1Database,
  workspaceId: string,
): Promise<{ folders: number; pages: number; templates: number; domains: number }> {
  const counts = await db
    .prepare(
      `SELECT (SELECT count(*) FROM folders WHERE workspace_id = ?1 AND deleted_at IS NULL) AS folders,
         (SELECT count(*) FROM pages WHERE workspace_id = ?1 AND erased_at IS NULL) AS pages,
         (SELECT count(*) FROM templates WHERE workspace_id = ?1 AND deleted_at IS NULL) AS templates,
         (SELECT count(*) FROM domains WHERE workspace_id = ?1 AND deleted_at IS NULL) AS domains`,
    )
    .bind(workspaceId)
    .first<{ folders: number; pages: number; templates: number; domains: number }>();
  return counts ?? { folders: 0, pages: 0, templates: 0, domains: 0 };
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

/** The allowance after a change of plan, with the bytes that the workspace may store. */
export interface ChangedPlan extends PlanRow {
  readonly storageLimit: number;
}

/** The plan of a workspace, and what may differ from it. */
export type PlanValues = Pick<
  typeof workspaces.$inferSelect,
  "plan" | "requestsPerMinute" | "maxStoredBytes"
>;

/**
 * Sets the plan and, if that is a change, adds an event to the outbox.
 * @param before as it was read
 * @param entry of the history, if a value changes
 * @returns the new values; undefined if they have changed since
 */
export async function updatePlan(
  db: D1Database,
  { id, planVersion }: Pick<typeof workspaces.$inferSelect, "id" | "planVersion">,
  { plan, requestsPerMinute, maxStoredBytes }: PlanValues,
  event: { readonly id: string; readonly at: number },
  entry: HistoryEntry | undefined,
): Promise<ChangedPlan | undefined> {
  const [, after] = await db.batch<ChangedPlan>([
    db
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?1, id, 'subscription.updated',
           json_object('workspaceId', id, 'previousPlan', plan, 'plan', ?2), ?3
         FROM workspaces WHERE id = ?4 AND plan_version = ?5 AND has_webhooks AND plan <> ?2`,
      )
      .bind(event.id, plan, event.at, id, planVersion),
    db
      .prepare(
        `UPDATE workspaces SET plan = ?1, plan_version = plan_version + 1, requests_per_minute = ?2,
           max_stored_bytes = ?3
         WHERE id = ?4 AND plan_version = ?5
         RETURNING plan, requests_per_minute AS requestsPerMinute, plan_version AS planVersion,
           storage_limit AS storageLimit`,
      )
      .bind(plan, requestsPerMinute, maxStoredBytes, id, planVersion),
    ...(entry === undefined ? [] : [historyStatement(db, id, entry)]),
  ]);
  return after?.results[0];
}
