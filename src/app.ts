import { Hono } from "hono/tiny";
import type { Deps } from "./deps.ts";
import { createRedirect } from "./redirect/handler.ts";
import { codeNotFound } from "./redirect/pages.ts";

export interface App {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response>;
}

/** Everything that answers HTTP. The API is loaded by its first request, so that a scan never waits for it. */
export function createApp(deps: Deps): App {
  const app = new Hono<{ Bindings: Env }>();
  const redirect = createRedirect(deps);
  let api: App | undefined;

  const toApi = async (request: Request, env: Env, ctx: ExecutionContext) => {
    if (api === undefined) {
      const { createApi } = await import("./api/app.ts");
      api ??= createApi(deps);
    }
    return api.fetch(request, env, ctx);
  };

  app.all("/api/v1/*", (c) => toApi(c.req.raw, c.env, c.executionCtx as ExecutionContext));
  app.get("/:segment", (c) => redirect(c.req.raw, c.req.param("segment"), c.executionCtx));
  app.notFound(() => codeNotFound());
  return { fetch: (request, env, ctx) => app.fetch(request, env, ctx) };
}
