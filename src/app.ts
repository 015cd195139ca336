import { Hono } from "hono/tiny";
import type { Deps } from "./domain/deps.ts";
import { createRedirect } from "./redirect/handler.ts";
import { codeNotFound, codeUnavailable } from "./redirect/pages.ts";
import { imageAddress, onlySegment } from "./redirect/paths.ts";
import { describeError, log } from "./lib/log.ts";
import { answerPlainHttp, isPlainHttp, requiresHttps, withStrictTransport } from "./lib/web/https.ts";

export interface App {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response>;
}

/**
 * Everything that answers HTTP. A path of one segment is a scan and goes straight to the redirect, because routing it
 * would cost as much as answering it. All other parts are loaded by their first request, so that a scan never waits for
 * them.
 */
export function createApp(deps: Deps): App {
  const redirect = createRedirect(deps);
  const app = new Hono<{ Bindings: Env }>();

  /** Routes a path to a part of the app that its first request loads. */
  const mount = (path: string, load: () => Promise<(deps: Deps) => App>) => {
    let part: App | undefined;
    app.all(path, async (c) => {
      if (part === undefined) {
        const create = await load();
        part ??= create(deps);
      }
      const response = part.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext);
      // A change goes on if its client disconnects, so that everything it stored is published, too.
      if (c.req.method !== "GET") c.executionCtx.waitUntil(Promise.resolve(response));
      return response;
    });
  };
  mount("/api/v1/*", async () => (await import("./api/app.ts")).createApi);
  mount("/dashboard/*", async () => (await import("./dashboard/app.tsx")).createDashboard);
  mount("/pages/*", async () => (await import("./hosted-pages/app.ts")).createHostedPages);
  mount("/report/*", async () => (await import("./hosted-pages/report-app.tsx")).createReportPages);
  mount("/embed.js", async () => (await import("./embed/app.ts")).createEmbed);
  mount("/embed/demo", async () => (await import("./embed/app.ts")).createEmbed);
  app.notFound(() => codeNotFound());
  app.onError((error) => {
    log("error", "request not answered", { error: describeError(error) });
    return codeUnavailable();
  });

  /** @param isPlain whether the request should have come by https; a scan is answered all the same */
  const answer = (request: Request, env: Env, ctx: ExecutionContext, isPlain: boolean) => {
    const segment = onlySegment(request.url);
    const isScan = segment !== null && !reservedNames.has(segment);
    const image = isScan ? imageAddress(segment) : null;
    if (isScan && image === null) return redirect(request, segment, ctx);
    if (isPlain) return answerPlainHttp(request);
    if (image === null) return app.fetch(request, env, ctx);
    return import("./redirect/public-images.ts").then(({ publicImage }) => publicImage(deps, request, image));
  };

  if (!requiresHttps(deps.scanOrigin)) {
    return { fetch: (request, env, ctx) => answer(request, env, ctx, false) };
  }
  return {
    fetch(request, env, ctx) {
      if (isPlainHttp(request)) return answer(request, env, ctx, true);
      const response = answer(request, env, ctx, false);
      return response instanceof Response
        ? withStrictTransport(response)
        : response.then(withStrictTransport);
    },
  };
}

/** Paths of one segment that are no scans. No hash equals them: a hash has eight characters and no dot. */
const reservedNames: ReadonlySet<string> = new Set(["dashboard", "embed.js", "report"]);
