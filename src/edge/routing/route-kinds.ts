import { perIsolate } from "../../lib/isolate-memory.ts";
import {
  isAliasRoute,
  isDomainRoute,
  isPageRoute,
  isRoute,
  isWorkspaceRoute,
} from "../../protocol/route-records.ts";
import {
  type AliasRoute,
  aliasOfKey,
  type DomainRoute,
  hostOfKey,
  type PageRoute,
  pageIdOf,
  type Route,
  type Versioned,
  type WorkspaceRoute,
  workspaceIdOf,
} from "../../protocol/routes.ts";
import { findPendingVersion } from "../../store/routing/pending-publications.ts";
import {
  findAliases,
  findCodeByHash,
  findDomainByHost,
  findPageById,
  findWorkspaceById,
} from "../../store/routing/route-sources.ts";
import type { EdgeDeps } from "../deps.ts";
import { RouteMemory } from "./route-memory.ts";
import { codeRoute, domainRoute, pageRoute, workspaceRoute } from "./routes.ts";
import { routing } from "./timing.ts";

/** A kind of record: how to find it in the catalogue, and where an isolate keeps it. */
export interface RouteKind<T extends Versioned> {
  find(db: D1Database, key: string): Promise<T | null>;
  /** Returns whether a value has everything that a scan needs. */
  isRecord(value: unknown): value is T;
  /** The record of a key that the route cache lacks. If undefined, the catalogue is asked. */
  readonly absent?: T;
  /** Returns whether a record says that there is nothing under the key. */
  isAbsence?(record: T): boolean;
  memory(deps: EdgeDeps): RouteMemory<T>;
}

/** Codes, by hash. */
export const codeKind: RouteKind<Route> = {
  async find(db, hash) {
    const code = await findCodeByHash(db, hash);
    return code && codeRoute(code);
  },
  isRecord: isRoute,
  memory: perIsolate(() => new RouteMemory(routing.memoryRoutes, routing.memoryRouteBytes)),
};

/** Hosted pages, by `pageKey`. */
export const pageKind: RouteKind<PageRoute> = {
  async find(db, key) {
    const page = await findPageById(db, pageIdOf(key) ?? "");
    return page && pageRoute(page);
  },
  isRecord: isPageRoute,
  memory: perIsolate(() => new RouteMemory(routing.memoryPages, routing.memoryPageBytes)),
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

const noDomain: DomainRoute = { version: 0, status: "none", workspaceId: "" };

/** Hosts, by `domainKey`. The route cache has all that a workspace ever proved. */
export const domainKind: RouteKind<DomainRoute> = {
  async find(db, key) {
    const domain = await findDomainByHost(db, hostOfKey(key) ?? "");
    if (domain !== null) return domainRoute(domain);
    // The version that a deletion publishes.
    return { ...noDomain, version: (await findPendingVersion(db, key)) ?? 0 };
  },
  isRecord: isDomainRoute,
  absent: noDomain,
  isAbsence: ({ status }) => status === "none",
  memory: perIsolate(() => new RouteMemory(routing.memoryDomains)),
};

/** Aliases, by `aliasKey`. The route cache has all that there ever were. */
export const aliasKind: RouteKind<AliasRoute> = {
  async find(db, key) {
    const alias = aliasOfKey(key);
    const [found] = alias === null ? [] : await findAliases(db, alias.workspaceId, [alias.address]);
    return found ?? null;
  },
  isRecord: isAliasRoute,
  absent: { version: 0, hash: null },
  isAbsence: ({ hash }) => hash === null,
  memory: perIsolate(() => new RouteMemory(routing.memoryRoutes)),
};

/** The kinds whose keys begin with their name. */
const prefixed: Readonly<Record<string, RouteKind<Versioned>>> = {
  page: pageKind,
  workspace: workspaceKind,
  domain: domainKind,
  alias: aliasKind,
};

/** Returns the kind of record stored under a key. No hash contains a colon. */
export function routeKindOf(key: string): RouteKind<Versioned> {
  const [, prefix = ""] = /^(\w+):/.exec(key) ?? [];
  return prefixed[prefix] ?? codeKind;
}
