import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";
import { cursor, optionalLimit } from "../paging.ts";

export const FolderInput = z
  .object({ name: oneLine(limits.folderName).meta({ example: "Menus" }) })
  .meta({ id: "FolderInput" });
export type FolderInput = z.output<typeof FolderInput>;

export const Folder = z
  .object({ id: z.uuid(), name: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: "Folder" });
export type Folder = z.output<typeof Folder>;

export const FolderListQuery = z.object({ cursor, limit: optionalLimit(limits.qrList.max, "folders") });
export type FolderListQuery = z.output<typeof FolderListQuery>;

export const FolderList = z
  .object({
    folders: z.array(Folder),
    nextCursor: z.string().nullable().optional().meta({
      description: "With `limit`: pass as `cursor` to get the next page; null on the last page",
    }),
  })
  .meta({ id: "FolderList" });
export type FolderList = z.output<typeof FolderList>;
