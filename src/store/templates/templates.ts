import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { LogoType } from "../../contract/resources/enums.ts";
import type { Template } from "../../contract/resources/templates.ts";
import { catalogue, isAmong, isNotSuspended } from "../catalogue.ts";
import { isSurplus } from "../deleted.ts";
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
      deletedAt: templates.deletedAt,
      logoType: logos.mediaType,
      logoBytes: logos.bytes,
      logoSize: logos.size,
    })
    .from(templates)
    .leftJoin(logos, and(eq(logos.workspaceId, templates.workspaceId), eq(logos.id, templates.logoId)));

/** Returns the workspace's templates, oldest first. */
export async function listTemplates(db: D1Database, workspaceId: string): Promise<Template[]> {
  const rows = await selectTemplates(db)
    .where(and(eq(templates.workspaceId, workspaceId), isNull(templates.deletedAt)))
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
    and(eq(templates.workspaceId, workspaceId), isAmong(templates.id, ids), isNull(templates.deletedAt)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the condition that a workspace may have another template. */
const mayAdd = (workspaceId: string, cap: number) =>
  sql`(SELECT count(*) FROM templates WHERE workspace_id = ${workspaceId} AND deleted_at IS NULL) < ${cap}
    AND ${isNotSuspended(workspaceId)}`;

/** @returns false if the workspace already has `cap` templates, or is suspended */
export async function insertTemplate(d1: D1Database, row: NewTemplate, cap: number): Promise<boolean> {
  const { id, workspaceId, name, colorConfig, shape, advanced, createdAt, logoId } = row;
  const rows = await catalogue(d1).all<{ id: string }>(sql`
    INSERT INTO templates (id, workspace_id, name, color_config, shape, advanced, created_at, logo_id)
    SELECT ${id}, ${workspaceId}, ${name}, ${colorConfig && JSON.stringify(colorConfig)}, ${shape},
      ${advanced && JSON.stringify(advanced)}, ${createdAt}, ${logoId}
    WHERE ${mayAdd(workspaceId, cap)}
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

/**
 * Deletes a template. Of the workspace's deleted templates, the latest are kept. @param now epoch milliseconds
 * @returns whether the template existed
 */
export async function deleteTemplate(
  d1: D1Database,
  workspaceId: string,
  id: string,
  now: number,
): Promise<boolean> {
  const db = catalogue(d1);
  const [deleted] = await db.batch([
    db
      .update(templates)
      .set({ deletedAt: now })
      .where(isTemplate(workspaceId, id))
      .returning({ id: templates.id }),
    db.delete(templates).where(isSurplus("templates", workspaceId)),
  ]);
  return deleted.length === 1;
}

/**
 * Restores a template deleted after `since`, epoch milliseconds.
 * @returns false if the workspace has no such deleted template, has `cap` templates or is suspended
 */
export async function restoreTemplate(
  db: D1Database,
  workspaceId: string,
  id: string,
  since: number,
  cap: number,
): Promise<boolean> {
  const rows = await catalogue(db)
    .update(templates)
    .set({ deletedAt: null })
    .where(
      and(
        eq(templates.id, id),
        eq(templates.workspaceId, workspaceId),
        gt(templates.deletedAt, since),
        mayAdd(workspaceId, cap),
      ),
    )
    .returning({ id: templates.id });
  return rows.length === 1;
}

/**
 * Returns when a template of the workspace was deleted, epoch milliseconds; null if it isn't, undefined for an unknown id.
 */
export async function findDeletionTime(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<number | null | undefined> {
  const [row] = await catalogue(db)
    .select({ deletedAt: templates.deletedAt })
    .from(templates)
    .where(and(eq(templates.id, id), eq(templates.workspaceId, workspaceId)));
  return row?.deletedAt;
}

const isTemplate = (workspaceId: string, id: string) =>
  and(eq(templates.id, id), eq(templates.workspaceId, workspaceId), isNull(templates.deletedAt));
