import type { DomainStatus } from "../../contract/resources/domains.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import type { PageContent } from "../../contract/resources/pages.ts";
import type { QrRow, RouteColumn } from "../codes/columns.ts";

/**
 * Reads the rows that routes are computed from. Always uses the primary database, because a lagging replica may not
 * have a code created a second ago. Takes no workspace, because a scan has none. Plain SQL instead of drizzle keeps the
 * redirect's start-up fast.
 */

/** The columns of a code that its route is computed from. */
export type CodeSource = Readonly<Pick<QrRow, "id" | "workspaceId" | "version" | "qrType" | RouteColumn>>;

/** Whether each column is JSON. */
const isJson = {
  id: false,
  workspaceId: false,
  version: false,
  qrType: false,
  status: false,
  data: true,
  deletedAt: false,
  suspended: true,
  startsAt: false,
  expiresAt: false,
  fallbackUrl: false,
  utm: true,
  query: false,
  scanOriginOnly: false,
} as const satisfies Record<keyof CodeSource, boolean>;

type JsonColumn = {
  [Key in keyof CodeSource]: (typeof isJson)[Key] extends true ? Key : never;
}[keyof CodeSource];

const selected = Object.keys(isJson).map((key) => {
  const column = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${column} AS ${key}`;
});

/** Returns the columns of a code in SQL. @param alias of qr_codes */
export const codeSourceColumns = (alias: string): string =>
  selected.map((column) => `${alias}.${column}`).join(", ");

/** A row of these columns, with JSON as text. */
export type CodeSourceRow = Omit<CodeSource, JsonColumn> & { readonly [Key in JsonColumn]: string | null };

/** Parses a row's JSON. */
export function readCodeSource<Row extends CodeSourceRow>(row: Row) {
  const values = Object.entries<unknown>(row).map(([key, value]) => [
    key,
    isJson[key as keyof CodeSource] && value !== null ? JSON.parse(String(value)) : value,
  ]);
  return Object.fromEntries(values) as Omit<Row, JsonColumn> & Pick<CodeSource, JsonColumn>;
}

/** Parses a suspension. */
export const readSuspension = (text: string | null): Suspension | null =>
  text === null ? null : (JSON.parse(text) as Suspension);

/** Returns the code with this hash, deleted or not; null for an unknown hash. */
export async function findCodeByHash(db: D1Database, hash: string): Promise<CodeSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(`SELECT ${codeSourceColumns("c")} FROM qr_codes c WHERE c.hash = ?`)
    .bind(hash)
    .first<CodeSourceRow>();
  return row && readCodeSource(row);
}

/** Returns the codes with these hashes, deleted or not, by hash. */
export async function findCodesByHash(
  db: D1Database,
  hashes: readonly string[],
): Promise<Map<string, CodeSource>> {
  if (hashes.length === 0) return new Map();
  const { results } = await db
    .withSession("first-primary")
    .prepare(
      `SELECT c.hash, ${codeSourceColumns("c")} FROM json_each(?) j CROSS JOIN qr_codes c ON c.hash = j.value`,
    )
    .bind(JSON.stringify(hashes))
    .all<CodeSourceRow & { readonly hash: string }>();
  return new Map(results.map(({ hash, ...row }) => [hash, readCodeSource(row)]));
}

/** Returns the hash of the code with this folded hash, deleted or not; null if there is none. */
export const findHashByFolded = (db: D1Database, folded: string): Promise<string | null> =>
  db
    .withSession("first-primary")
    .prepare("SELECT c.hash FROM qr_codes c WHERE c.hash_folded = ?")
    .bind(folded)
    .first<string>("hash");

/** A code by which a hash can be meant. */
export interface MeantCode {
  readonly hash: string;
  readonly workspaceId: string;
  /** Null unless domains don't know the hash. */
  readonly scanOriginOnly: 1 | null;
}

/** Returns the codes that have these hashes, or else the hashes that these are misreadings of, by hash; deleted ones, too. */
export async function findCodesByReadings(
  db: D1Database,
  readings: readonly { readonly hash: string; readonly folded: string }[],
): Promise<Map<string, MeantCode>> {
  if (readings.length === 0) return new Map();
  const { results } = await db
    .withSession("first-primary")
    .prepare(
      `SELECT j.value->>'hash' AS reading, c.hash, c.workspace_id AS workspaceId, c.scan_origin_only AS scanOriginOnly
       FROM json_each(?) j CROSS JOIN qr_codes c ON c.id = coalesce(
         (SELECT e.id FROM qr_codes e WHERE e.hash = j.value->>'hash'),
         (SELECT f.id FROM qr_codes f WHERE f.hash_folded = j.value->>'folded'))`,
    )
    .bind(JSON.stringify(readings))
    .all<MeantCode & { reading: string }>();
  return new Map(results.map(({ reading, ...code }) => [reading, code]));
}

/** The columns of a hosted page that its route is computed from. */
export interface PageSource {
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly content: PageContent;
  readonly formClosed: boolean;
  readonly deletedAt: number | null;
  readonly suspended: Suspension | null;
}

/** Returns the hosted page with this id, deleted or not; null for an unknown id. */
export async function findPageById(db: D1Database, id: string): Promise<PageSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT id, workspace_id AS workspaceId, version, content, form_closed AS formClosed,
         deleted_at AS deletedAt, suspended FROM pages WHERE id = ?`,
    )
    .bind(id)
    .first<PageSourceRow>();
  return (
    row && {
      ...row,
      content: JSON.parse(row.content) as PageContent,
      formClosed: row.formClosed === 1,
      suspended: readSuspension(row.suspended),
    }
  );
}

