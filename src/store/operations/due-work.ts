import { isUnmeasured } from "../codes/columns.ts";
import { erasableRows, oldestErasable } from "./erasure.ts";
import { type ExpiringKind, expiring, oldestExpiring } from "./expiring.ts";

/** A time after all others, epoch milliseconds. */
const never = Number.MAX_SAFE_INTEGER;

/**
 * When the oldest work of each kind was stored or is due, in epoch milliseconds: each the first entry of an index, for
 * which the conditions are worded. Work that is looked at as long as there is any has the time 0.
 */
const oldest = {
  proposalContents:
    "SELECT expires_at FROM proposals WHERE change <> 'null' AND expires_at >= 0 ORDER BY expires_at LIMIT 1",
  bulkItems:
    "SELECT completed_at FROM bulk_jobs WHERE completed_at IS NOT NULL AND items_pruned_at IS NULL ORDER BY completed_at LIMIT 1",
  // Not a compound SELECT, which D1 limits to five terms.
  deleted: `SELECT nullif(min(${erasableRows.map((rows) => `coalesce((${oldestErasable(rows)}), ${never})`).join(", ")}), ${never})`,
  logos:
    "SELECT checked_at FROM logos WHERE removing_at IS NULL AND checked_at >= 0 ORDER BY checked_at LIMIT 1",
  logosBeingRemoved: "SELECT 0 FROM logos WHERE removing_at IS NOT NULL LIMIT 1",
  pageImages: "SELECT used_at FROM page_images WHERE used_at >= 0 ORDER BY used_at LIMIT 1",
  unmeasuredDesigns: `SELECT 0 FROM qr_codes c WHERE c.workspace_id > '' AND ${isUnmeasured} LIMIT 1`,
  unconvertedLogos:
    "SELECT created_at FROM logos WHERE media_type = 'image/svg+xml' AND conversion IS NULL AND created_at >= 0 ORDER BY created_at LIMIT 1",
  domainChecks: "SELECT check_at FROM domains WHERE check_at IS NOT NULL ORDER BY check_at LIMIT 1",
  alertChecks: "SELECT check_at FROM alert_addresses WHERE check_at >= 0 ORDER BY check_at LIMIT 1",
  deletedWorkspaces:
    "SELECT deletion_due_at FROM workspaces WHERE deletion_due_at IS NOT NULL ORDER BY deletion_due_at LIMIT 1",
  provedDomains:
    "SELECT 0 FROM domains WHERE host > '' AND proved_at IS NOT NULL AND deleted_at IS NULL LIMIT 1",
  suspendedWorkspaces: "SELECT 0 FROM workspaces WHERE id > '' AND suspended IS NOT NULL LIMIT 1",
  revocations: "SELECT 0 FROM api_keys WHERE revocation_pending_at IS NOT NULL LIMIT 1",
  // From the day after, UTC, when quotas begin anew.
  unrecordedScans:
    "SELECT (created_at / 86400000 + 1) * 86400000 FROM dead_letters WHERE queue = 'scans' ORDER BY id LIMIT 1",
  events: "SELECT 0 FROM outbox WHERE workspace_id > '' LIMIT 1",
  waitingBytes: "SELECT 0 FROM workspaces WHERE id > '' AND waiting_bytes > 0 LIMIT 1",
  publications:
    "SELECT changed_at FROM pending_publications WHERE changed_at >= 0 ORDER BY changed_at LIMIT 1",
  cacheRefusals: "SELECT 0 FROM route_cache_refusals WHERE id = 1",
  unfinishedBulkJobs: "SELECT 0 FROM bulk_jobs WHERE resume_at IS NOT NULL LIMIT 1",
  unfinishedPrints: "SELECT 0 FROM print_jobs WHERE resume_at IS NOT NULL LIMIT 1",
  restored: "SELECT 0 FROM last_runs WHERE name > 'to ' LIMIT 1",
  expiredPrints:
    "SELECT expires_at FROM print_jobs WHERE expires_at IS NOT NULL AND removed_at IS NULL ORDER BY expires_at LIMIT 1",
} as const;

/** A kind of work of the sweep. */
export type Work = keyof typeof oldest | ExpiringKind;

/** Returns the time of the oldest work of each kind, with one query; null for none. */
export async function findOldestWork(db: D1Database): Promise<Readonly<Record<Work, number | null>> | null> {
  const expired = expiring.map((rows) => [rows.kind, oldestExpiring(rows)] as const);
  const columns = [...expired, ...Object.entries(oldest)].map(([work, query]) => `(${query}) AS ${work}`);
  return db.prepare(`SELECT ${columns.join(", ")}`).first<Record<Work, number | null>>();
}
