import type { PageContent } from "../contract/resources/pages.ts";
import type { QrData } from "../contract/resources/qr-data.ts";
import type { PageRoute, Route, Versioned } from "../protocol/routes.ts";
import { leadsTo } from "../domain/routing/route-target.ts";

/**
 * The route cache (KV) and its truth (D1). Plain SQL and no drizzle here: the redirect loads this module, and
 * must start fast.
 */

/** KV's own cache at each edge may be this old, in seconds. 30 is the least that KV allows. */
const cacheTtl = 60;

export async function readRoute<T extends Versioned>(routes: KVNamespace, key: string): Promise<T | null> {
  return routes.get<T>(key, { type: "json", cacheTtl });
}

export async function writeRoute(routes: KVNamespace, key: string, route: Versioned): Promise<void> {
  await routes.put(key, JSON.stringify(route));
}

interface RouteRow {
  version: number;
  qrId: string;
  workspaceId: string;
  type: Route["type"];
  status: Route["status"];
  data: string;
  deletedAt: number | null;
}

/**
 * What the catalogue itself says of a hash; null when no code ever had it. Asks the primary: a replica that
 * lags would not know a code that was made a second ago. One of the named reads without an owner.
 */
export async function findRoute(db: D1Database, hash: string): Promise<Route | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT version, id AS qrId, workspace_id AS workspaceId, qr_type AS type, status, data,
         deleted_at AS deletedAt FROM qr_codes WHERE hash = ?`,
    )
    .bind(hash)
    .first<RouteRow>();
  if (row === null) return null;
  const { data, deletedAt, ...route } = row;
  const leads = leadsTo(JSON.parse(data) as QrData);
  return { ...route, status: deletedAt === null ? route.status : "deleted", ...leads };
}

const pagePrefix = "page:";

/** The key that a hosted page stands under at the edges. No hash has a colon. */
export const pageKey = (pageId: string): string => `${pagePrefix}${pageId}`;

/** Whether a key is a hosted page's. */
export const isPageKey = (key: string): boolean => key.startsWith(pagePrefix);

interface PageRow {
  version: number;
  pageId: string;
  workspaceId: string;
  content: string;
  deletedAt: number | null;
}

/** What the catalogue says of a hosted page's key, as `findRoute` of a hash. Without an owner too: a page is public. */
export async function findPageRoute(db: D1Database, key: string): Promise<PageRoute | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT version, id AS pageId, workspace_id AS workspaceId, content, deleted_at AS deletedAt
       FROM pages WHERE id = ?`,
    )
    .bind(key.slice(pagePrefix.length))
    .first<PageRow>();
  if (row === null) return null;
  const { content, deletedAt, ...route } = row;
  return {
    ...route,
    status: deletedAt === null ? "active" : "deleted",
    content: JSON.parse(content) as PageContent,
  };
}
