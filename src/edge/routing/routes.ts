import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import {
  type DomainRoute,
  noContent,
  type PageRoute,
  type Route,
  type RouteSuspension,
  type WorkspaceRoute,
} from "../../protocol/routes.ts";
import type {
  CodeSource,
  DomainSource,
  PageSource,
  WorkspaceSource,
} from "../../store/routing/route-sources.ts";
import { routeTarget } from "./route-target.ts";
import { tagTarget } from "./utm.ts";

/** The record of a code. For a deleted code, it has no values. */
export function codeRoute(code: CodeSource): Route {
  const isDeleted = code.deletedAt !== null;
  return {
    version: code.version,
    qrId: code.id,
    workspaceId: code.workspaceId,
    type: code.qrType,
    status: isDeleted ? "deleted" : code.status,
    ...(code.scanOriginOnly && { scanOriginOnly: true as const }),
    ...(isDeleted
      ? { destination: "" }
      : {
          ...tagTarget(routeTarget(code.data), code.utm),
          ...lifeSpanIn(code),
          ...suspensionIn(code),
          ...(code.query !== "off" && { query: code.query }),
        }),
  };
}

/** The code's start and expiry, if set. */
const lifeSpanIn = ({
  startsAt,
  expiresAt,
  fallbackUrl,
}: CodeSource): Pick<Route, "startsAt" | "expiresAt" | "fallback"> => ({
  ...(startsAt !== null && { startsAt }),
  ...(expiresAt !== null && { expiresAt }),
  ...(fallbackUrl !== null && { fallback: fallbackUrl }),
});

/** The record of a hosted page. For a deleted page, it has no content. */
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

/** The record of a workspace. */
export const workspaceRoute = ({ version, suspended, closed }: WorkspaceSource): WorkspaceRoute => ({
  version,
  ...(closed && suspended?.legalOrder !== true
    ? { suspended: { legalOrder: false, closed: true } as const }
    : suspensionIn({ suspended })),
});

/** The record of a host that workspaces have proved. */
export function domainRoute(domain: DomainSource): DomainRoute {
  const { version, workspaceId, provedAt, name, rootUrl, unknownUrl, hasAliases, suspended } = domain;
  return {
    version,
    workspaceId,
    status: statusOf(domain),
    since: provedAt,
    ...(name !== null && { name }),
    ...(rootUrl !== null && { root: rootUrl }),
    ...(unknownUrl !== null && { unknown: unknownUrl }),
    ...(hasAliases && { aliases: true as const }),
    ...(suspended?.legalOrder && { legalOrder: true as const }),
  };
}

function statusOf({ deletedAt, suspended, status }: DomainSource): DomainRoute["status"] {
  if (suspended !== null) return "suspended";
  if (deletedAt !== null) return "removed";
  return status === "active" ? "active" : "pending";
}

/** The reason for a suspension stays in the catalogue, because visitors don't see it. */
const suspensionIn = ({
  suspended,
}: {
  suspended: Suspension | null;
}): { readonly suspended?: RouteSuspension } =>
  suspended === null ? {} : { suspended: { legalOrder: suspended.legalOrder } };
