import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Block, FormField, PageContent } from "../../contract/resources/pages.ts";
import { pages, workspaceIdColumn } from "./workspaces.ts";

/** A block or form field whose values may be missing or invalid. */
type Unfinished<T extends { readonly type: string }> = Pick<T, "type"> &
  Readonly<Record<string, string | boolean | readonly string[]>>;

/** The content of a page as it was entered: complete in its structure, not in its values. */
export interface PageDraftContent extends Omit<PageContent, "blocks" | "form"> {
  readonly blocks: readonly Unfinished<Block>[];
  readonly form: {
    readonly fields: readonly Unfinished<FormField>[];
    readonly button: string | null;
    readonly thanks: string | null;
  } | null;
}

/**
 * Changes of pages that aren't published yet, one for each page. Triggers count their bytes, and delete a draft once the
 * values of its page are erased. Times are epoch milliseconds.
 */
export const pageDrafts = sqliteTable("page_drafts", {
  pageId: text("page_id")
    .primaryKey()
    .references(() => pages.id),
  workspaceId: workspaceIdColumn(),
  /** Incremented each time the draft is saved. */
  version: integer("version").notNull(),
  content: text("content", { mode: "json" }).$type<PageDraftContent>().notNull(),
  /** The version of the page that the draft changes. */
  baseVersion: integer("base_version").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** The id of the user who saved it last. */
  updatedBy: text("updated_by").notNull(),
});
