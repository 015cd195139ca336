import type { PageRoute, Versioned } from "../../protocol/routes.ts";
import { type Region, routing } from "../../protocol/routing.ts";
import type { Deps } from "../../composition.ts";
import { describeError, log } from "../../lib/log.ts";
import { within } from "../../lib/with-timeout.ts";
import { pageKey, readRoute } from "../../store/routes.ts";
import { fillCache } from "./publish.ts";
import { pageKind, type RouteKind } from "./route-kinds.ts";
import type { Visit } from "./visit.ts";

/** What holds under a key. `barred` is an address that guesses keys. */
export type Resolution<T> = T | "unknown" | "barred";

/** The route from the isolate's memory, if that may be relied on: the way of nearly every scan, without I/O. */
export function recall<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  now: number,
): T | undefined {
  const { view } = deps.memory;
  if (!view.isFresh(now)) return undefined;
  return kind.memory(deps).recall(key, now, view.floor(key));
}

/** A hosted page: from memory, or else by all that is known. */
export async function resolvePage(deps: Deps, pageId: string, visit: Visit): Promise<Resolution<PageRoute>> {
  const key = pageKey(pageId);
  return recall(deps, pageKind, key, deps.now()) ?? resolve(deps, pageKind, key, visit);
}

/**
 * The route by all that is known: the route cache answers unless the feed knows of a newer version; then, and
 * when the cache has nothing, the catalogue does. Without a feed the scan is served all the same, and the
 * route cache's lag bounds how old its route can be.
 */
export async function resolve<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  visit: Visit,
): Promise<Resolution<T>> {
  const began = deps.now();
  const { view } = deps.memory;
  const memory = kind.memory(deps);
  let cached: T | null | undefined;
  if (!view.isFresh(began)) {
    const remembered = memory.recall(key, began, 0);
    const [fresh, read] = await Promise.all([
      refreshView(deps, visit.region),
      remembered === undefined ? readCache<T>(deps, key) : undefined,
    ]);
    if (!fresh) {
      log("warn", "scan served without a fresh feed", { key, region: visit.region });
      return (
        (read === undefined ? await readCache<T>(deps, key) : read) ??
        fromCatalogue(deps, kind, key, visit, null)
      );
    }
    const recalled = memory.recall(key, began, view.floor(key));
    if (recalled !== undefined) return recalled;
    cached = read;
  }
  cached ??= await readCache<T>(deps, key);
  if (cached !== null && cached.version >= view.floor(key)) return memory.remember(key, cached, began);
  return fromCatalogue(deps, kind, key, visit, cached);
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

async function readCache<T extends Versioned>(deps: Deps, key: string): Promise<T | null> {
  try {
    return await readRoute<T>(deps.routes, key);
  } catch (error) {
    log("error", "route cache not read", { key, error: describeError(error) });
    return null;
  }
}

/** @param stale what the route cache says, to fall back on: an old route is better than none */
async function fromCatalogue<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  visit: Visit,
  stale: T | null,
): Promise<Resolution<T>> {
  const began = deps.now();
  if (stale === null && deps.unknownHashes.wait(visit.address, began) > 0) return "barred";
  let route: T | null;
  try {
    route = await kind.find(deps.db, key);
  } catch (error) {
    log("error", "catalogue not read for a scan", { key, error: describeError(error) });
    if (stale !== null) return stale;
    throw error;
  }
  if (route === null) {
    await deps.unknownHashes.miss(visit.address, began);
    return "unknown";
  }
  if (stale === null) visit.defer(fillCache(deps, key, route));
  return kind.memory(deps).remember(key, route, began);
}
