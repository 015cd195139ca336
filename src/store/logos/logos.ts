import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { BrandLogo } from "../../contract/resources/images/brand.ts";
import { catalogue, isNotSuspended } from "../catalogue.ts";
import { type Query, query } from "../queries.ts";
import { type Removable, removableKind } from "../resources/kind.ts";
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
}

/** A row of the table. */
export type StoredLogo = typeof logos.$inferSelect;

const rows = rowReader(logos);

/** A logo with whether it is listed for the workspace. */
export type LogoResourceRow = Removable<StoredLogo & { readonly isListed: number }>;

/** The logos of brands as resources, which a name adds to the brand. The rows and files of unused ones are the sweep's. */
export const logoKind = removableKind<typeof logos, { readonly isListed: number }>(
  logos,
  {
    conditions: {
      brand: {
        of: ({ before, after }) => (before?.name === null && after.name !== null ? 1 : undefined),
        sql: () =>
          "(SELECT count(*) FROM logos l WHERE l.workspace_id = w.id AND l.name IS NOT NULL) < p.caps->>'brand'",
      },
    },
    checkedColumns: ["name", "removingAt"],
    // The workspace no longer shows a logo that has left its brand.
    sideEffects: (db, { after: { workspaceId, id, name } }) =>
      name === null ? [db.prepare(withoutLogoSql).bind(workspaceId, id)] : [],
  },
  { isListed: (alias) => isListed(alias) },
);

const withoutLogoSql = `UPDATE workspaces SET logo_id = NULL WHERE id = ?1 AND logo_id = ?2
  AND EXISTS (SELECT 1 FROM logos WHERE workspace_id = ?1 AND id = ?2 AND name IS NULL)`;

/** Converts a logo of the brand, which has a name, to the API's resource. */
export const presentLogo = ({ size, createdAt, ...row }: StoredLogo): BrandLogo => ({
  id: row.id,
  name: row.name ?? "",
  mediaType: row.mediaType,
  bytes: row.bytes,
  ...size,
  createdAt: new Date(createdAt).toISOString(),
});

/** SQL for whether a template or code uses a logo. Deleted ones count until they are erased. */
export const isUsed = (logo = "l"): string => `(
  EXISTS (SELECT 1 FROM qr_codes q WHERE q.workspace_id = ${logo}.workspace_id AND q.logo_id = ${logo}.id)
  OR EXISTS (SELECT 1 FROM templates t WHERE t.workspace_id = ${logo}.workspace_id AND t.logo_id = ${logo}.id))`;

/** SQL for whether a logo is listed for the workspace: in its brand, or in use. Others are about to be removed. */
export const isListed = (logo = "l"): string =>
  `(${logo}.removing_at IS NULL AND (${logo}.name IS NOT NULL OR ${isUsed(logo)}))`;

/** How many different logos a workspace may have, and the bytes of all. */
interface LogoCaps {
  readonly all: number;
  readonly bytes: number;
}

/** The bytes of all logos except the one with the id. */
const othersBytes = "(SELECT coalesce(sum(bytes), 0) FROM logos WHERE workspace_id = ?1 AND id <> ?2)";

/**
 * Stores a logo's row; the caller then writes its file. Equal files have the same id. An existing logo counts as unused
 * from now on, until the sweep finds it in use.
 * @param now epoch milliseconds
 * @returns the logo; `refused` if the workspace is at its limit or suspended; `no room` if the files of all would be too
 * large; `removing` while the sweep deletes this logo
 */
export async function saveLogoRow(
  db: D1Database,
  workspaceId: string,
  { id, mediaType, size, conversion, bytes }: NewLogo,
  now: number,
  caps: LogoCaps,
): Promise<StoredLogo | "refused" | "no room" | "removing"> {
  const saved = await db
    .prepare(
      `INSERT INTO logos (workspace_id, id, media_type, size, bytes, created_at, checked_at, unused_since, conversion)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?9
       WHERE (((SELECT count(*) FROM logos WHERE workspace_id = ?1) < ?7
           AND ${isNotSuspended("?1")})
         OR EXISTS (SELECT 1 FROM logos WHERE workspace_id = ?1 AND id = ?2))
         AND ${othersBytes} + ?5 <= ?8
       ON CONFLICT DO UPDATE SET checked_at = ?6, unused_since = ?6, conversion = ?9 WHERE removing_at IS NULL
       RETURNING *`,
    )
    .bind(
      ...[workspaceId, id, mediaType, JSON.stringify(size), bytes, now, caps.all, caps.bytes],
      conversion && JSON.stringify(conversion),
    )
    .first();
  if (saved !== null) return rows.read(saved);
  const found = await db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM logos WHERE workspace_id = ?1 AND id = ?2) AS isThere, ${othersBytes} AS bytes`,
    )
    .bind(workspaceId, id)
    .first<{ isThere: number; bytes: number }>();
  if ((found?.bytes ?? 0) + bytes > caps.bytes) return "no room";
  return found?.isThere === 1 ? "removing" : "refused";
}

/**
 * Asks for logos of the workspace, and keeps them: they count as unused from now on, until the sweep finds them in use,
 * so that rows about to refer to them can be stored.
 * @param which the logos listed for the workspace, or all that are stored
 */
export const keptLogosQuery = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
  now: number,
  which: "listed" | "stored" = "listed",
): Query<LogoRow[]> =>
  query(
    db
      .prepare(
        `UPDATE logos AS l SET checked_at = ?3, unused_since = ?3
         WHERE l.workspace_id = ?1 AND l.id IN (SELECT value FROM json_each(?2))
           AND ${which === "listed" ? isListed() : "l.removing_at IS NULL"} RETURNING *`,
      )
      .bind(workspaceId, JSON.stringify(ids), now),
    (results: readonly Record<string, unknown>[]) => results.map(rows.read),
  );

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
