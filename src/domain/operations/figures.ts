import * as store from "../../store/operations/figures.ts";
import type { Deps } from "../deps.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

/** The counts of the last hour and the last day, and the scans of each hour of the day. */
export interface RecentFigures {
  readonly hour: store.Figures;
  readonly day: store.Figures;
  readonly scansByHour: readonly { readonly start: number; readonly scans: number }[];
}

/** Reads what the installation did. Counts arrive within half a minute, in intervals of five. */
export async function recentFigures({ db, now }: Deps): Promise<RecentFigures> {
  const until = now();
  const rows = await store.readFigures(db, until - day);
  const firstHour = until - (until % hour) - day + hour;
  return {
    hour: sumOf(rows.filter(({ at }) => at >= until - hour)),
    day: sumOf(rows),
    scansByHour: Array.from({ length: 24 }, (_, i) => {
      const start = firstHour + i * hour;
      const own = rows.filter(({ at }) => at >= start && at < start + hour);
      return { start, scans: own.reduce((sum, { scans }) => sum + scans, 0) };
    }),
  };
}

/** Adds up the counts of intervals. */
export const sumOf = (rows: readonly store.Figures[]): store.Figures =>
  rows.reduce(
    (sum, row) => ({
      scans: sum.scans + row.scans,
      requests: sum.requests + row.requests,
      failedRequests: sum.failedRequests + row.failedRequests,
      deliveries: sum.deliveries + row.deliveries,
      failedDeliveries: sum.failedDeliveries + row.failedDeliveries,
    }),
    store.noFigures,
  );
