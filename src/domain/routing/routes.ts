import type { Suspension } from "../../contract/resources/suspension.ts";
import {
  noContent,
  type PageRoute,
  type Route,
  type RouteSuspension,
  type WorkspaceRoute,
} from "../../protocol/routes.ts";
import type { CodeSource, PageSource, WorkspaceSource } from "../../store/routing/route-sources.ts";
import { routeTarget } from "./route-target.ts";
import { tagTarget } from "./utm.ts";

/** A code as the edges hold it. Of a deleted one they hold no values. */
export function codeRoute(code: CodeSource): Route {
  const isDeleted = code.deletedAt !== null;
  return {
    version: code.version,
    qrId: code.id,
    workspaceId: code.workspaceId,
    type: code.qrType,
    status: isDeleted ? "deleted" : code.status,
    ...(isDeleted
      ? { destination: "" }
      : { ...tagTarget(routeTarget(code.data), code.utm), ...lifeSpanIn(code), ...suspensionIn(code) }),
  };
}

/** The fields of a code's life span, as far as it has any. */
const lifeSpanIn = ({
  startsAt,
  expiresAt,
  fallbackUrl,
}: CodeSource): Pick<Route, "startsAt" | "expiresAt" | "fallback"> => ({
  ...(startsAt !== null && { startsAt }),
  ...(expiresAt !== null && { expiresAt }),
  ...(fallbackUrl !== null && { fallback: fallbackUrl }),
});

/** A hosted page as the edges hold it. Of a deleted one they hold no content. */
export const pageRoute = ({
  id,
  workspaceId,
  version,
  content,
  formClosed,
  deletedAt,
  suspended,
}: PageSource): PageRoute => ({
  version,
  pageId: id,
  workspaceId,
  status: deletedAt === null ? "active" : "deleted",
  content: deletedAt === null ? content : noContent,
  formClosed,
  ...(deletedAt === null ? suspensionIn({ suspended }) : {}),
});

/** A workspace as the edges hold it. */
export const workspaceRoute = ({ version, suspended }: WorkspaceSource): WorkspaceRoute => ({
  version,
  ...suspensionIn({ suspended }),
});

/** The field of a suspended record. The reason stays in the catalogue, because visitors don't see it. */
const suspensionIn = ({
  suspended,
}: {
  suspended: Suspension | null;
}): { readonly suspended?: RouteSuspension } =>
  suspended === null ? {} : { suspended: { legalOrder: suspended.legalOrder } };
