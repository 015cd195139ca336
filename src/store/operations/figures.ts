import { bounds } from "../../protocol/bounds.ts";

/** How much the installation does. Belongs to the installation. Times are epoch milliseconds. */

/** Counts of recorded scans; of other requests, and those answered 5xx; of attempted deliveries, and those that failed. */
export interface Figures {
  readonly scans: number;
  readonly requests: number;
  readonly failedRequests: number;
  readonly deliveries: number;
  readonly failedDeliveries: number;
}

export const noFigures: Figures = {
  scans: 0,
  requests: 0,
  failedRequests: 0,
  deliveries: 0,
  failedDeliveries: 0,
};

const columns = `scans, requests, failed_requests, deliveries, failed_deliveries`;

/** Adds to the counts of an interval. One row is written. @param at a time in the interval */
export async function addFigures(db: D1Database, at: number, figures: Figures): Promise<void> {
  const { scans, requests, failedRequests, deliveries, failedDeliveries } = figures;
  await db
    .prepare(
      `INSERT INTO figures (at, ${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
       ON CONFLICT (at) DO UPDATE SET scans = scans + ?2, requests = requests + ?3,
         failed_requests = failed_requests + ?4, deliveries = deliveries + ?5, failed_deliveries = failed_deliveries + ?6`,
    )
    .bind(at - (at % bounds.figures.interval), scans, requests, failedRequests, deliveries, failedDeliveries)
    .run();
}

/** The counts of an interval. */
export interface FiguresRow extends Figures {
  readonly at: number;
}

/** Returns the counts of the intervals that begin at `since` or later, oldest first. */
export async function readFigures(db: D1Database, since: number): Promise<FiguresRow[]> {
  const { results } = await db
    .prepare(
      `SELECT at, scans, requests, failed_requests AS failedRequests, deliveries,
         failed_deliveries AS failedDeliveries FROM figures WHERE at >= ? ORDER BY at`,
    )
    .bind(since)
    .all<FiguresRow>();
  return results;
}
