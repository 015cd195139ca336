import type { Versioned } from "../../protocol/routes.ts";
import { routing } from "../../protocol/routing.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";

interface Remembered<T> {
  readonly route: T;
  /** When reading it began, epoch milliseconds. */
  readonly readAt: number;
}

/** The routes an isolate remembers, for a few seconds each. */
export class RouteMemory<T extends Versioned> {
  readonly #routes: BoundedMap<string, Remembered<T>>;

  /** @param capacity routes at most */
  constructor(capacity: number) {
    this.#routes = new BoundedMap(capacity);
  }

  /** A route young enough to be used, of at least the version `floor`. */
  recall(key: string, now: number, floor: number): T | undefined {
    const remembered = this.#routes.get(key);
    if (remembered === undefined || now - remembered.readAt > routing.memoryMilliseconds) return undefined;
    return remembered.route.version >= floor ? remembered.route : undefined;
  }

  /** Remembers a route, unless a newer one is remembered. @returns the newer of the two */
  remember(key: string, route: T, readAt: number): T {
    const known = this.#routes.get(key);
    if (known !== undefined && known.route.version > route.version) return known.route;
    this.#routes.set(key, { route, readAt });
    return route;
  }
}
