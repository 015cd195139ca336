import type { LogoType } from "../../contract/resources/enums.ts";
import type { Template } from "../../contract/resources/images/templates.ts";
import { deleteSurplus } from "../deleted.ts";
import type { LogoRow } from "../logos/logos.ts";
import { answer, type Query, query } from "../queries.ts";
import { isSet, resourceKind, roomFor } from "../resources/kind.ts";
import { rowReader } from "../rows.ts";
import { templates } from "../schema/workspaces.ts";

/** A row of the table. */
export type StoredTemplate = typeof templates.$inferSelect;

/** Templates as resources. */
export const templateKind = resourceKind(
  templates,
  {
    ...{
      id: {},
      workspaceId: {},
      name: {},
      colorConfig: {},
      shape: {},
      createdAt: {},
      advanced: {},
      deletedAt: {},
    },
    ...{ logoId: { reported: "logo" }, version: {} },
  },
  {
    conditions: { room: roomFor<StoredTemplate>("templates") },
    checkedColumns: ["name", "colorConfig", "shape", "advanced", "logoId", "deletedAt"],
    sideEffects: (db, change) => {
      const { workspaceId, deletedAt } = change.after;
      return isSet(change, "deletedAt") && deletedAt !== null
        ? deleteSurplus(db, "templates", workspaceId, deletedAt)
        : [];
    },
  },
);

/** A template with its logo's media type, the size of the logo's file in bytes, and the logo's width and height. */
export type TemplateRow = StoredTemplate & {
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

const rows = rowReader<typeof templates, Omit<TemplateRow, keyof StoredTemplate>>(templates, {
  logoType: () => "l.media_type",
  logoBytes: () => "l.bytes",
  logoSize: () => "l.size",
});

/** @param result of a statement that begins with `selectSql` */
function readTemplate(result: Record<string, unknown>): TemplateRow {
  const { logoSize } = result;
  const size = typeof logoSize === "string" ? (JSON.parse(logoSize) as TemplateRow["logoSize"]) : null;
  return { ...rows.read(result), logoSize: size };
}

const selectSql = `SELECT ${rows.columns("t")} FROM templates t
  LEFT JOIN logos l ON l.workspace_id = t.workspace_id AND l.id = t.logo_id
  WHERE t.workspace_id = ?1 AND t.deleted_at IS NULL`;

/** Returns the workspace's templates, oldest first. */
export async function listTemplates(db: D1Database, workspaceId: string): Promise<Template[]> {
  const { results } = await db.prepare(`${selectSql} ORDER BY t.id`).bind(workspaceId).all();
  return results.map((result) => presentTemplate(readTemplate(result)));
}

/** Asks for templates of the workspace, by id. */
export const templatesQuery = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Query<ReadonlyMap<string, TemplateRow>> =>
  query(
    db
      .prepare(`${selectSql} AND t.id IN (SELECT value FROM json_each(?2))`)
      .bind(workspaceId, JSON.stringify(ids)),
    (results: readonly Record<string, unknown>[]) =>
      new Map(results.map(readTemplate).map((row) => [row.id, row])),
  );

/** Returns a template of the workspace; undefined for an unknown or deleted one. */
export const findTemplate = async (
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<TemplateRow | undefined> => (await answer(templatesQuery(db, workspaceId, [id]))).get(id);
