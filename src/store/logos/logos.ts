import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { BrandLogo } from "../../contract/resources/images/brand.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isChangedBy, isNotSuspended } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { rowReader } from "../rows.ts";
import { type LogoConversion, logos } from "../schema/workspaces.ts";

export type { LogoConversion };

/** The columns of a logo that are needed to draw it. */
export type LogoRow = Pick<typeof logos.$inferSelect, "id" | "mediaType" | "size" | "conversion">;

/** Identifies a logo, with the workspace it belongs to. */
export interface LogoId {
  readonly workspaceId: string;
  readonly id: string;
}

/** A logo to store. */
export interface NewLogo extends LogoRow {
  /** The size of its file. */
  readonly bytes: number;
  /** The name in the brand; null for a logo that isn't added to it. */
  readonly name: string | null;
}

/** A row of the table. */
export type StoredLogo = typeof logos.$inferSelect;

const rows = rowReader(logos);

/** Converts a logo of the brand, which has a name, to the API's resource. */
export const presentLogo = ({ size, createdAt, ...row }: StoredLogo): BrandLogo => ({
  id: row.id,
  name: row.name ?? "",
  mediaType: row.mediaType,
  bytes: row.bytes,
  ...size,
  createdAt: new Date(createdAt).toISOString(),
});

/** SQL for whether a template or code uses the logo `l`. Deleted ones count until they are erased. */
export const isUsed = `(
  EXISTS (SELECT 1 FROM qr_codes c WHERE c.workspace_id = l.workspace_id AND c.logo_id = l.id)
  OR EXISTS (SELECT 1 FROM templates t WHERE t.workspace_id = l.workspace_id AND t.logo_id = l.id))`;

/**
 * SQL for whether the logo `l` is listed for the workspace: in its brand, or in use. Others are about to be removed.
 */
export const isListed = `(l.removing_at IS NULL AND (l.name IS NOT NULL OR ${isUsed}))`;

/** How many different logos a workspace may have, how many of them in its brand, and the bytes of all. */
interface LogoCaps {
  readonly all: number;
  readonly brand: number;
  readonly bytes: number;
}

/** The bytes of all logos except the one with the id. */
const othersBytes = "(SELECT coalesce(sum(bytes), 0) FROM logos WHERE workspace_id = ?1 AND id <> ?2)";

/** The brand's logos except the one with the id. */
const othersInBrand =
  "(SELECT count(*) FROM logos WHERE workspace_id = ?1 AND name IS NOT NULL AND id <> ?2)";

/**
 * Stores a logo's row; the caller then writes its file. Equal files have the same id. An existing logo counts as unused
 * from now on, until the sweep finds it in use, and keeps its name.
 * @param now epoch milliseconds
 * @returns the logo; `refused` if the workspace is at its limit or suspended; `brand full` if the brand is at its
 * limit; `no room` if the files of all would be too large; `removing` while the sweep deletes this logo; `conflict` if the
 * brand changed in the meantime
 */
