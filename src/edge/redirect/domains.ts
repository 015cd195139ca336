import { limits } from "../../contract/limits.ts";
import { readHash, readScannedHash } from "../../lib/text/hash.ts";
import { isId } from "../../lib/text/ids.ts";
import { isOwnPath, normalPath } from "../../lib/web/alias.ts";
import { isPlainHttp, withStrictTransport } from "../../lib/web/https.ts";
import { aliasKey, type DomainRoute, domainKey, type Versioned } from "../../protocol/routes.ts";
import type { EdgeDeps } from "../deps.ts";
import { refreshInBackground } from "../routing/feed-refresh.ts";
import { feedView } from "../routing/feed-view.ts";
import { hostIn, type ImageAddress, imageAddress, onlySegment, pathIn } from "../routing/paths.ts";
import type { Failure } from "../routing/record-reader.ts";
import { type Deferring, requestContext } from "../routing/request-context.ts";
import { isWorkspaceSuspended, recallRecord, resolvePage, resolveRecord } from "../routing/resolve.ts";
import { aliasKind, domainKind, type RouteKind } from "../routing/route-kinds.ts";
import { unknownHashThrottle } from "../routing/throttle.ts";
import { redirectTo } from "./actions.ts";
import { closedCodes, type Redirect, type ScanSite } from "./handler.ts";
import { methodNotAllowed, tooManyMisses } from "./pages.ts";

/**
 * How long a domain must belong to a workspace before browsers are told to use https there, milliseconds. Until then,
 * its owner may go back to a server without https.
 */
const lastingAfter = 30 * 24 * 60 * 60 * 1000;

/** Answers requests. */
export type Answer = (request: Request, ctx: ExecutionContext) => Response | Promise<Response>;

/** How some paths at a domain's host are answered. */
interface OtherAnswers {
  readonly asScanOrigin: Answer;
  /** Answers with the public image of a code of the workspace. */
  image(request: Request, image: ImageAddress, workspaceId: string): Promise<Response>;
}

/**
 * Answers at the hosts of domains. All other hosts answer as the scan origin does, or codes printed for an earlier one would
 * stop. At a domain only its workspace's codes answer: by their hash, by an alias, or by a misreading of the hash.
 */
