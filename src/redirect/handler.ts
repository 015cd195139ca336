import type { Route } from "../protocol/routes.ts";
import type { Deps } from "../domain/deps.ts";
import { feedView } from "../domain/routing/feed-view.ts";
import { recall, refreshView, resolve, resolvePage } from "../domain/routing/resolve.ts";
import { codeKind } from "../domain/routing/route-kinds.ts";
import { type Deferring, regionOf, requestContext } from "../domain/routing/request-context.ts";
import { readHash } from "../lib/text/hash.ts";
import { answerScan } from "./answers.ts";
import { codeNotFound, notAllowed, tooManyMisses } from "./pages.ts";
import { readScan } from "./scan.ts";
import { ScanBuffer } from "./scan-buffer.ts";

/** Answers a scan of the path `/{segment}`. */
export type Redirect = (request: Request, segment: string, ctx: Deferring) => Response | Promise<Response>;

/** The redirect, with the isolate's own buffer of scans. One an isolate. */
export function createRedirect(deps: Deps): Redirect {
  const buffer = new ScanBuffer(deps);
  const view = feedView(deps);

  return (request, segment, ctx) => {
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed();
    const hash = readHash(segment);
    if (hash === null) return codeNotFound();
    const now = deps.now();
    const route = recall(deps, codeKind, hash, now);
    if (route === undefined) return findOut(request, hash, ctx);
    if (view.needsRefresh(now)) ctx.waitUntil(refreshView(deps, regionOf(request)));
    return answer(request, hash, route, ctx, now);
  };

  /** The way of a scan that the isolate's memory has no answer for. */
  async function findOut(request: Request, hash: string, ctx: Deferring): Promise<Response> {
    const route = await resolve(deps, codeKind, hash, requestContext(request, ctx));
    if (route === "unknown") return codeNotFound();
    if (route === "throttled") return tooManyMisses();
    return answer(request, hash, route, ctx, deps.now());
  }

  function answer(
    request: Request,
    hash: string,
    route: Route,
    ctx: Deferring,
    now: number,
  ): Response | Promise<Response> {
    if (route.status !== "active") return codeNotFound();
    if (route.action?.kind === "page") return answerPage(request, hash, route, route.action.pageId, ctx);
    note(request, hash, route, ctx, now);
    return answerScan(request, route.destination, route.action);
  }

  async function answerPage(
    request: Request,
    hash: string,
    route: Route,
    pageId: string,
    ctx: Deferring,
  ): Promise<Response> {
    const [{ showPage }, page] = await Promise.all([
      import("../hosted-pages/show.tsx"),
      resolvePage(deps, pageId, requestContext(request, ctx)),
    ]);
    if (typeof page === "string" || page.status !== "active") return codeNotFound();
    const now = deps.now();
    note(request, hash, route, ctx, now);
    return showPage(request, page, now);
  }

  /** Has the scan recorded. HEAD is answered like GET and never counted: it is how tools look at a link. */
  function note(request: Request, hash: string, route: Route, ctx: Deferring, now: number): void {
    if (request.method !== "GET") return;
    const sending = buffer.add(readScan(request, route, hash, now));
    if (sending !== undefined) ctx.waitUntil(sending);
  }
}
