import { noContent, type PageRoute, type Route } from "../../protocol/routes.ts";
import type { CodeSource, PageSource } from "../../store/route-sources.ts";
import { routeTarget } from "./route-target.ts";

/** A code as the edges hold it. Of a deleted one they hold no values. */
export function codeRoute(code: CodeSource): Route {
  const isDeleted = code.deletedAt !== null;
  return {
    version: code.version,
    qrId: code.id,
    workspaceId: code.workspaceId,
    type: code.qrType,
    status: isDeleted ? "deleted" : code.status,
    ...(isDeleted ? { destination: "" } : routeTarget(code.data)),
  };
}

/** A hosted page as the edges hold it. Of a deleted one they hold no content. */
export const pageRoute = ({
  id,
  workspaceId,
  version,
  content,
  formClosed,
  deletedAt,
}: PageSource): PageRoute => ({
  version,
  pageId: id,
  workspaceId,
  status: deletedAt === null ? "active" : "deleted",
  content: deletedAt === null ? content : noContent,
  formClosed,
});