export async function saveLogoRow(
  db: D1Database,
  workspaceId: string,
  { id, mediaType, size, conversion, bytes, name }: NewLogo,
  now: number,
  caps: LogoCaps,
  entry: HistoryEntry | undefined,
): Promise<StoredLogo | "refused" | "brand full" | "no room" | "removing" | "conflict"> {
  const [saved, ...rest] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `INSERT INTO logos (workspace_id, id, media_type, size, bytes, created_at, checked_at, unused_since, name, conversion)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?8, ?12
         WHERE (((SELECT count(*) FROM logos WHERE workspace_id = ?1) < ?7
             AND ${isNotSuspended("?1")})
           OR EXISTS (SELECT 1 FROM logos WHERE workspace_id = ?1 AND id = ?2))
           AND (?8 IS NULL OR ${othersInBrand} < ?9) AND ${othersBytes} + ?5 <= ?10
         ON CONFLICT DO UPDATE SET checked_at = ?6, unused_since = ?6, name = coalesce(name, ?8), conversion = ?12
           WHERE removing_at IS NULL AND (?8 IS NULL OR (name IS NULL) = ?11)
         RETURNING *`,
      )
      .bind(
        ...[workspaceId, id, mediaType, JSON.stringify(size), bytes, now, caps.all, name, caps.brand],
        ...[caps.bytes, entry === undefined ? 0 : 1, conversion && JSON.stringify(conversion)],
      ),
    ...(entry === undefined ? [] : [historyStatement(db, workspaceId, entry)]),
    db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM logos WHERE workspace_id = ?1 AND id = ?2) AS isThere, ${othersInBrand} AS others,
           ${othersBytes} AS bytes,
           EXISTS (SELECT 1 FROM logos WHERE workspace_id = ?1 AND id = ?2 AND removing_at IS NOT NULL) AS isRemoving`,
      )
      .bind(workspaceId, id),
  ]);
  const [row] = saved?.results ?? [];
  if (row !== undefined) return rows.read(row);
  const [found] = rest.at(-1)?.results ?? [];
  if (name !== null && Number(found?.others) >= caps.brand) return "brand full";
  if (Number(found?.bytes) + bytes > caps.bytes) return "no room";
  if (found?.isThere !== 1) return "refused";
  return found.isRemoving === 1 ? "removing" : "conflict";
}

/**
 * Returns the ids of logos of the workspace. They count as unused from now on, until the sweep finds them in use, so
 * that rows about to refer to them can be stored. @param which the logos listed for the workspace, or all that are stored
 */
export async function keepLogos(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
  now: number,
  which: "listed" | "stored" = "listed",
): Promise<LogoRow[]> {
  if (ids.length === 0) return [];
  const { results } = await db
    .prepare(
      `UPDATE logos AS l SET checked_at = ?3, unused_since = ?3
       WHERE l.workspace_id = ?1 AND l.id IN (SELECT value FROM json_each(?2))
         AND ${which === "listed" ? isListed : "l.removing_at IS NULL"} RETURNING *`,
    )
    .bind(workspaceId, JSON.stringify(ids), now)
    .all();
  return results.map(rows.read);
}

/** Returns a logo of the workspace, without its file. */
export async function findLogo(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<LogoRow | undefined> {
  const [row] = await catalogue(db)
    .select({
      id: logos.id,
      mediaType: logos.mediaType,
      size: logos.size,
      conversion: logos.conversion,
    })
    .from(logos)
    .where(and(eq(logos.workspaceId, workspaceId), eq(logos.id, id)));
  return row;
}

/** Stores whether there is a drawing of a logo. */
export async function noteConversion(
  db: D1Database,
  { workspaceId, id }: LogoId,
  conversion: LogoConversion,
): Promise<void> {
  await catalogue(db)
    .update(logos)
    .set({ conversion })
    .where(and(eq(logos.workspaceId, workspaceId), eq(logos.id, id)));
}

/** Returns the SVG that was stored first of those whose conversion has not been tried; undefined for none. */
export async function findUnconverted(db: D1Database): Promise<(LogoId & LogoRow) | undefined> {
  const { results } = await db
    .prepare(
      `SELECT * FROM logos WHERE media_type = 'image/svg+xml' AND conversion IS NULL AND created_at >= 0
       ORDER BY created_at LIMIT 1`,
    )
    .all();
  return results.map(rows.read)[0];
}

/** Returns the name of a logo in the workspace's brand; null if it isn't in the brand, or unknown. */
export async function findLogoName(db: D1Database, workspaceId: string, id: string): Promise<string | null> {
  const [row] = await catalogue(db)
    .select({ name: logos.name })
    .from(logos)
    .where(and(eq(logos.workspaceId, workspaceId), eq(logos.id, id)));
  return row?.name ?? null;
}

/** Returns the logos of the workspace's brand, oldest first. */
export async function listBrandLogos(db: D1Database, workspaceId: string): Promise<BrandLogo[]> {
  const found = await catalogue(db)
    .select()
    .from(logos)
    .where(and(eq(logos.workspaceId, workspaceId), isNotNull(logos.name)))
    .orderBy(asc(logos.createdAt), asc(logos.id));
  return found.map(presentLogo);
}

/** Names a logo of the workspace, which adds it to the brand. @param cap maximum number of logos in the brand */
export async function nameLogo(
  db: D1Database,
  workspaceId: string,
  id: string,
  [before, after]: readonly [before: string | null, after: string],
  cap: number,
  entry: HistoryEntry | undefined,
): Promise<StoredLogo | "brand full" | "conflict" | undefined> {
  const [named, ...rest] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `UPDATE logos AS l SET name = ?3 WHERE l.workspace_id = ?1 AND l.id = ?2 AND ${isListed} AND l.name IS ?5
           AND (l.name IS NOT NULL OR ${othersInBrand} < ?4) RETURNING *`,
      )
      .bind(workspaceId, id, after, cap, before),
    ...(entry === undefined ? [] : [historyStatement(db, workspaceId, entry)]),
    db
      .prepare(`SELECT l.name FROM logos l WHERE l.workspace_id = ?1 AND l.id = ?2 AND ${isListed}`)
      .bind(workspaceId, id),
  ]);
  const [row] = named?.results ?? [];
  if (row !== undefined) return rows.read(row);
  const [found] = rest.at(-1)?.results ?? [];
  if (found === undefined) return undefined;
  return found.name === before ? "brand full" : "conflict";
}

/**
 * Removes a logo from the brand, and from beside the workspace's name. It counts as unused from now on, until the sweep finds it in use.
 * @returns whether it was in the brand by this name
 */
export async function unnameLogo(
  db: D1Database,
  workspaceId: string,
  id: string,
  name: string,
  now: number,
  entry: HistoryEntry,
): Promise<boolean> {
  const update = catalogue(db)
    .update(logos)
    .set({ name: null, checkedAt: now, unusedSince: now })
    .where(and(eq(logos.workspaceId, workspaceId), eq(logos.id, id), eq(logos.name, name)))
    .returning({ id: logos.id });
  const unused = db
    .prepare("UPDATE workspaces SET logo_id = NULL WHERE id = ? AND logo_id = ?")
    .bind(workspaceId, id);
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry), unused);
}
