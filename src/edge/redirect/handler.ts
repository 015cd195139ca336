import { readScannedHash } from "../../lib/text/hash.ts";
import { isPlainHttp, requiresHttps } from "../../lib/web/https.ts";
import type { PageRoute, Route } from "../../protocol/routes.ts";
import type { EdgeDeps } from "../deps.ts";
import { refreshInBackground } from "../routing/feed-refresh.ts";
import { feedView } from "../routing/feed-view.ts";
import { findMeantByScan, recallMeant } from "../routing/misreadings.ts";
import type { Resolved } from "../routing/owned-record-reader.ts";
import { hostIn } from "../routing/paths.ts";
import { type Deferring, requestContext } from "../routing/request-context.ts";
import { recall, resolve, resolvePage } from "../routing/resolve.ts";
import { codeKind } from "../routing/route-kinds.ts";
import { routing } from "../routing/timing.ts";
import type { Closed, DomainVisit } from "../scans/pack.ts";
import { isPrefetch, readScan, userAgentOf } from "../scans/scan.ts";
import { ScanBuffer } from "../scans/scan-buffer.ts";
import {
  closedReason,
  isContactFile,
  isOpen,
  redirectTo,
  respondToScan,
  type ScannedRoute,
} from "./actions.ts";
import { methodNotAllowed, tooManyMisses } from "./pages.ts";

/** Where a scan came in, if not at the scan origin. */
export interface ScanSite {
  /** The workspace whose codes answer there. */
  readonly workspaceId: string;
  /** The host, followed by the path of an alias. */
  readonly via: string;
  /** Whether an alias led to the code, so that its hash needn't be known there. */
  readonly isAlias: boolean;
  /**
   * Answers a path without a code of the workspace.
   * @param isThrottled whether the network has too many misses, this one included; counted here if undefined
   */
  notFound(isThrottled?: boolean): Response | Promise<Response>;
}

export interface Redirect {
  /** Answers a scan of the path `/{segment}`. */
  scan(request: Request, segment: string, ctx: Deferring): Response | Promise<Response>;
  /** Answers a scan at a domain from the isolate's memory; undefined if it has no such code of the workspace. */
  recallAt(
    request: Request,
    hash: string,
    ctx: Deferring,
    site: ScanSite,
  ): Response | Promise<Response> | undefined;
  /** Answers a scan at a domain. */
  scanAt(request: Request, hash: string, ctx: Deferring, site: ScanSite): Promise<Response>;
  /** Counts a visit of a domain's own address, which is no scan, after the response. */
  countVisit(request: Request, visit: DomainVisit, ctx: Deferring): void;
}

/** Answers scans of codes that lead to hosted pages: in this Worker, or in the one to which their requests are handed on. */
export type HostedPages =
  | {
      /** @param now epoch milliseconds @param hash of the scanned code */
      show(request: Request, page: PageRoute, now: number, hash: string): Promise<Response>;
    }
  | { handOn(request: Request): Promise<Response> };

