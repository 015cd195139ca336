import type { Route } from "../contract/routes.ts";
import { regions, routing } from "../contract/routing.ts";
import type { Deps } from "../deps.ts";
import { describeError, log } from "../lib/log.ts";
import { within } from "../lib/within.ts";
import { findRoute, writeRoute } from "../store/routes.ts";
import { takeUnsettled, settleRoute } from "../store/unsettled-routes.ts";

/**
 * Tells every edge where a hash leads from now on: all regions' feeds and the route cache, before the change is
 * answered. What fails is repaired later, and what may have raced is made to converge; that the catalogue lists
 * the route as unsettled makes sure of both.
 */
export async function publishChange(deps: Deps, hash: string, route: Route): Promise<void> {
  deps.memory.routes.remember(hash, route, deps.now());
  const told = await tellEdges(deps, hash, route);
  await queueRepair(deps, hash, told ? routing.convergeSeconds : 0);
}

/** @returns whether the queue took it; if not, the sweep will find the route unsettled */
async function queueRepair(deps: Deps, hash: string, delaySeconds: number): Promise<boolean> {
  try {
    await deps.routeRepairs.send({ hash }, { delaySeconds });
    return true;
  } catch (error) {
    log("error", "route repair not queued", { hash, error: describeError(error) });
    return false;
  }
}

/** Puts a route into the route cache that was not there: a new code's, or one a scan had to look up. */
export async function fillCache(deps: Deps, hash: string, route: Route): Promise<void> {
  try {
    await writeRoute(deps.routes, hash, route);
  } catch (error) {
    log("warn", "route cache not filled", { hash, error: describeError(error) });
  }
}

/** Makes the feeds and the route cache say what the catalogue says. @returns whether they do now */
export async function repairRoute(deps: Deps, hash: string): Promise<boolean> {
  const route = await findRoute(deps.db, hash);
  if (route === null) return true;
  if (!(await tellEdges(deps, hash, route))) return false;
  await settleRoute(deps.db, hash, route.version);
  return true;
}

/** At most this many routes are taken up in one sweep. */
const swept = 500;

/** Repairs, by the queue if it answers, what was left behind between the catalogue and the caches. */
export async function repairUnsettledRoutes(deps: Deps): Promise<void> {
  const now = deps.now();
  const hashes = await takeUnsettled(deps.db, now - routing.unsettledMilliseconds, now, swept);
  for (const hash of hashes) {
    if (!(await queueRepair(deps, hash, 0))) await repairRoute(deps, hash);
  }
}

/** @returns whether all were told */
async function tellEdges(deps: Deps, hash: string, route: Route): Promise<boolean> {
  const now = deps.now();
  const tell = async (whom: string, work: Promise<unknown>) => {
    try {
      await within(routing.publishBudgetMilliseconds, work);
      return true;
    } catch (error) {
      log("error", "route not published", { hash, whom, error: describeError(error) });
      return false;
    }
  };
  const results = await Promise.all([
    tell("route cache", writeRoute(deps.routes, hash, route)),
    ...regions.map((region) =>
      tell(region, (async () => deps.feed(region).publish(hash, route.version, now))()),
    ),
  ]);
  return results.every((told) => told);
}
