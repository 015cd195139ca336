import type { Route } from "../contract/routes.ts";
import { routing } from "../contract/routing.ts";
import { BoundedMap } from "../lib/bounded-map.ts";

interface RememberedRoute {
  readonly route: Route;
  /** When reading it began, epoch milliseconds. */
  readonly readAt: number;
}

/** The routes an isolate remembers, for a few seconds each. */
export class RouteMemory {
  readonly #routes = new BoundedMap<string, RememberedRoute>(routing.memoryRoutes);

  /** A route young enough to be used, of at least the version `floor`. */
  recall(hash: string, now: number, floor: number): Route | undefined {
    const remembered = this.#routes.get(hash);
    if (remembered === undefined || now - remembered.readAt > routing.memoryMilliseconds) return undefined;
    return remembered.route.version >= floor ? remembered.route : undefined;
  }

  /** Remembers a route, unless a newer one is remembered. @returns the newer of the two */
  remember(hash: string, route: Route, readAt: number): Route {
    const known = this.#routes.get(hash);
    if (known !== undefined && known.route.version > route.version) return known.route;
    this.#routes.set(hash, { route, readAt });
    return route;
  }
}
