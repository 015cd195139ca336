import { form, type Route } from "../frame/request.ts";
import {
  confirmListDeletion,
  deleteSavedList,
  editSavedList,
  newSavedList,
  restoreSavedList,
  savedLists,
  saveList,
  saveListAgain,
  saveNewList,
} from "./pages.tsx";

/** The pages and forms of saved lists. Whose list it is decides in the domain. */
export const savedListRoutes: readonly Route[] = [
  ["GET", "/lists", "codes.read", savedLists],
  ...form("/lists/new", "codes.read", newSavedList, saveNewList),
  ...form("/lists/:id/edit", "codes.read", editSavedList, saveList),
  ["POST", "/lists/:id/save", "codes.read", saveListAgain],
  ...form("/lists/:id/delete", "codes.read", confirmListDeletion, deleteSavedList),
  ["POST", "/lists/:id/restore", "codes.read", restoreSavedList],
];
