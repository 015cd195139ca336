import type { RefusalCause } from "../schema/operations.ts";

// Plain SQL, because the redirect would load drizzle only for this module.

/** Since when, in epoch milliseconds, and why the route cache refuses all of the installation's writes. */
export interface Refusal {
  readonly cause: RefusalCause;
  readonly since: number;
}

/** Returns the current refusal; null if the route cache accepts writes. */
export function findRefusal(db: D1Database): Promise<Refusal | null> {
  return db.prepare("SELECT cause, since FROM route_cache_refusals WHERE id = 1").first<Refusal>();
}

/** Records that the route cache refuses writes. During a refusal, only its cause may change. */
export async function noteRefusal(db: D1Database, { cause, since }: Refusal): Promise<void> {
  await db
    .prepare(
      `INSERT INTO route_cache_refusals (id, cause, since) VALUES (1, ?, ?)
       ON CONFLICT (id) DO UPDATE SET cause = excluded.cause`,
    )
    .bind(cause, since)
    .run();
}

/** Records that the route cache accepts writes again. */
export async function endRefusal(db: D1Database): Promise<void> {
  await db.prepare("DELETE FROM route_cache_refusals WHERE id = 1").run();
}
