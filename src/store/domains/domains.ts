import { and, eq, isNotNull } from "drizzle-orm";
import { catalogue } from "../catalogue.ts";
import { deleteSurplus } from "../deleted.ts";
import { answer, type Query, query } from "../queries.ts";
import { isSet, resourceKind, roomFor } from "../resources/kind.ts";
import { domains } from "../schema/domains.ts";

export type DomainRow = typeof domains.$inferSelect;

/** Domains as resources. Only one of a workspace is the default. */
export const domainKind = resourceKind(
  domains,
  {
    ...{ id: {}, workspaceId: {}, host: {}, token: {}, isDefault: {}, query: {}, createdAt: {}, version: {} },
    ...{
      problem: {},
      detail: {},
      provedAt: {},
      customHostnameId: {},
      claimedAt: {},
      checkedAt: {},
      checkAt: {},
    },
    ...{
      status: { route: true },
      name: { route: true },
      rootUrl: { route: true },
      unknownUrl: { route: true },
    },
    ...{ deletedAt: { route: true }, suspended: { route: true }, routeVersion: { route: true } },
  },
  {
    publicationKey: "'domain:' || c.host",
    conditions: {
      room: roomFor<DomainRow>("domains"),
      // Of several workspaces that claim a host, one has proved it.
      held: {
        of: ({ after }) => (after.provedAt !== null && after.deletedAt === null ? after.host : undefined),
        sql: (host) =>
          `NOT EXISTS (SELECT 1 FROM domains o WHERE o.host = ${host} AND o.proved_at IS NOT NULL
             AND o.deleted_at IS NULL AND o.id <> s.value->>'id')`,
      },
      twice: {
        of: (change) =>
          change.before === null || isSet(change, "deletedAt") ? change.after.host : undefined,
        sql: (host) =>
          `NOT EXISTS (SELECT 1 FROM domains o WHERE o.workspace_id = w.id AND o.host = ${host}
             AND o.deleted_at IS NULL AND o.id <> s.value->>'id')`,
      },
    },
    sideEffects: (db, change) => {
      const { id, workspaceId, deletedAt, isDefault } = change.after;
      return [
        ...(isDefault && isSet(change, "isDefault")
          ? [db.prepare(otherDefaultsSql).bind(workspaceId, id)]
          : []),
        ...(isSet(change, "deletedAt") && deletedAt !== null
          ? deleteSurplus(db, "domains", workspaceId, deletedAt)
          : []),
      ];
    },
  },
);

const otherDefaultsSql = `UPDATE domains SET is_default = 0, version = version + 1
  WHERE workspace_id = ?1 AND deleted_at IS NULL AND id <> ?2 AND is_default
    AND EXISTS (SELECT 1 FROM domains WHERE id = ?2 AND is_default)`;

/** Asks for the workspace's domains, oldest first. */
export const domainsQuery = (db: D1Database, workspaceId: string): Query<DomainRow[]> =>
  query(
    db
      .prepare(
        `SELECT ${domainKind.rows.columns("d")} FROM domains d
         WHERE d.workspace_id = ? AND d.deleted_at IS NULL ORDER BY d.id`,
      )
      .bind(workspaceId),
    (results: readonly Record<string, unknown>[]) => results.map((result) => domainKind.rows.read(result)),
  );

/** Returns the workspace's domains, oldest first. */
export const listDomains = (db: D1Database, workspaceId: string): Promise<DomainRow[]> =>
  answer(domainsQuery(db, workspaceId));

/** Returns the domain that holds a host; undefined if no workspace has proved it. Takes no workspace: only one holds it. */
export async function findHolder(db: D1Database, host: string): Promise<DomainRow | undefined> {
  const result = await db
    .prepare(
      `SELECT ${domainKind.rows.columns("d")} FROM domains d
       WHERE d.host = ? AND d.proved_at IS NOT NULL AND d.deleted_at IS NULL`,
    )
    .bind(host)
    .first();
  return result === null ? undefined : domainKind.rows.read(result);
}

/** Returns the version after the newest route of a host, of any workspace; 0 if there is none. */
export async function findNewestRoute(db: D1Database, host: string): Promise<number> {
  const newest = await db
    .prepare("SELECT max(route_version) AS newest FROM domains WHERE host = ?")
    .bind(host)
    .first<number>("newest");
  return newest ?? 0;
}

/** Domains whose checks are apart: claims that wait for their proof, and all others, removed ones among them. */
type DueKind = "unproved" | "others";

/** Due domains, the longest due first, among which workspaces take turns. */
const examined = 500;

/**
 * Returns domains whose check is due, in turns of their workspaces: of each workspace one before a second, and the workspace
 * first that has waited longest for a check of any. Takes no workspace: the sweep checks all.
 */
