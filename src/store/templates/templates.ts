import { and, asc, eq, sql } from "drizzle-orm";
import type { LogoType } from "../../contract/resources/enums.ts";
import type { Template } from "../../contract/resources/templates.ts";
import { catalogue, isAmong, isNotSuspended } from "../catalogue.ts";
import { logos, templates } from "../schema/workspaces.ts";
import type { LogoRow } from "./logos.ts";

/** A row of the table. */
export type NewTemplate = typeof templates.$inferSelect;

/** A template with its logo's media type, the size of the logo's file in bytes, and the logo's width and height. */
export type TemplateRow = NewTemplate & {
  readonly logoType: LogoType | null;
  readonly logoBytes: number | null;
  readonly logoSize: LogoRow["size"] | null;
};

/** Converts a row to the API's resource. */
export const presentTemplate = (row: TemplateRow): Template => ({
  id: row.id,
  name: row.name,
  colorConfig: row.colorConfig,
  shape: row.shape,
  advanced: row.advanced,
  logo:
    row.logoId === null || row.logoType === null || row.logoBytes === null
      ? null
      : { id: row.logoId, mediaType: row.logoType, bytes: row.logoBytes },
  createdAt: new Date(row.createdAt).toISOString(),
});

const selectTemplates = (db: D1Database) =>
  catalogue(db)
    .select({
      id: templates.id,
      workspaceId: templates.workspaceId,
      name: templates.name,
      colorConfig: templates.colorConfig,
      shape: templates.shape,
      advanced: templates.advanced,
      createdAt: templates.createdAt,
      logoId: templates.logoId,
      logoType: logos.mediaType,
      logoBytes: logos.bytes,
      logoSize: logos.size,
    })
    .from(templates)
    .leftJoin(logos, and(eq(logos.workspaceId, templates.workspaceId), eq(logos.id, templates.logoId)));

/** Returns the workspace's templates, oldest first. */
export async function listTemplates(db: D1Database, workspaceId: string): Promise<Template[]> {
  const rows = await selectTemplates(db)
    .where(eq(templates.workspaceId, workspaceId))
    .orderBy(asc(templates.id));
  return rows.map(presentTemplate);
}

/** Returns the rows of those ids that are templates of the workspace. */
export async function findTemplates(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, TemplateRow>> {
  if (ids.length === 0) return new Map();
  const rows = await selectTemplates(db).where(
    and(eq(templates.workspaceId, workspaceId), isAmong(templates.id, ids)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** @returns false if the workspace already has `cap` templates, or is suspended */
export async function insertTemplate(d1: D1Database, row: NewTemplate, cap: number): Promise<boolean> {
  const { id, workspaceId, name, colorConfig, shape, advanced, createdAt, logoId } = row;
  const rows = await catalogue(d1).all<{ id: string }>(sql`
    INSERT INTO templates (id, workspace_id, name, color_config, shape, advanced, created_at, logo_id)
    SELECT ${id}, ${workspaceId}, ${name}, ${colorConfig && JSON.stringify(colorConfig)}, ${shape},
      ${advanced && JSON.stringify(advanced)}, ${createdAt}, ${logoId}
    WHERE (SELECT count(*) FROM templates WHERE workspace_id = ${workspaceId}) < ${cap}
      AND ${isNotSuspended(workspaceId)}
    RETURNING id`);
  return rows.length === 1;
}

/** Stores a template unless it has changed since it was read. @returns whether it was stored */
export async function updateTemplate(
  db: D1Database,
  before: NewTemplate,
  { name, colorConfig, shape, advanced, logoId }: NewTemplate,
): Promise<boolean> {
  const json = (value: object | null) => value && JSON.stringify(value);
  const rows = await catalogue(db)
    .update(templates)
    .set({ name, colorConfig, shape, advanced, logoId })
    .where(
      and(
        isTemplate(before.workspaceId, before.id),
        sql`(name, color_config, shape, advanced, logo_id) IS
          (${before.name}, ${json(before.colorConfig)}, ${before.shape}, ${json(before.advanced)}, ${before.logoId})`,
      ),
    )
    .returning({ id: templates.id });
  return rows.length === 1;
}

/** @returns whether the template existed */
export async function deleteTemplate(db: D1Database, workspaceId: string, id: string): Promise<boolean> {
  const rows = await catalogue(db)
    .delete(templates)
    .where(isTemplate(workspaceId, id))
    .returning({ id: templates.id });
  return rows.length === 1;
}

const isTemplate = (workspaceId: string, id: string) =>
  and(eq(templates.id, id), eq(templates.workspaceId, workspaceId));
