import type { Versioned } from "../protocol/routes.ts";

/** How old KV's own cache at an edge may be, in seconds. KV allows 30 and more. */
const cacheTtl = 60;

/** The record under a key of the route cache; null when it has none. */
export async function readRoute<T extends Versioned>(
  routeCache: KVNamespace,
  key: string,
): Promise<T | null> {
  return routeCache.get<T>(key, { type: "json", cacheTtl });
}

/** Writes a record to the route cache. */
export async function writeRoute(routeCache: KVNamespace, key: string, route: Versioned): Promise<void> {
  await routeCache.put(key, JSON.stringify(route));
}
