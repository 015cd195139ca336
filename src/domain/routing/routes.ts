import type { PageRoute, Route } from "../../protocol/routes.ts";
import type { CodeSource, PageSource } from "../../store/route-sources.ts";
import { routeTarget } from "./route-target.ts";

/** A code as the edges hold it. */
export function codeRoute(code: CodeSource): Route {
  return {
    version: code.version,
    qrId: code.id,
    workspaceId: code.workspaceId,
    type: code.qrType,
    status: code.deletedAt === null ? code.status : "deleted",
    ...routeTarget(code.data),
  };
}

/** A hosted page as the edges hold it. */
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
  content,
  formClosed,
});
