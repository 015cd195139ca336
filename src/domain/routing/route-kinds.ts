import type { PageRoute, Route, Versioned } from "../../protocol/routes.ts";
import type { Deps } from "../../composition.ts";
import { findPageRoute, findRoute, isPageKey } from "../../store/routes.ts";
import type { RouteMemory } from "./route-memory.ts";

/** What is kept at the edges: how the catalogue finds it, and where an isolate remembers it. */
export interface RouteKind<T extends Versioned> {
  find(db: D1Database, key: string): Promise<T | null>;
  memory(deps: Deps): RouteMemory<T>;
}

export const codeKind: RouteKind<Route> = { find: findRoute, memory: (deps) => deps.memory.routes };

export const pageKind: RouteKind<PageRoute> = { find: findPageRoute, memory: (deps) => deps.memory.pages };

/** The kind of what stands under a key. */
export const routeKindOf = (key: string): RouteKind<Route> | RouteKind<PageRoute> =>
  isPageKey(key) ? pageKind : codeKind;