/** Creates the redirect with the isolate's own scan buffer. Call it once per isolate. */
export function createRedirect(deps: EdgeDeps, pages: HostedPages): Redirect {
  const buffer = new ScanBuffer(deps);
  const view = feedView(deps);

  return {
    scan,
    recallAt(request, hash, ctx, site) {
      const now = deps.now();
      const found = recall(deps, codeKind, hash, now);
      if (found === undefined || !answersAt(site, found.route)) return undefined;
      if (view.needsRefresh(now)) ctx.waitUntil(refreshInBackground(deps, requestContext(request, ctx)));
      return respond(request, hash, found, ctx, now, routing.readRounds, site);
    },
    scanAt: (request, hash, ctx, site) => lookUp(request, hash, ctx, routing.readRounds, site),
    countVisit: (request, visit, ctx) => countClosed(request, ctx, visit),
  };

  function scan(request: Request, segment: string, ctx: Deferring): Response | Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed();
    const hash = readScannedHash(segment);
    if (hash === null) return closedCodes().then(({ addressNotFound }) => addressNotFound(request));
    const now = deps.now();
    const found = recall(deps, codeKind, hash, now);
    if (found === undefined) return lookUp(request, hash, ctx);
    if (view.needsRefresh(now)) ctx.waitUntil(refreshInBackground(deps, requestContext(request, ctx)));
    return respond(request, hash, found, ctx, now);
  }

  /** Answers a scan whose route isn't in the isolate's memory. @param rounds how many more times it may be looked up */
  async function lookUp(
    request: Request,
    read: string,
    ctx: Deferring,
    rounds: number = routing.readRounds,
    site?: ScanSite,
  ): Promise<Response> {
    const context = requestContext(request, ctx);
    const hash = recallMeant(deps, read) ?? read;
    const found = await resolve(deps, codeKind, hash, context);
    if (found === "unavailable") return (await closedCodes()).codeUnavailable(request);
    if (typeof found === "object") {
      if (site !== undefined && !answersAt(site, found.route)) return site.notFound();
      return respond(request, hash, found, ctx, deps.now(), rounds - 1, site);
    }
    const meant = await findMeantByScan(deps, hash, context);
    if (meant === "unavailable") return (await closedCodes()).codeUnavailable(request);
    if (meant !== null) return lookUp(request, meant.hash, ctx, rounds, site);
    if (site !== undefined) return site.notFound(found === "throttled");
    return found === "throttled" ? tooManyMisses() : (await closedCodes()).codeNotFound(request, read);
  }

  function respond(
    request: Request,
    hash: string,
    { route, suspended }: Resolved<Route>,
    ctx: Deferring,
    now: number,
    rounds: number = routing.readRounds,
    site?: ScanSite,
  ): Response | Promise<Response> {
    const { status, action } = route;
    if (status === "deleted" || suspended !== undefined || !isOpen(route, now)) {
      return respondToClosed(request, hash, { route, suspended }, ctx, now);
    }
    if (action?.kind === "page") {
      return "handOn" in pages
        ? pages.handOn(request)
        : respondWithPage(pages, request, hash, route, action.pageId, ctx, rounds, site);
    }
    if (!isContactFile(request, action)) record(request, hash, route, ctx, now, site);
    return respondToScan(request, hash, route, action);
  }

  async function respondWithPage(
    { show }: Exclude<HostedPages, { handOn: unknown }>,
    request: Request,
    hash: string,
    route: Route,
    pageId: string,
    ctx: Deferring,
    rounds: number,
    site: ScanSite | undefined,
  ): Promise<Response> {
    const found = await resolvePage(deps, pageId, requestContext(request, ctx));
    // Reading the page may have taken long and refreshed the view, which may now list a change of the code itself.
    if (rounds > 0 && route.version < view.minVersion(hash)) return lookUp(request, hash, ctx, rounds, site);
    if (found === "unavailable") return (await closedCodes()).codeUnavailable(request);
    if (typeof found === "string" || found.route.status !== "active") {
      return (await closedCodes()).codeNotFound(request, hash);
    }
    const now = deps.now();
    if (found.suspended !== undefined || !isOpen(route, now)) {
      return respondToClosed(request, hash, { route, suspended: found.suspended }, ctx, now);
    }
    record(request, hash, route, ctx, now, site);
    // A page may ask for personal data, so it is shown only over https.
    if (isPlainHttp(request) && requiresHttps(deps.settings.scanOrigin)) {
      const origin = site === undefined ? deps.settings.scanOrigin : `https://${hostIn(request.url)}`;
      return redirectTo(`${origin}/pages/${pageId}`);
    }
    return show(request, found.route, now, hash);
  }

  /** Answers a scan of a code that is deleted, suspended, paused, expired or not started. It is counted apart. */
  function respondToClosed(
    request: Request,
    hash: string,
    found: ScannedRoute,
    ctx: Deferring,
    now: number,
  ): Response | Promise<Response> {
    const { status, fallback, action, workspaceId, qrId } = found.route;
    // Codes of a workspace that is being deleted aren't counted.
    const reason = found.suspended?.closed ? undefined : closedReason(found, now);
    if (reason !== undefined && !isContactFile(request, action)) {
      countClosed(request, ctx, { workspaceId, qrId, hash, reason });
    }
    const redirects = status !== "deleted" && found.suspended === undefined && fallback !== undefined;
    if (redirects) return redirectTo(fallback);
    return closedCodes().then(({ codeClosed }) => codeClosed(request, hash, found, now));
  }

  /** Counts what is no scan, unless a program asks, after the response. */
  function countClosed({ method, headers }: Request, ctx: Deferring, closed: Closed): void {
    if (method !== "GET" || isPrefetch(headers)) return;
    const agent = userAgentOf(headers) ?? "";
    const count = async () => {
      const { isProgram } = await closedCodes();
      if (!isProgram(agent)) await buffer.addClosed(closed);
    };
    ctx.waitUntil(count());
  }

  /** Records the scan after the response. HEAD is not counted, because tools use it to inspect links. */
  function record(
    request: Request,
    hash: string,
    route: Route,
    ctx: Deferring,
    now: number,
    site: ScanSite | undefined,
  ): void {
    if (request.method !== "GET") return;
    const scan = readScan(request, route, hash, now);
    const sending = buffer.add(site === undefined ? scan : { ...scan, via: site.via });
    if (sending !== undefined) ctx.waitUntil(sending);
  }
}

/** Returns whether a code answers at a domain. */
const answersAt = (site: ScanSite, { workspaceId, scanOriginOnly }: Route): boolean =>
  workspaceId === site.workspaceId && (site.isAlias || scanOriginOnly === undefined);

/** The pages of closed codes and their texts. An isolate loads them when it first needs one. */
export const closedCodes = () => import("./closed-codes.ts");
