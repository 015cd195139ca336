import type { LogoType } from "../../contract/resources/enums.ts";
import { isListed } from "./logos.ts";

/** A logo and what uses it. */
export interface LogoUses {
  /** SHA-256 of the file, hex. */
  readonly id: string;
  /** The name in the brand; null for a logo that only templates and codes use. */
  readonly name: string | null;
  readonly mediaType: LogoType;
  /** The size of the file. */
  readonly bytes: number;
  readonly templates: readonly { readonly id: string; readonly name: string }[];
  /** Codes drawn with it, including deleted ones that can be restored; counted up to `most` + 1. */
  readonly codes: number;
}

/**
 * Returns the workspace's logos, the brand's first, oldest first; with `id`, only this one. @param most the highest
 * count of codes per logo
 */
export async function listLogoUses(
  db: D1Database,
  workspaceId: string,
  most: number,
  id?: string,
): Promise<LogoUses[]> {
  const { results } = await db
    .prepare(
      `SELECT l.id, l.name, l.media_type AS mediaType, l.bytes,
         (SELECT count(*) FROM (SELECT 1 FROM qr_codes c WHERE c.workspace_id = l.workspace_id AND c.logo_id = l.id
            LIMIT ?2 + 1)) AS codes,
         (SELECT json_group_array(json_object('id', t.id, 'name', t.name)) FROM templates t
            WHERE t.workspace_id = l.workspace_id AND t.logo_id = l.id AND t.deleted_at IS NULL) AS templates
       FROM logos l WHERE l.workspace_id = ?1 AND (?3 IS NULL OR l.id = ?3) AND ${isListed()}
       ORDER BY l.name IS NULL, l.created_at, l.id`,
    )
    .bind(workspaceId, most, id ?? null)
    .all<Omit<LogoUses, "templates"> & { templates: string }>();
  return results.map((row) => ({ ...row, templates: JSON.parse(row.templates) as LogoUses["templates"] }));
}
