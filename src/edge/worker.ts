import { describeError, log } from "../lib/log.ts";
import { buildEdgeDeps, type EdgeBindings, readEdgeSettings } from "./composition.ts";
import type { EdgeDeps } from "./deps.ts";
import type { Answer } from "./redirect/domains.ts";
import { closedCodes } from "./redirect/handler.ts";
import { feedView } from "./routing/feed-view.ts";
import { pathIn } from "./routing/paths.ts";
import { createSites } from "./sites.ts";

/** Returns whether a request may change routes. Those of visitors can't. */
const mayChange = ({ method, url }: Request): boolean =>
  method !== "GET" && method !== "HEAD" && /^\/(api|dashboard|mcp|operator)\//.test(`${pathIn(url)}/`);

/** The bindings of the edge Worker. */
export interface EdgeEnv extends EdgeBindings {
  /** The main Worker. */
  readonly MAIN: Pick<Fetcher, "fetch">;
}

/**
 * Creates the handler of the Worker for scans. It answers them as the main Worker would, and hands everything else on to
 * that one unchanged. A scan is recorded by the Worker that answers it, so those of codes that lead to hosted pages are
 * the main Worker's.
 * @param deps to replace the bindings
 */
export function createEdge(env: EdgeEnv, deps: EdgeDeps = buildEdgeDeps(env, readEdgeSettings(env))): Answer {
  const handOn = async (request: Request): Promise<Response> => {
    try {
      const response = await env.MAIN.fetch(request);
      // Whoever changes a code through this isolate may scan it the next moment.
      if (mayChange(request) && response.status < 400) feedView(deps).expire();
      return response;
    } catch (error) {
      log("error", "request not handed on", { error: describeError(error) });
      return (await closedCodes()).codeUnavailable(request);
    }
  };
  return createSites(deps, { app: handOn, own: handOn, elsewhere: handOn, image: handOn, pages: { handOn } });
}
