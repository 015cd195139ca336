import type { Versioned } from "../../protocol/routes.ts";
import { regions, routing } from "../../protocol/routing.ts";
import type { Deps } from "../../composition.ts";
import { describeError, log } from "../../lib/log.ts";
import { within } from "../../lib/with-timeout.ts";
import { writeRoute } from "../../store/routes.ts";
import { settleRoute, takeUnsettled } from "../../store/pending-publications.ts";
import { type RouteKind, routeKindOf } from "./route-kinds.ts";

/**
 * Tells every edge what holds under a key from now on: all regions' feeds and the route cache, before the change is
 * answered. What fails is repaired later, and what may have raced is made to converge; that the catalogue lists
 * the route as unsettled makes sure of both.
 */
export async function publishChange<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  route: T,
): Promise<void> {
  kind.memory(deps).remember(key, route, deps.now());
  const told = await tellEdges(deps, key, route);
  await queueRepair(deps, key, told ? routing.convergeSeconds : 0);
}

/** @returns whether the queue took it; if not, the sweep will find the route unsettled */
async function queueRepair(deps: Deps, key: string, delaySeconds: number): Promise<boolean> {
  try {
    await deps.routeRepairs.send({ key }, { delaySeconds });
    return true;
  } catch (error) {
    log("error", "route repair not queued", { key, error: describeError(error) });
    return false;
  }
}

/** Puts a route into the route cache that was not there: a new code's, or one a scan had to look up. */
export async function fillCache(deps: Deps, key: string, route: Versioned): Promise<void> {
  try {
    await writeRoute(deps.routes, key, route);
  } catch (error) {
    log("warn", "route cache not filled", { key, error: describeError(error) });
  }
}

/** Makes the feeds and the route cache say what the catalogue says. @returns whether they do now */
export async function repairRoute(deps: Deps, key: string): Promise<boolean> {
  const route = await routeKindOf(key).find(deps.db, key);
  if (route === null) return true;
  if (!(await tellEdges(deps, key, route))) return false;
  await settleRoute(deps.db, key, route.version);
  return true;
}

/** At most this many routes are taken up in one sweep. */
const swept = 500;

/** Repairs, by the queue if it answers, what was left behind between the catalogue and the caches. */
export async function repairUnsettledRoutes(deps: Deps): Promise<void> {
  const now = deps.now();
  const keys = await takeUnsettled(deps.db, now - routing.unsettledMilliseconds, now, swept);
  for (const key of keys) {
    if (!(await queueRepair(deps, key, 0))) await repairRoute(deps, key);
  }
}

/** @returns whether all were told */
async function tellEdges(deps: Deps, key: string, route: Versioned): Promise<boolean> {
  const now = deps.now();
  const tell = async (whom: string, work: Promise<unknown>) => {
    try {
      await within(routing.publishBudgetMilliseconds, work);
      return true;
    } catch (error) {
      log("error", "route not published", { key, whom, error: describeError(error) });
      return false;
    }
  };
  const results = await Promise.all([
    tell("route cache", writeRoute(deps.routes, key, route)),
    ...regions.map((region) =>
      tell(region, (async () => deps.feed(region).publish(key, route.version, now))()),
    ),
  ]);
  return results.every((told) => told);
}
