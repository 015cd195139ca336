import {
  type PageRoute,
  pageIdOf,
  type Route,
  type Versioned,
  type WorkspaceRoute,
  workspaceIdOf,
} from "../../protocol/routes.ts";
import { isPageRoute, isRoute, isWorkspaceRoute } from "../../protocol/route-records.ts";
import { findCodeByHash, findPageById, findWorkspaceById } from "../../store/routing/route-sources.ts";
import type { Deps } from "../deps.ts";
import { perIsolate } from "../isolate-memory.ts";
import { RouteMemory } from "./route-memory.ts";
import { codeRoute, pageRoute, workspaceRoute } from "./routes.ts";
import { routing } from "./timing.ts";

/** A kind of record: how to find it in the catalogue, and where an isolate keeps it. */
export interface RouteKind<T extends Versioned> {
  find(db: D1Database, key: string): Promise<T | null>;
  /** Returns whether a value has everything that a scan needs. */
  isRecord(value: unknown): value is T;
  /** The record of a key that the route cache lacks. If undefined, the catalogue is asked. */
  readonly absent?: T;
  memory(deps: Deps): RouteMemory<T>;
}

/** Codes, by hash. */
export const codeKind: RouteKind<Route> = {
  async find(db, hash) {
    const code = await findCodeByHash(db, hash);
    return code && codeRoute(code);
  },
  isRecord: isRoute,
  memory: perIsolate(() => new RouteMemory(routing.memoryRoutes)),
};

/** Hosted pages, by `pageKey`. */
export const pageKind: RouteKind<PageRoute> = {
  async find(db, key) {
    const page = await findPageById(db, pageIdOf(key) ?? "");
    return page && pageRoute(page);
  },
  isRecord: isPageRoute,
  memory: perIsolate(() => new RouteMemory(routing.memoryPages)),
};

/** A workspace that the route cache lacks was never suspended. */
export const neverSuspended: WorkspaceRoute = { version: 0 };

/** Workspaces, by `workspaceKey`. The route cache only has those that were suspended at least once. */
export const workspaceKind: RouteKind<WorkspaceRoute> = {
  async find(db, key) {
    const workspace = await findWorkspaceById(db, workspaceIdOf(key) ?? "");
    return workspace && workspaceRoute(workspace);
  },
  isRecord: isWorkspaceRoute,
  absent: neverSuspended,
  memory: perIsolate(() => new RouteMemory(routing.memoryWorkspaces)),
};

/** Returns the kind of record stored under a key. */
export function routeKindOf(key: string): RouteKind<Versioned> {
  if (pageIdOf(key) !== null) return pageKind;
  return workspaceIdOf(key) === null ? codeKind : workspaceKind;
}
