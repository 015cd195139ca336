import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Block, FormField, PageContent } from "../../contract/resources/pages.ts";
import { hasImages, pages, workspaceIdColumn } from "./workspaces.ts";

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
export const pageDrafts = sqliteTable(
  "page_drafts",
  {
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
  },
  (table) => [index("page_drafts_with_images").on(table.workspaceId).where(hasImages)],
);

/** The media types of uploaded images. */
export type PageImageType = "image/png" | "image/jpeg" | "image/webp";

/** Images that were uploaded for pages. Their files are in R2. */
export const pageImages = sqliteTable(
  "page_images",
  {
    workspaceId: workspaceIdColumn(),
    /** SHA-256 of the bytes, hex: equal images are stored once. */
    id: text("id").notNull(),
    mediaType: text("media_type").$type<PageImageType>().notNull(),
    /** The size of the file in bytes. */
    bytes: integer("bytes").notNull(),
    /** When it was last saved, or the sweep last looked for pages and drafts that show it. */
    checkedAt: integer("checked_at").notNull(),
    /** Since when no use is known; null for an image in use. */
    unusedSince: integer("unused_since"),
    /** When the sweep began to delete the file of this unused image; null otherwise. */
    removingAt: integer("removing_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index("page_images_checked").on(table.checkedAt).where(sql`removing_at IS NULL`),
    index("page_images_removing").on(table.removingAt).where(sql`removing_at IS NOT NULL`),
  ],
);
