import { form, type Route } from "../frame/request.ts";
import {
  confirmFolderDeletion,
  deleteFolder,
  editFolder,
  restoreFolder,
  saveFolderName,
} from "./changes.tsx";
import { folderList, saveFolder } from "./list.tsx";

/** The pages and forms of folders. */
export const folderRoutes: readonly Route[] = [
  ["GET", "/folders", "codes.read", folderList],
  ["POST", "/folders", "codes.write", saveFolder],
  ...form("/folders/:id/edit", "codes.write", editFolder, saveFolderName),
  ...form("/folders/:id/delete", "codes.write", confirmFolderDeletion, deleteFolder),
  ["POST", "/folders/:id/restore", "codes.write", restoreFolder],
];
