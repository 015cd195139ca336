import { and, asc, eq, sql } from "drizzle-orm";
import type { Template } from "../contract/templates.ts";
import { catalogue } from "./catalogue.ts";
import { templates } from "./schema.ts";

export type TemplateRow = typeof templates.$inferSelect;

export const presentTemplate = ({
  workspaceId: _,
  logoId: __,
  createdAt,
  ...row
}: TemplateRow): Template => ({
  ...row,
  createdAt: new Date(createdAt).toISOString(),
});

/** The workspace's templates, oldest first. */
export async function listTemplates(db: D1Database, workspaceId: string): Promise<Template[]> {
  const rows = await catalogue(db)
    .select()
    .from(templates)
    .where(eq(templates.workspaceId, workspaceId))
    .orderBy(asc(templates.id));
  return rows.map(presentTemplate);
}

/** Those of the templates that are the workspace's, by id. */
export async function ownTemplates(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, TemplateRow>> {
  if (ids.length === 0) return new Map();
  const rows = await catalogue(db)
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.workspaceId, workspaceId),
        sql`${templates.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.id, row]));
}

/** @returns whether there was room: a workspace has at most `cap` templates */
export async function insertTemplate(d1: D1Database, row: TemplateRow, cap: number): Promise<boolean> {
  const { id, workspaceId, name, colorConfig, shape, createdAt, logoId } = row;
  const rows = await catalogue(d1)
    .insert(templates)
    .select(sql`
      SELECT ${id}, ${workspaceId}, ${name}, ${colorConfig && JSON.stringify(colorConfig)}, ${shape}, ${createdAt},
        ${logoId}
      WHERE (SELECT count(*) FROM templates WHERE workspace_id = ${workspaceId}) < ${cap}`)
    .returning({ id: templates.id });
  return rows.length === 1;
}

/** @returns the template as it is now, or undefined when the workspace has none with this id */
export async function updateTemplate(
  db: D1Database,
  workspaceId: string,
  id: string,
  changes: Partial<Pick<TemplateRow, "name" | "colorConfig" | "shape">>,
): Promise<Template | undefined> {
  const [row] = await catalogue(db).update(templates).set(changes).where(own(workspaceId, id)).returning();
  return row && presentTemplate(row);
}

/** @returns whether there was one */
export async function deleteTemplate(db: D1Database, workspaceId: string, id: string): Promise<boolean> {
  const rows = await catalogue(db)
    .delete(templates)
    .where(own(workspaceId, id))
    .returning({ id: templates.id });
  return rows.length === 1;
}

const own = (workspaceId: string, id: string) =>
  and(eq(templates.id, id), eq(templates.workspaceId, workspaceId));
