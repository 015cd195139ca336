import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BrandColor } from "../../contract/resources/images/brand.ts";
import { isSet, type Removable, removableKind } from "../resources/kind.ts";

/** The columns that admins change, under a version of their own: the row's counters change with every creation. */
const settings = sqliteTable("workspaces", {
  id: text("id").notNull(),
  workspaceId: text("id").notNull(),
  name: text("name").notNull(),
  nameFolded: text("name_folded"),
  logoId: text("logo_id"),
  brandColors: text("brand_colors", { mode: "json" }).$type<readonly BrandColor[]>(),
  version: integer("settings_version").notNull(),
});

/** The name of the workspace's logo; null for none. */
interface Derived {
  readonly logoName: string | null;
}

/** The settings of a workspace. */
export type SettingsRow = Removable<typeof settings.$inferSelect & Derived>;

/** The settings of workspaces as resources, which are neither created nor deleted. */
export const settingsKind = removableKind<typeof settings, Derived>(
  settings,
  {
    conditions: {
      logo: {
        of: (change) => (isSet(change, "logoId") ? change.after.logoId : undefined),
        sql: (id) =>
          `EXISTS (SELECT 1 FROM logos l WHERE l.workspace_id = w.id AND l.id = ${id} AND l.name IS NOT NULL)`,
      },
    },
    checkedColumns: ["name", "logoId", "brandColors"],
  },
  {
    logoName: (alias) =>
      `(SELECT l.name FROM logos l WHERE l.workspace_id = ${alias}.id AND l.id = ${alias}.logo_id)`,
  },
);
