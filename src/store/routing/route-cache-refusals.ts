/**
 * Why the route cache refuses all writes: the account has used up its writes of the day (UTC), or anything else. Plain
 * SQL, because the redirect would load drizzle for it alone.
 */
export type RefusalCause = "quota" | "outage";

/** Since when the route cache refuses all writes of the installation, epoch milliseconds, and why. */
export interface Refusal {
  readonly cause: RefusalCause;
  readonly since: number;
}

/** The refusal that lasts; null if the route cache takes writes. */
export function findRefusal(db: D1Database): Promise<Refusal | null> {
  return db.prepare("SELECT cause, since FROM route_cache_refusals WHERE id = 1").first<Refusal>();
}

/** Notes that the route cache refuses writes. Of a refusal that lasts, only the cause may change. */
export async function noteRefusal(db: D1Database, { cause, since }: Refusal): Promise<void> {
  await db
    .prepare(
      `INSERT INTO route_cache_refusals (id, cause, since) VALUES (1, ?, ?)
       ON CONFLICT (id) DO UPDATE SET cause = excluded.cause`,
    )
    .bind(cause, since)
    .run();
}

/** Notes that the route cache takes writes again. */
export async function endRefusal(db: D1Database): Promise<void> {
  await db.prepare("DELETE FROM route_cache_refusals WHERE id = 1").run();
}
