import type { Deps } from "../deps.ts";
import { resolve } from "../domain/routes.ts";
import { readHash } from "../lib/hash.ts";
import { codeNotFound } from "./pages.ts";
import { readScan } from "./scan.ts";
import { ScanBuffer } from "./scan-buffer.ts";

/** Answers a scan of the path `/{segment}`. */
export type Redirect = (request: Request, segment: string, ctx: Deferring) => Promise<Response>;

/** What the redirect needs of an ExecutionContext: a place for work after the answer. */
export interface Deferring {
  waitUntil(work: Promise<unknown>): void;
}

/** The redirect, with the isolate's own buffer of scans. One an isolate. */
export function createRedirect(deps: Deps): Redirect {
  const buffer = new ScanBuffer(deps);

  return async (request, segment, ctx) => {
    const hash = readHash(segment);
    if (hash === null) return codeNotFound();
    const route = await resolve(deps, hash, (work) => ctx.waitUntil(work));
    if (route === null || route.status !== "active") return codeNotFound();

    // HEAD is answered like GET and never counted: it is how tools look at a link.
    if (request.method === "GET") ctx.waitUntil(buffer.add(readScan(request, route, hash, deps.now())));
    return new Response(null, {
      status: 302,
      headers: { location: route.destination, "cache-control": "no-store" },
    });
  };
}
