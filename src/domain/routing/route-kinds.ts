import { type PageRoute, pageIdOf, type Route, type Versioned } from "../../protocol/routes.ts";
import { findCodeByHash, findPageById } from "../../store/route-sources.ts";
import type { Deps } from "../deps.ts";
import { perIsolate } from "../isolate-memory.ts";
import { RouteMemory } from "./route-memory.ts";
import { codeRoute, pageRoute } from "./routes.ts";
import { routing } from "./timing.ts";

/** A kind of record at the edges: how to find it in the catalogue, and where an isolate remembers it. */
export interface RouteKind<T extends Versioned> {
  find(db: D1Database, key: string): Promise<T | null>;
  memory(deps: Deps): RouteMemory<T>;
}

/** Codes, by hash. */
export const codeKind: RouteKind<Route> = {
  async find(db, hash) {
    const code = await findCodeByHash(db, hash);
    return code && codeRoute(code);
  },
  memory: perIsolate(() => new RouteMemory(routing.memoryRoutes)),
};

/** Hosted pages, by `pageKey`. */
export const pageKind: RouteKind<PageRoute> = {
  async find(db, key) {
    const page = await findPageById(db, pageIdOf(key) ?? "");
    return page && pageRoute(page);
  },
  memory: perIsolate(() => new RouteMemory(routing.memoryPages)),
};

/** The kind of the record under a key. */
export const routeKindOf = (key: string): RouteKind<Route> | RouteKind<PageRoute> =>
  pageIdOf(key) === null ? codeKind : pageKind;
