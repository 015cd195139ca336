import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { LogoType } from "../../contract/resources/enums.ts";
import type { Template } from "../../contract/resources/images/templates.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isAmong, isChangedBy, isNotSuspended } from "../catalogue.ts";
import { deleteSurplus } from "../deleted.ts";
import { historyStatement } from "../history.ts";
import { logos, templates } from "../schema/workspaces.ts";
import type { LogoRow } from "../logos/logos.ts";

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
const mayAdd = (workspace: string, cap: string) =>
  `(SELECT count(*) FROM templates WHERE workspace_id = ${workspace} AND deleted_at IS NULL) < ${cap}
   AND ${isNotSuspended(workspace)}`;

/** @returns false if the workspace already has `cap` templates, or is suspended */
export async function insertTemplate(
  d1: D1Database,
  row: NewTemplate,
  cap: number,
  entry: HistoryEntry,
): Promise<boolean> {
  const { id, workspaceId, name, colorConfig, shape, advanced, createdAt, logoId } = row;
  const insert = d1
    .prepare(
      `INSERT INTO templates (id, workspace_id, name, color_config, shape, advanced, created_at, logo_id)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
       WHERE ${mayAdd("?2", "?9")}
       RETURNING id`,
    )
    .bind(
      ...[id, workspaceId, name, colorConfig && JSON.stringify(colorConfig), shape],
      ...[advanced && JSON.stringify(advanced), createdAt, logoId, cap],
    );
  return isChangedBy(d1, insert, historyStatement(d1, workspaceId, entry));
}

/** Stores a template unless it has changed since it was read. @returns whether it was stored */
export async function updateTemplate(
  db: D1Database,
  before: NewTemplate,
  { name, colorConfig, shape, advanced, logoId }: NewTemplate,
  entry: HistoryEntry,
): Promise<boolean> {
  const update = catalogue(db)
    .update(templates)
    .set({ name, colorConfig, shape, advanced, logoId })
    .where(isUnchanged(before))
    .returning({ id: templates.id });
  return isChangedBy(db, update, historyStatement(db, before.workspaceId, entry));
}

/**
 * Deletes a template unless it has changed since it was read. Of the workspace's deleted templates, the latest are kept.
 * @param now epoch milliseconds
 * @returns whether it was deleted
 */
export async function deleteTemplate(
  db: D1Database,
  before: NewTemplate,
  now: number,
  entry: HistoryEntry,
): Promise<boolean> {
  const { workspaceId } = before;
  const update = catalogue(db)
    .update(templates)
    .set({ deletedAt: now })
    .where(isUnchanged(before))
    .returning({ id: templates.id });
  const surplus = deleteSurplus(db, "templates", workspaceId, now);
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry), ...surplus);
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
  entry: HistoryEntry,
): Promise<boolean> {
  const update = db
    .prepare(
      `UPDATE templates SET deleted_at = NULL
       WHERE id = ?1 AND workspace_id = ?2 AND deleted_at > ?3 AND ${mayAdd("?2", "?4")} RETURNING id`,
    )
    .bind(id, workspaceId, since, cap);
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry));
}

/** Returns the id and name of a template of the workspace, and when it was deleted, epoch milliseconds. */
export async function findAnyTemplate(db: D1Database, workspaceId: string, id: string) {
  const [row] = await catalogue(db)
    .select({ id: templates.id, name: templates.name, deletedAt: templates.deletedAt })
    .from(templates)
    .where(and(eq(templates.id, id), eq(templates.workspaceId, workspaceId)));
  return row;
}

const json = (value: object | null) => value && JSON.stringify(value);

/** Returns the condition that a template is as it was read, and not deleted. */
const isUnchanged = ({ id, workspaceId, name, colorConfig, shape, advanced, logoId }: NewTemplate) =>
  and(
    eq(templates.id, id),
    eq(templates.workspaceId, workspaceId),
    isNull(templates.deletedAt),
    sql`(name, color_config, shape, advanced, logo_id) IS
      (${name}, ${json(colorConfig)}, ${shape}, ${json(advanced)}, ${logoId})`,
  );
