import type { Route } from "../contract/routes.ts";
import type { Deps } from "../deps.ts";
import { recall, refreshView, resolve } from "../domain/resolve.ts";
import { readHash } from "../lib/hash.ts";
import { answerScan } from "./answers.ts";
import { codeNotFound, notAllowed, tooManyMisses } from "./pages.ts";
import { regionOf } from "./region.ts";
import { readScan } from "./scan.ts";
import { ScanBuffer } from "./scan-buffer.ts";

/** Answers a scan of the path `/{segment}`. */
export type Redirect = (request: Request, segment: string, ctx: Deferring) => Response | Promise<Response>;

/** What the redirect needs of an ExecutionContext: a place for work after the answer. */
export interface Deferring {
  waitUntil(work: Promise<unknown>): void;
}

/** The redirect, with the isolate's own buffer of scans. One an isolate. */
export function createRedirect(deps: Deps): Redirect {
  const buffer = new ScanBuffer(deps);
  const { view } = deps.memory;

  return (request, segment, ctx) => {
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed();
    const hash = readHash(segment);
    if (hash === null) return codeNotFound();
    const now = deps.now();
    const route = recall(deps, hash, now);
    if (route === undefined) return findOut(request, hash, ctx);
    if (view.wantsRefresh(now)) ctx.waitUntil(refreshView(deps, region(request)));
    return answer(request, hash, route, ctx, now);
  };

  /** The way of a scan that the isolate's memory has no answer for. */
  async function findOut(request: Request, hash: string, ctx: Deferring): Promise<Response> {
    const address = request.headers.get("cf-connecting-ip") ?? "";
    const route = await resolve(deps, hash, {
      address,
      region: region(request),
      defer: (work) => ctx.waitUntil(work),
    });
    if (route === "unknown") return codeNotFound();
    if (route === "barred") return tooManyMisses();
    return answer(request, hash, route, ctx, deps.now());
  }

  function answer(request: Request, hash: string, route: Route, ctx: Deferring, now: number): Response {
    if (route.status !== "active") return codeNotFound();
    // HEAD is answered like GET and never counted: it is how tools look at a link.
    if (request.method === "GET") {
      const sending = buffer.add(readScan(request, route, hash, now));
      if (sending !== undefined) ctx.waitUntil(sending);
    }
    return answerScan(request, route);
  }
}

const region = (request: Request) => regionOf(request.cf as IncomingRequestCfProperties | undefined);
