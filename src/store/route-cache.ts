import type { Versioned } from "../protocol/routes.ts";

/** How long KV may cache a record at an edge, in seconds. KV's minimum is 30. */
const cacheTtl = 60;

/** A record of the route cache; null when there is none. */
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