interface PageSourceRow extends Omit<PageSource, "content" | "formClosed" | "suspended"> {
  readonly content: string;
  readonly formClosed: number;
  readonly suspended: string | null;
}

/** The columns of a workspace that its route is computed from. */
export interface WorkspaceSource {
  readonly version: number;
  readonly suspended: Suspension | null;
  /** Whether its codes and pages stopped, because it is being deleted. */
  readonly closed: boolean;
}

/** Returns the workspace with this id; null for an unknown id. */
export async function findWorkspaceById(db: D1Database, id: string): Promise<WorkspaceSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT suspension_version AS version, suspended, coalesce(deletion->>'codes' = 'stop', 0) AS closed
       FROM workspaces WHERE id = ?`,
    )
    .bind(id)
    .first<{ version: number; suspended: string | null; closed: number }>();
  return row && { ...row, suspended: readSuspension(row.suspended), closed: row.closed === 1 };
}

/** The columns of a domain that its route is computed from. */
export interface DomainSource {
  readonly workspaceId: string;
  readonly version: number;
  readonly status: DomainStatus;
  /** When the workspace proved the host. */
  readonly provedAt: number;
  readonly name: string | null;
  readonly rootUrl: string | null;
  readonly unknownUrl: string | null;
  readonly deletedAt: number | null;
  readonly suspended: Suspension | null;
  /** Whether the workspace has ever had an alias. */
  readonly hasAliases: boolean;
}

/**
 * Returns the domain that holds a host: that of the workspace which has proved it, or else the last one which had; null if
 * none has.
 */
export async function findDomainByHost(db: D1Database, host: string): Promise<DomainSource | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT d.workspace_id AS workspaceId, d.route_version AS version, d.status, d.proved_at AS provedAt,
         d.name, d.root_url AS rootUrl, d.unknown_url AS unknownUrl, d.deleted_at AS deletedAt, d.suspended, w.alias_version > 0 AS hasAliases
       FROM domains d JOIN workspaces w ON w.id = d.workspace_id
       WHERE d.host = ? AND d.proved_at IS NOT NULL
       ORDER BY d.deleted_at IS NOT NULL, d.route_version DESC LIMIT 1`,
    )
    .bind(host)
    .first<
      Omit<DomainSource, "suspended" | "hasAliases"> & { suspended: string | null; hasAliases: 0 | 1 }
    >();
  return row && { ...row, suspended: readSuspension(row.suspended), hasAliases: row.hasAliases === 1 };
}

/** Where an address leads. */
export interface AliasSource {
  /** Of an address that isn't an alias, the version of the workspace's newest one: if it was one, it was so before. */
  readonly version: number;
  /** Of the code; null for an address that isn't an alias. */
  readonly hash: string | null;
}

/** Returns where addresses of a workspace lead, in their order, also of those that aren't aliases. */
export async function findAliases(
  db: D1Database,
  workspaceId: string,
  addresses: readonly string[],
): Promise<AliasSource[]> {
  const { results } = await db
    .withSession("first-primary")
    .prepare(
      `SELECT coalesce(a.version, w.alias_version) AS version, c.hash FROM workspaces w CROSS JOIN json_each(?2) j
       LEFT JOIN aliases a ON a.workspace_id = w.id AND a.address = j.value
       LEFT JOIN qr_codes c ON c.id = a.qr_id
       WHERE w.id = ?1 ORDER BY j.key`,
    )
    .bind(workspaceId, JSON.stringify(addresses))
    .all<AliasSource>();
  return results;
}
