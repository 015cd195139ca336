import type { Miniflare } from "miniflare";

/** Lifts the limit of requests a minute from all workspaces, for measurements that make far more than a plan allows. */
export async function liftRequestLimits(miniflare: Miniflare): Promise<void> {
  const db = await miniflare.getD1Database("DB");
  await db
    .prepare("UPDATE workspaces SET requests_per_minute = 1000000, plan_version = plan_version + 1")
    .run();
}
