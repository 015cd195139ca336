import type { QrData } from "../contract/qr-data.ts";
import type { Route } from "../contract/routes.ts";
import { leadsTo } from "./leads.ts";

/**
 * The route cache (KV) and its truth (D1). Plain SQL and no drizzle here: the redirect loads this module, and
 * must start fast.
 */

/** KV's own cache at each edge may be this old, in seconds. 30 is the least that KV allows. */
const cacheTtl = 60;

export async function readRoute(routes: KVNamespace, hash: string): Promise<Route | null> {
  return routes.get<Route>(hash, { type: "json", cacheTtl });
}

export async function writeRoute(routes: KVNamespace, hash: string, route: Route): Promise<void> {
  await routes.put(hash, JSON.stringify(route));
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
