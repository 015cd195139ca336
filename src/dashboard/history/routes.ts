import { orDeleted } from "../codes/deleted.tsx";
import { form, type Route } from "../frame/request.ts";
import { historyOfCode } from "./code-history.tsx";
import { historyFile, workspaceHistory } from "./list.tsx";
import { confirmJobUndo, putBack, undoChange, undoJob } from "./revert.tsx";

/** The pages and forms of the history and of undo. */
export const historyRoutes: readonly Route[] = [
  ...form("/jobs/:id/undo", "codes.write", confirmJobUndo, undoJob),
  ["GET", "/codes/:id/history", "codes.read", orDeleted(historyOfCode)],
  ["GET", "/history", "codes.read", workspaceHistory],
  ["GET", "/history/export.ndjson", "codes.read", historyFile],
  ["POST", "/history/undo", "codes.write", undoChange],
  ["POST", "/history/:id/revert", "codes.write", putBack],
];
