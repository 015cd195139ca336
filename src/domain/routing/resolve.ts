import { describeError, log } from "../../lib/log.ts";
import { type PageRoute, pageKey, type Versioned } from "../../protocol/routes.ts";
import { readRoute } from "../../store/route-cache.ts";
import type { Deps } from "../deps.ts";
import { type Miss, unknownHashThrottle } from "../throttle.ts";
import { logSometimes, refreshView } from "./feed-refresh.ts";
import { feedView } from "./feed-view.ts";
import { fillCache } from "./publish.ts";
import type { RequestContext } from "./request-context.ts";
import { pageKind, type RouteKind } from "./route-kinds.ts";
import { routing } from "./timing.ts";

/**
 * The record under a key. A network that looks up too many unknown keys is throttled. A record is unavailable when only
 * the catalogue has it and can't be read now.
 */
export type Resolution<T> = T | "unknown" | "throttled" | "unavailable";

/** The record from the isolate's memory, if it may be relied on. Nearly every scan takes this way, without I/O. */
export function recall<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  now: number,
): T | undefined {
  const view = feedView(deps);
  return view.isFresh(now) ? kind.memory(deps).recall(key, now, view.minVersion(key)) : undefined;
}

/** A hosted page, from memory if possible. */
export async function resolvePage(
  deps: Deps,
  pageId: string,
  context: RequestContext,
): Promise<Resolution<PageRoute>> {
  const key = pageKey(pageId);
  return recall(deps, pageKind, key, deps.now()) ?? resolve(deps, pageKind, key, context);
}

/**
 * The record that memory could not answer. The route cache answers unless the feed lists a newer version; in that case,
 * and when the cache has no record, the catalogue answers. Reads take time, so the view of the feed is judged when the
 * answer is chosen, and read again if it has become too old. Without a feed the scan is answered all the same, by a
 * record that may be as old as the route cache's lag.
 */
export async function resolve<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  context: RequestContext,
): Promise<Resolution<T>> {
  const started = deps.now();
  const view = feedView(deps);
  const memory = kind.memory(deps);
  /** The route cache's record: undefined until it has been read, null if there is none. */
  let cached: T | null | undefined;
  let found: T | undefined;
  for (let round = 1; ; round += 1) {
    const began = deps.now();
    if (!view.isFresh(began)) {
      const remembered = memory.recall(key, began, 0);
      const [fresh, read] = await Promise.all([
        refreshView(deps, context),
        cached === undefined && remembered === undefined ? readCache<T>(deps, key) : cached,
      ]);
      cached = read;
      if (!fresh) {
        logSometimes(deps, "scan answered without a fresh feed", { key, region: context.region });
        if (found !== undefined) return found;
        if (cached === undefined) cached = await readCache<T>(deps, key);
        return cached ?? fromCatalogue(deps, kind, key, context, "unknown");
      }
    }
    const earlier = found;
    found = memory.recall(key, deps.now(), view.minVersion(key));
    if (found === undefined) {
      if (cached === undefined) cached = await readCache<T>(deps, key);
      if (cached !== null && cached.version >= view.minVersion(key)) {
        found = memory.remember(key, cached, started);
      } else {
        const isKnown = cached !== null || earlier !== undefined || view.minVersion(key) > 0;
        const read = await fromCatalogue(deps, kind, key, context, isKnown ? "known" : "unknown");
        // An old route is better than none.
        if (read === "unavailable") return earlier ?? cached ?? read;
        if (typeof read === "string") return read;
        found = read;
      }
    }
    if (view.isFresh(deps.now()) && found.version >= view.minVersion(key)) return found;
    if (round === routing.readRounds) {
      log("warn", "scan answered by reads that took too long", { key, region: context.region });
      return found;
    }
  }
}

async function readCache<T extends Versioned>(deps: Deps, key: string): Promise<T | null> {
  try {
    return await readRoute<T>(deps.routeCache, key);
  } catch (error) {
    log("error", "route cache not read", { key, error: describeError(error) });
    return null;
  }
}

/**
 * @param existence whether the key is known to exist; the look-up of a known one is never throttled
 * @returns `unavailable` also for a network that is throttled and has too many look-ups under way
 */
async function fromCatalogue<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  context: RequestContext,
  existence: "known" | "unknown",
): Promise<Resolution<T>> {
  const began = deps.now();
  const find = () => kind.find(deps.db, key);
  let route: T | Miss;
  try {
    route =
      existence === "known"
        ? ((await find()) ?? "unknown")
        : await unknownHashThrottle(deps).lookUp(context.clientAddress, find);
  } catch (error) {
    log("error", "catalogue not read for a scan", { key, error: describeError(error) });
    return "unavailable";
  }
  if (route === "busy") return "unavailable";
  if (route === "unknown" || route === "throttled") return route;
  if (existence === "unknown") context.defer(fillCache(deps, key, route));
  return kind.memory(deps).remember(key, route, began);
}
