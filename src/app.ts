import { Hono } from "hono/tiny";
import type { Deps } from "./domain/deps.ts";
import { createRedirect } from "./redirect/handler.ts";
import { codeNotFound } from "./redirect/pages.ts";
import { imageAddress, onlySegment } from "./redirect/paths.ts";

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

  return {
    fetch(request, env, ctx) {
      const segment = onlySegment(request.url);
      if (segment === null || reservedNames.has(segment)) return app.fetch(request, env, ctx);
      const image = imageAddress(segment);
      if (image === null) return redirect(request, segment, ctx);
      return import("./redirect/public-images.ts").then(({ publicImage }) =>
        publicImage(deps, request, image),
      );
    },
  };
}

/** Paths of one segment that are no scans. No hash equals them: a hash has eight characters and no dot. */
const reservedNames: ReadonlySet<string> = new Set(["dashboard", "embed.js", "report"]);
