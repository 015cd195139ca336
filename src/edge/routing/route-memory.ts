import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Versioned } from "../../protocol/routes.ts";
import { routing } from "./timing.ts";

interface Remembered<T> {
  readonly route: T;
  /** When the read of the route began, epoch milliseconds. */
  readonly readAt: number;
}

/** The routes that an isolate remembers, for a few seconds each. */
export class RouteMemory<T extends Versioned> {
  readonly #routes: BoundedMap<string, Remembered<T>>;

  /** @param capacity how many routes it holds, of at most `maxBytes` together */
  constructor(capacity: number, maxBytes?: number) {
    this.#routes = new BoundedMap(capacity, maxBytes);
  }

  /** Returns a route that is recent enough and has at least the version `minVersion`. */
  recall(key: string, now: number, minVersion: number): T | undefined {
    const remembered = this.#routes.get(key);
    if (remembered === undefined || now - remembered.readAt > routing.memoryMilliseconds) return undefined;
    return remembered.route.version >= minVersion ? remembered.route : undefined;
  }

  /** Returns the route remembered last, however old. */
  last(key: string): T | undefined {
    return this.#routes.get(key)?.route;
  }

  /** Remembers a route, unless a newer one is remembered. @returns the newer of the two */
  remember(key: string, route: T, readAt: number): T {
    const known = this.#routes.get(key);
    if (known !== undefined && known.route.version > route.version) return known.route;
    this.#routes.set(key, { route, readAt });
    return route;
  }
}
