import { hasRecordFormat, recordFormat } from "../../protocol/route-records.ts";
import type { Versioned } from "../../protocol/routes.ts";

/** How long, in seconds, KV may cache a record at an edge. KV's minimum is 30. */
const cacheTtl = 60;

/**
 * Returns a record of the route cache; null if there is none, `unreadable` for another format or shape.
 * @param isRecord whether a value has the shape of the record
 */
export async function readRoute<T extends Versioned>(
  routeCache: KVNamespace,
  key: string,
  isRecord: (value: unknown) => value is T,
): Promise<T | null | "unreadable"> {
  const value = await readRecord(routeCache, key);
  if (value === null) return null;
  return hasRecordFormat(value) && isRecord(value) ? value : "unreadable";
}

/** Returns the JSON under a key; null if there is none, undefined if it isn't JSON. */
async function readRecord(routeCache: KVNamespace, key: string): Promise<unknown> {
  try {
    return await routeCache.get(key, { type: "json", cacheTtl });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Writes a record to the route cache. */
export async function writeRoute(routeCache: KVNamespace, key: string, route: Versioned): Promise<void> {
  await routeCache.put(key, JSON.stringify({ ...route, format: recordFormat }));
}
