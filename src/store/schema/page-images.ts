import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PageImageType } from "../../contract/resources/enums.ts";
import { workspaceIdColumn } from "./workspaces.ts";

/** The images that are stored for hosted pages. Their files are in R2. Times are epoch milliseconds. */
export const pageImages = sqliteTable(
  "page_images",
  {
    workspaceId: workspaceIdColumn(),
    /** SHA-256 of the bytes, hex: equal images are stored once. */
    id: text("id").notNull(),
    mediaType: text("media_type").$type<PageImageType>().notNull(),
    /** The size of the file in bytes. */
    bytes: integer("bytes").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it was added, put into a page or taken out of one, or when the sweep last found it in a page. */
    usedAt: integer("used_at").notNull(),
    /** When the sweep began to delete the file of this unused image; null otherwise. */
    removingAt: integer("removing_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index("page_images_used").on(table.usedAt),
  ],
);

/** Which pages, deleted ones included, have which stored images in their content or draft. Triggers keep it in sync. */
export const pageImageUses = sqliteTable(
  "page_image_uses",
  {
    pageId: text("page_id").notNull(),
    imageId: text("image_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.pageId, table.imageId] }),
    index("page_image_uses_image").on(table.workspaceId, table.imageId),
  ],
);
