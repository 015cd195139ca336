import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";

export const FolderInput = z
  .object({ name: oneLine(limits.folderName).meta({ example: "Menus" }) })
  .meta({ id: "FolderInput" });
export type FolderInput = z.output<typeof FolderInput>;

export const Folder = z
  .object({ id: z.uuid(), name: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: "Folder" });
export type Folder = z.output<typeof Folder>;

export const FolderList = z.object({ folders: z.array(Folder) }).meta({ id: "FolderList" });
