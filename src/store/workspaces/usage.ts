import type { Plan } from "../../contract/plans.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { afterNewest } from "../catalogue.ts";

/** Workspaces with their usage, for the operator. No function takes an owner, because they look workspaces up. */

/** A workspace with its usage, as far as the catalogue knows it. */
export interface WorkspaceUsage {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly requestsPerMinute: number | null;
  readonly hasWebhooks: 0 | 1;
  /** As JSON text; see `readSuspension`. */
  readonly suspended: string | null;
  /** As JSON text, a `StoredDeletion`. */
  readonly deletion: string | null;
  readonly isErased: 0 | 1;
  readonly createdAt: number;
  readonly liveCodes: number;
  readonly storedBytes: number;
  readonly storageLimit: number;
  readonly members: number;
  readonly keys: number;
}

/** Includes the counts of a single workspace's other resources. */
export interface WorkspaceDetails extends WorkspaceUsage {
  readonly folders: number;
  readonly templates: number;
  readonly pages: number;
}

const rowCount = (table: string, condition = "1") =>
  `(SELECT count(*) FROM ${table} WHERE workspace_id = w.id AND ${condition})`;

const isLive = "deleted_at IS NULL";

/** A deletion with nothing left to do. */
const isErased = "(w.deletion IS NOT NULL AND w.deletion_due_at IS NULL)";

const usageColumns = `w.id, w.name, w.plan, w.requests_per_minute AS requestsPerMinute,
  w.has_webhooks AS hasWebhooks, w.suspended, w.deletion, ${isErased} AS isErased,
  w.created_at AS createdAt, w.live_codes AS liveCodes,
  w.stored_bytes + w.job_bytes AS storedBytes, w.storage_limit AS storageLimit,
  ${rowCount("members")} AS members, ${rowCount("api_keys", "revoked_at IS NULL")} AS keys`;

/**
 * Returns workspaces, newest first, after the id `after`, without those whose data is erased unless one is named by its
 * id. A search by name reads rows until the page is full.
 * @param filters part of the name, ignoring case; or an id
 */
export async function listWorkspaceUsage(
  db: D1Database,
  { q, id }: { q?: string | undefined; id?: string | undefined },
  after: string | null,
  limit: number,
): Promise<WorkspaceUsage[]> {
  const { results } = await db
    .prepare(
      `SELECT ${usageColumns} FROM workspaces w
       WHERE w.id < ?1 AND ${id === undefined ? `NOT ${isErased}` : "w.id = ?4"}
         AND (?2 IS NULL OR instr(coalesce(w.name_folded, upper(w.name)), ?2) > 0)
       ORDER BY w.id DESC LIMIT ?3`,
    )
    .bind(
      after ?? afterNewest,
      q === undefined ? null : foldCase(q),
      limit,
      ...(id === undefined ? [] : [id.toLowerCase()]),
    )
    .all<WorkspaceUsage>();
  return results;
}

/** Returns a workspace; undefined for an unknown id. */
export async function findWorkspaceDetails(
  db: D1Database,
  workspaceId: string,
): Promise<WorkspaceDetails | undefined> {
  const row = await db
    .prepare(
      `SELECT ${usageColumns}, ${rowCount("folders", isLive)} AS folders, ${rowCount("templates", isLive)} AS templates,
         ${rowCount("pages", isLive)} AS pages
       FROM workspaces w WHERE w.id = ?`,
    )
    .bind(workspaceId)
    .first<WorkspaceDetails>();
  return row ?? undefined;
}
