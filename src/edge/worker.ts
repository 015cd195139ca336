import { describeError, log } from "../lib/log.ts";
import { buildEdgeDeps, type EdgeBindings, readEdgeSettings } from "./composition.ts";
import type { EdgeDeps } from "./deps.ts";
import { closedCodes } from "./redirect/handler.ts";
import { type Answer, createSites } from "./sites.ts";

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
      return await env.MAIN.fetch(request);
    } catch (error) {
      log("error", "request not handed on", { error: describeError(error) });
      return (await closedCodes()).codeUnavailable(request);
    }
  };
  return createSites(deps, { answer: handOn, image: handOn, pages: { handOn } });
}
