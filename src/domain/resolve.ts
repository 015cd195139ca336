import type { Route } from "../contract/routes.ts";
import { type Region, routing } from "../contract/routing.ts";
import type { Deps } from "../deps.ts";
import { describeError, log } from "../lib/log.ts";
import { within } from "../lib/within.ts";
import { findRoute, readRoute } from "../store/routes.ts";
import { fillCache } from "./publish.ts";

/** Where a hash leads. `barred` is an address that guesses hashes. */
export type Resolution = Route | "unknown" | "barred";

/** What the slow way needs to know of a request. */
export interface Visit {
  /** The client's address. */
  readonly address: string;
  readonly region: Region;
  /** Takes work to be done after the answer. */
  defer(work: Promise<unknown>): void;
}

/** The route from the isolate's memory, if that may be relied on: the way of nearly every scan, without I/O. */
export function recall(deps: Deps, hash: string, now: number): Route | undefined {
  const { view } = deps.memory;
  if (!view.isFresh(now)) return undefined;
  return deps.memory.routes.recall(hash, now, view.floor(hash));
}

/**
 * The route by all that is known: the route cache answers unless the feed knows of a newer version; then, and
 * when the cache has nothing, the catalogue does. Without a feed the scan is served all the same, and the
 * route cache's lag bounds how old its route can be.
 */
export async function resolve(deps: Deps, hash: string, visit: Visit): Promise<Resolution> {
  const began = deps.now();
  const { view, routes } = deps.memory;
  let cached: Route | null | undefined;
  if (!view.isFresh(began)) {
    const remembered = routes.recall(hash, began, 0);
    const [fresh, read] = await Promise.all([
      refreshView(deps, visit.region),
      remembered === undefined ? readCache(deps, hash) : undefined,
    ]);
    if (!fresh) {
      log("warn", "scan served without a fresh feed", { hash, region: visit.region });
      return (
        (read === undefined ? await readCache(deps, hash) : read) ?? fromCatalogue(deps, hash, visit, null)
      );
    }
    const recalled = routes.recall(hash, began, view.floor(hash));
    if (recalled !== undefined) return recalled;
    cached = read;
  }
  cached ??= await readCache(deps, hash);
  if (cached !== null && cached.version >= view.floor(hash)) return routes.remember(hash, cached, began);
  return fromCatalogue(deps, hash, visit, cached);
}

/** Refreshes the isolate's view of its feed, within the time a scan may wait. @returns whether that worked */
export async function refreshView(deps: Deps, region: Region): Promise<boolean> {
  try {
    await within(routing.feedBudgetMilliseconds, deps.memory.view.refresh(deps, region));
    return true;
  } catch (error) {
    log("warn", "feed not read", { region, error: describeError(error) });
    return false;
  }
}

async function readCache(deps: Deps, hash: string): Promise<Route | null> {
  try {
    return await readRoute(deps.routes, hash);
  } catch (error) {
    log("error", "route cache not read", { hash, error: describeError(error) });
    return null;
  }
}

/** @param stale what the route cache says, to fall back on: an old route is better than none */
async function fromCatalogue(
  deps: Deps,
  hash: string,
  visit: Visit,
  stale: Route | null,
): Promise<Resolution> {
  const began = deps.now();
  if (stale === null && deps.unknownHashes.wait(visit.address, began) > 0) return "barred";
  let route: Route | null;
  try {
    route = await findRoute(deps.db, hash);
  } catch (error) {
    log("error", "catalogue not read for a scan", { hash, error: describeError(error) });
    if (stale !== null) return stale;
    throw error;
  }
  if (route === null) {
    await deps.unknownHashes.miss(visit.address, began);
    return "unknown";
  }
  if (stale === null) visit.defer(fillCache(deps, hash, route));
  return deps.memory.routes.remember(hash, route, began);
}