export function createDomainAnswer(
  deps: EdgeDeps,
  redirect: Redirect,
  { asScanOrigin, image }: OtherAnswers,
): Answer {
  const view = feedView(deps);

  return (request, ctx) => {
    const host = hostIn(request.url);
    const known = recallRecord(deps, domainKind, domainKey(host), deps.now());
    return known === undefined ? lookUp(request, ctx, host) : answerOverHttps(request, ctx, host, known);
  };

  async function lookUp(request: Request, ctx: ExecutionContext, host: string): Promise<Response> {
    if (host.length > limits.domain.host) return asScanOrigin(request, ctx);
    const domain = await read(domainKind, domainKey(host), request, ctx);
    return typeof domain === "string"
      ? answerUnread(request, ctx)
      : answerOverHttps(request, ctx, host, domain);
  }

  /**
   * Answers at a host whose record can't be read: as the scan origin, except for what isn't found there, since it may
   * be at a domain.
   */
  async function answerUnread(request: Request, ctx: ExecutionContext): Promise<Response> {
    const response = pathIn(request.url) === "/" ? undefined : await asScanOrigin(request, ctx);
    return response === undefined || response.status === 404
      ? (await closedCodes()).codeUnavailable(request)
      : response;
  }

  /** Answers, and makes browsers use https for a domain that has answered for long enough. */
  function answerOverHttps(
    request: Request,
    ctx: ExecutionContext,
    host: string,
    domain: DomainRoute,
  ): Response | Promise<Response> {
    const response = answer(request, ctx, host, domain);
    const { status, since = Number.POSITIVE_INFINITY } = domain;
    const isLasting = status === "active" && deps.now() - since >= lastingAfter;
    return isLasting && !isPlainHttp(request) ? withStrictTransport(response, "customers") : response;
  }

  function answer(
    request: Request,
    ctx: ExecutionContext,
    host: string,
    domain: DomainRoute,
  ): Response | Promise<Response> {
    const { status, workspaceId } = domain;
    if (status === "none") return asScanOrigin(request, ctx);
    const path = pathIn(request.url);
    if (isOwnPath(path)) return asScanOrigin(request, ctx);
    if (status !== "active") return closedDomains().then(({ domainClosed }) => domainClosed(request, domain));
    if (path === "/") {
      redirect.countVisit(request, { workspaceId, host }, ctx);
      return lead(request, domain, domain.root, ctx);
    }
    const segment = onlySegment(request.url);
    const hash = segment === null ? null : readHash(segment);
    const site: ScanSite = {
      workspaceId,
      via: host,
      isAlias: false,
      notFound: async (isThrottled) =>
        (isThrottled ?? (await countMiss(request, ctx))) && domain.unknown === undefined
          ? tooManyMisses()
          : lead(request, domain, domain.unknown, ctx),
    };
    if (hash !== null && isScan(request)) {
      const known = redirect.recallAt(request, hash, ctx, site);
      if (known !== undefined) return known;
    }
    return lookUpPath(request, ctx, domain, path, site);
  }

  /** Answers a path whose code isn't in the isolate's memory. An alias never reads like a hash of its workspace. */
  async function lookUpPath(
    request: Request,
    ctx: ExecutionContext,
    { aliases }: DomainRoute,
    path: string,
    site: ScanSite,
  ): Promise<Response> {
    const alias = aliases && isScan(request) ? await scanByAlias(request, ctx, path, site) : undefined;
    if (alias !== undefined) return alias;
    const segment = onlySegment(request.url);
    const picture = segment === null ? null : imageAddress(segment);
    if (picture !== null) return image(request, picture, site.workspaceId);
    const page = /^\/pages\/([^/]+)/.exec(path)?.[1];
    if (page !== undefined) {
      const isOwn = await isPageOf(page.toLowerCase(), site.workspaceId, request, ctx);
      return isOwn ? asScanOrigin(request, ctx) : site.notFound();
    }
    if (segment === "favicon.ico" || segment === "favicon.svg") return asScanOrigin(request, ctx);
    if (!isScan(request)) return methodNotAllowed();
    // Only after aliases, which may end in characters that this cuts off.
    const hash = segment === null ? null : readScannedHash(segment);
    return hash === null ? site.notFound() : redirect.scanAt(request, hash, ctx, site);
  }

  /** @returns undefined for a path that isn't an alias */
  async function scanByAlias(
    request: Request,
    ctx: ExecutionContext,
    path: string,
    site: ScanSite,
  ): Promise<Response | undefined> {
    const normal = normalPath(path);
    if (normal.length - 1 > limits.aliases.bytes) return undefined;
    const via = `${site.via}${normal}`;
    const alias = await read(aliasKind, aliasKey(site.workspaceId, via), request, ctx);
    if (alias === "unavailable") return (await closedCodes()).codeUnavailable(request);
    if (typeof alias === "string" || alias.hash === null) return undefined;
    const at = { ...site, via, isAlias: true };
    return redirect.recallAt(request, alias.hash, ctx, at) ?? redirect.scanAt(request, alias.hash, ctx, at);
  }

  async function isPageOf(
    id: string,
    workspaceId: string,
    request: Request,
    ctx: Deferring,
  ): Promise<boolean> {
    const found = isId(id) ? await resolvePage(deps, id, requestContext(request, ctx)) : "unknown";
    return typeof found === "object" && found.route.workspaceId === workspaceId;
  }

  /** Counts an unknown path. @returns whether the network is throttled */
  async function countMiss(request: Request, ctx: Deferring): Promise<boolean> {
    const { clientAddress } = requestContext(request, ctx);
    const miss = await unknownHashThrottle(deps).lookUp(clientAddress, () => Promise.resolve(null));
    return miss !== "unknown";
  }

  /** Leads to an address that the domain's owner chose, or to a page of ours. */
  async function lead(
    request: Request,
    domain: DomainRoute,
    target: string | undefined,
    ctx: Deferring,
  ): Promise<Response> {
    if (!isScan(request)) return methodNotAllowed();
    const { domainPage } = await closedDomains();
    const isBlocked = await isWorkspaceSuspended(deps, domain.workspaceId, requestContext(request, ctx));
    return target === undefined || isBlocked ? domainPage(request, domain) : redirectTo(target);
  }

  /** Returns a record from memory if it is recent enough, and then refreshes the view if that is due. */
  async function read<T extends Versioned>(
    kind: RouteKind<T>,
    key: string,
    request: Request,
    ctx: Deferring,
  ): Promise<T | Failure> {
    const now = deps.now();
    const context = requestContext(request, ctx);
    const known = recallRecord(deps, kind, key, now);
    if (known === undefined) return resolveRecord(deps, kind, key, context);
    if (view.needsRefresh(now)) ctx.waitUntil(refreshInBackground(deps, context));
    return known;
  }
}

const isScan = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

const closedDomains = () => import("./closed-domains.ts");
