import { form, type Route } from "../frame/request.ts";
import { confirmTagDeletion, deleteTag, renameTag, saveTagName } from "./changes.tsx";
import { tagList } from "./list.tsx";

/** The pages and forms of tags. */
export const tagRoutes: readonly Route[] = [
  ["GET", "/tags", "codes.read", tagList],
  ...form("/tags/rename", "codes.write", renameTag, saveTagName),
  ...form("/tags/delete", "codes.write", confirmTagDeletion, deleteTag),
];
