import type { LogoType } from "../../contract/resources/enums.ts";
import { catalogue } from "../catalogue.ts";
import { and, eq } from "drizzle-orm";
import { templates } from "../schema/workspaces.ts";

/** A logo with what uses it. */
export interface LogoUses {
  /** SHA-256 of the file, hex. */
  readonly id: string;
  readonly mediaType: LogoType;
  /** The size of the file. */
  readonly bytes: number;
  readonly templates: readonly { readonly id: string; readonly name: string }[];
  /** Codes drawn with it, including deleted ones that can be restored; counted up to `most` + 1. */
  readonly codes: number;
}

/** The workspace's logos, newest first; with `id`, only this one. @param most codes of a logo to count */
export async function listLogoUses(
  db: D1Database,
  workspaceId: string,
  most: number,
  id?: string,
): Promise<LogoUses[]> {
  const { results } = await db
    .prepare(
      `SELECT l.id, l.media_type AS mediaType, l.bytes,
         (SELECT count(*) FROM (SELECT 1 FROM qr_codes c WHERE c.workspace_id = l.workspace_id AND c.logo_id = l.id
            LIMIT ?2 + 1)) AS codes,
         (SELECT json_group_array(json_object('id', t.id, 'name', t.name)) FROM templates t
            WHERE t.workspace_id = l.workspace_id AND t.logo_id = l.id) AS templates
       FROM logos l WHERE l.workspace_id = ?1 AND l.removing_at IS NULL AND (?3 IS NULL OR l.id = ?3)
       ORDER BY l.created_at DESC, l.id`,
    )
    .bind(workspaceId, most, id ?? null)
    .all<Omit<LogoUses, "templates"> & { templates: string }>();
  return results.map((row) => ({ ...row, templates: JSON.parse(row.templates) as LogoUses["templates"] }));
}

/** Takes a logo from all templates of the workspace that have it. */
export async function removeLogoFromTemplates(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<void> {
  await catalogue(db)
    .update(templates)
    .set({ logoId: null })
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.logoId, id)));
}
