import { routeKindOf } from "../../edge/routing/route-kinds.ts";
import { log } from "../../lib/log.ts";
import { pickKnownRoutes, republishKnownRoutes } from "../../store/routing/known-routes.ts";
import type { PendingPublication } from "../../store/routing/pending-publications.ts";
import { readRoute } from "../../store/routing/route-cache.ts";
import type { Deps } from "../deps.ts";

/** How many routes one sweep has published again, as many as it can repair. */
const atOnce = 500;

/**
 * Returns those of a random domain and a random suspended workspace whose route isn't in the route cache, or only an older
 * one. For scans, a domain that it lacks is none, and a workspace that it lacks isn't suspended.
 */
export async function findLostRoutes(deps: Deps): Promise<PendingPublication[]> {
  const lost: PendingPublication[] = [];
  for (const known of await pickKnownRoutes(deps.db)) {
    const record = await readRoute(deps.routeCache, known.key, routeKindOf(known.key).isRecord);
    const isThere = record !== null && record !== "unreadable" && record.version >= known.version;
    if (!isThere) lost.push(known);
  }
  return lost;
}

/**
 * Compares a domain and a suspended workspace with the route cache. If it lost one, as a new or emptied namespace loses
 * all, those of all domains and suspended workspaces are published again.
 */
export async function healRouteCache(deps: Deps): Promise<void> {
  const lost = await findLostRoutes(deps);
  if (lost.length === 0) return;
  log("error", "route cache lost routes", { keys: lost.map(({ key }) => key) });
  await republishKnownRoutes(deps.db, atOnce);
}
