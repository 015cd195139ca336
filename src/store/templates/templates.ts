import { and, asc, eq, isNull } from "drizzle-orm";
import type { LogoType } from "../../contract/resources/enums.ts";
import type { Template } from "../../contract/resources/images/templates.ts";
import { catalogue, isAmong } from "../catalogue.ts";
import { deleteSurplus } from "../deleted.ts";
import type { LogoRow } from "../logos/logos.ts";
import { isSet, resourceKind, roomFor } from "../resources/kind.ts";
import { logos, templates } from "../schema/workspaces.ts";

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
      version: templates.version,
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
