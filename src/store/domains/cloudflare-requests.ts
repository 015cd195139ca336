/** Counts requests to Cloudflare's API, of the whole installation, in the current period. */

/** Counts a request, unless the period has had the most. @returns whether it may be made */
export async function takeRequest(db: D1Database, period: number, most: number): Promise<boolean> {
  const taken = await db
    .prepare(
      `INSERT INTO cloudflare_requests (id, period, requests) VALUES (1, ?1, 1)
       ON CONFLICT (id) DO UPDATE SET period = ?1, requests = iif(period = ?1, requests, 0) + 1
         WHERE period <> ?1 OR requests < ?2
       RETURNING requests`,
    )
    .bind(period, most)
    .first();
  return taken !== null;
}

/** Returns how many requests a period has had. */
export async function countRequests(db: D1Database, period: number): Promise<number> {
  const requests = await db
    .prepare("SELECT requests FROM cloudflare_requests WHERE id = 1 AND period = ?")
    .bind(period)
    .first<number>("requests");
  return requests ?? 0;
}
