import { isReservedName } from "../contract/reserved-names.ts";
import { isPlainHttp, requiresHttps, withStrictTransport } from "../lib/web/https.ts";
import { hostPattern, loopbackHost } from "../lib/web/origin.ts";
import type { EdgeDeps } from "./deps.ts";
import { type Answer, createDomainAnswer } from "./redirect/domains.ts";
import { createRedirect, type HostedPages } from "./redirect/handler.ts";
import { type ImageAddress, imageAddress, onlySegment } from "./routing/paths.ts";

/** Answers everything but scans: in this Worker, or by handing requests on to another. */
export interface Others {
  /** At the app's own host, if codes don't answer there. */
  readonly app: Answer;
  /** At the host of scans. */
  readonly own: Answer;
  /** At all other hosts. */
  readonly elsewhere: Answer;
  /** Answers with the public image of a code of the workspace. */
  image(request: Request, image: ImageAddress, workspaceId: string): Promise<Response>;
  readonly pages: HostedPages;
}

/** Returns the segment of a scan's path; null for any other request. */
function scannedSegment(url: string): string | null {
  const segment = onlySegment(url);
  return segment === null || isReservedName(segment) || imageAddress(segment) !== null ? null : segment;
}

/**
 * Answers all requests. The app answers at its own host alone, where codes answer, too, if that is also the host of scans.
 * All other hosts are for scans: the installation's, those of workspaces, and any that codes were printed for. A path with
 * a single segment goes straight to the redirect, because routing it would cost as much as answering it.
 */
export function createSites(deps: EdgeDeps, others: Others): Answer {
  const { appOrigin, scanOrigin } = deps.settings;
  const redirect = createRedirect(deps, others.pages);
  const appHost = hostPattern(appOrigin);
  const scanHost = hostPattern(scanOrigin);
  const isSame = appHost.test(scanOrigin);
  const isLasting = requiresHttps(scanOrigin);

  /** Scans are answered over plain http, too. */
  const own: Answer = (request, ctx) => {
    const segment = scannedSegment(request.url);
    if (segment === null) return others.own(request, ctx);
    const response = redirect.scan(request, segment, ctx);
    return isLasting && !isPlainHttp(request) ? withStrictTransport(response, "own") : response;
  };
  const atDomains = createDomainAnswer(deps, redirect, {
    asScanOrigin(request, ctx) {
      const segment = scannedSegment(request.url);
      return segment === null ? others.elsewhere(request, ctx) : redirect.scan(request, segment, ctx);
    },
    image: others.image,
  });
  return (request, ctx) => {
    const { url } = request;
    if (scanHost.test(url) || (isSame && loopbackHost.test(url))) return own(request, ctx);
    return (appHost.test(url) ? others.app : atDomains)(request, ctx);
  };
}
