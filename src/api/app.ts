import { type Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { Endpoint } from "../contract/endpoints/endpoint.ts";
import { endpoints } from "../contract/endpoints/index.ts";
import type { Deps } from "../domain/deps.ts";
import { notFound, ServiceError } from "../domain/errors.ts";
import { authentication, basePath } from "./authentication.ts";
import { routePath } from "./bind.ts";
import type { ApiEnv } from "./context.ts";
import { crossOrigin } from "./cors.ts";
import { answerError } from "./errors.ts";
import { forwardEventsAfterChange, privateResponse, requestId } from "./middleware.ts";
import { analyticsRoutes } from "./routes/analytics.ts";
import { binRoutes } from "./routes/bin.ts";
import { brandRoutes } from "./routes/brand.ts";
import { bulkRoutes } from "./routes/bulk.ts";
import { ownIdRoutes, qrRoutes } from "./routes/codes.ts";
import { docsRoutes } from "./routes/docs.tsx";
import { domainRoutes } from "./routes/domains.ts";
import { folderRoutes } from "./routes/folders.ts";
import { historyRoutes } from "./routes/history.ts";
import { keyRoutes } from "./routes/keys.ts";
import { leavingRoutes } from "./routes/leaving.ts";
import { memberRoutes } from "./routes/members.ts";
import { operatorRoutes } from "./routes/operator.ts";
import { pageRoutes } from "./routes/pages.ts";
import { printRoutes } from "./routes/prints.ts";
import { savedListRoutes } from "./routes/saved-lists.ts";
import { scanRoutes } from "./routes/scans.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { templateRoutes } from "./routes/templates.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { workspaceRoutes } from "./routes/workspace.ts";

function refuseMethod(c: Context, methods: string[]): Response {
  const allow = methods.join(", ");
  const error = new ServiceError("invalid_input", `This path doesn't accept ${c.req.method}. Use ${allow}.`, {
    status: 405,
    headers: { allow },
  });
  return answerError(error, c);
}

/**
 * Rejects methods that a fixed path such as /qr/bulk lacks but that a path with a parameter, such as /qr/{id}, would
 * accept. Hono's methodNotAllowed handles all other paths.
 */
function refuseMethodsOfFixedPaths(app: Hono<ApiEnv>): void {
  const byPath = Map.groupBy(Object.values<Endpoint>(endpoints), ({ path }) => path);
  const patterns = [...byPath.keys()].map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  for (const [path, taken] of byPath) {
    if (!patterns.some((other) => other.path !== path && other.pattern.test(path))) continue;
    const methods = taken.flatMap(({ method }) =>
      method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()],
    );
    app.use(routePath(path), async (c, next) => {
      if (!methods.includes(c.req.method)) return refuseMethod(c, methods);
      return next();
    });
  }
}

let built: Hono<ApiEnv> | undefined;

/**
 * The REST API. Everything except its documentation requires authentication, including unknown paths and methods. The
 * routes are built once for all dependencies, because that takes longer than a request.
 */
export function createApi(deps: Deps) {
  built ??= createRoutes();
  const { fetch, routes } = built;
  return {
    routes,
    fetch: (request: Request, _env: Env, ctx: ExecutionContext) => fetch(request, { deps }, ctx),
  };
}

function createRoutes(): Hono<ApiEnv> {
  // A slash at the end of a path is the path, as clients may add one.
  const app = new Hono<ApiEnv>({ strict: false }).basePath(basePath);
  app.onError(answerError);
  app.notFound((c) => answerError(notFound("Endpoint"), c));

  app.use(requestId, async (c, next) => {
    c.set("deps", c.env.deps);
    await next();
  });
  docsRoutes(app);
  app.use(
    privateResponse,
    crossOrigin,
    authentication,
    forwardEventsAfterChange,
    methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }),
  );
  refuseMethodsOfFixedPaths(app);
  // Must precede /qr/{id}, which would match "bulk" as an id.
  bulkRoutes(app);
  printRoutes(app);
  ownIdRoutes(app);
  qrRoutes(app);
  scanRoutes(app);
  analyticsRoutes(app);
  folderRoutes(app);
  binRoutes(app);
  historyRoutes(app);
  keyRoutes(app);
  savedListRoutes(app);
  templateRoutes(app);
  domainRoutes(app);
  brandRoutes(app);
  pageRoutes(app);
  webhookRoutes(app);
  leavingRoutes(app);
  sessionRoutes(app);
  memberRoutes(app);
  workspaceRoutes(app);
  operatorRoutes(app);
  return app;
}