export async function listDueDomains(
  db: D1Database,
  kind: DueKind,
  now: number,
  limit: number,
): Promise<DomainRow[]> {
  const isOfKind = `(d.status = 'unproved' AND d.deleted_at IS NULL) = ${kind === "unproved" ? 1 : 0}`;
  const { results } = await db
    .prepare(
      `SELECT ${domainKind.rows.columns("d")} FROM (
         SELECT d.id, d.check_at, row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.check_at, d.id) AS turn,
           (SELECT max(o.checked_at) FROM domains o
            WHERE o.workspace_id = d.workspace_id AND o.deleted_at IS NULL) AS served
         FROM (SELECT * FROM domains d WHERE d.check_at IS NOT NULL AND d.check_at <= ?1 AND ${isOfKind}
           ORDER BY d.check_at LIMIT ${examined}) d) due
       CROSS JOIN domains d ON d.id = due.id
       ORDER BY due.turn, coalesce(due.served, 0), due.check_at LIMIT ?2`,
    )
    .bind(now, limit)
    .all();
  return results.map((result) => domainKind.rows.read(result));
}

/** Notes that a domain is about to be checked, unless it was checked after a time. @returns false then */
export async function beginCheck(
  db: D1Database,
  { id }: Pick<DomainRow, "id">,
  now: number,
  since: number,
): Promise<boolean> {
  const begun = await db
    .prepare(
      `UPDATE domains SET checked_at = ?2 WHERE id = ?1 AND coalesce(checked_at <= ?3, 1) RETURNING id`,
    )
    .bind(id, now, since)
    .first();
  return begun !== null;
}

/**
 * Returns whether the operator suspended another domain with this host, also one that can still be restored. Takes no
 * workspace: a suspension holds for the host.
 */
export async function isSuspendedElsewhere(
  db: D1Database,
  { id, host }: Pick<DomainRow, "id" | "host">,
): Promise<boolean> {
  const found = await db
    .prepare("SELECT 1 AS found FROM domains WHERE host = ?1 AND suspended IS NOT NULL AND id <> ?2 LIMIT 1")
    .bind(host, id)
    .first();
  return found !== null;
}

/** Returns a domain of the workspace, deleted or not, that has a custom hostname; undefined if none has. */
export async function findWithCustomHostname(
  db: D1Database,
  workspaceId: string,
): Promise<DomainRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(domains)
    .where(and(eq(domains.workspaceId, workspaceId), isNotNull(domains.customHostnameId)))
    .limit(1);
  return row;
}

/** Counts the custom hostnames of all workspaces. */
export async function countCustomHostnames(db: D1Database): Promise<number> {
  const count = await db
    .prepare("SELECT count(*) AS count FROM domains WHERE custom_hostname_id IS NOT NULL")
    .first<number>("count");
  return count ?? 0;
}

/**
 * Counts codes of the workspace that use a domain in their short link or their aliases, up to a number. Each part is counted
 * by its index, since a limit of both together would read all codes in the order of their ids.
 */
export async function countCodesAt(
  db: D1Database,
  workspaceId: string,
  host: string,
  most: number,
): Promise<number> {
  const count = await db
    .prepare(
      `SELECT min(?3 + 1, (SELECT count(*) FROM (SELECT 1 FROM qr_codes c
           WHERE c.workspace_id = ?1 AND c.domain = ?2 AND c.deleted_at IS NULL LIMIT ?3 + 1))
         + (SELECT count(*) FROM (SELECT DISTINCT a.qr_id FROM aliases a CROSS JOIN qr_codes c ON c.id = a.qr_id
           WHERE a.workspace_id = ?1 AND a.address > ?2 || '/' AND a.address < ?2 || '0' AND c.domain IS NOT ?2
           LIMIT ?3 + 1))) AS codes`,
    )
    .bind(workspaceId, host, most)
    .first<number>("codes");
  return count ?? 0;
}

/** The columns that a check changes without a new version and an entry in the history. */
export type CheckedColumns = Partial<
  Pick<DomainRow, "problem" | "detail" | "customHostnameId" | "checkedAt" | "checkAt">
>;

/** Stores the outcome of a check, unless the domain has changed since it was read. */
export async function saveCheck(
  db: D1Database,
  { id, version }: Pick<DomainRow, "id" | "version">,
  { problem, detail, customHostnameId, checkedAt, checkAt }: CheckedColumns,
): Promise<void> {
  await catalogue(db)
    .update(domains)
    .set({ problem, detail, customHostnameId, checkedAt, checkAt })
    .where(and(eq(domains.id, id), eq(domains.version, version)));
}
