import { Hono } from "hono/tiny";
import { isReservedName, type ReservedName } from "./contract/reserved-names.ts";
import type { dashboardFiles } from "./dashboard/assets/files.ts";
import type { Deps } from "./domain/deps.ts";
import type { Answer } from "./edge/redirect/domains.ts";
import { closedCodes } from "./edge/redirect/handler.ts";
import { pageNotFound } from "./edge/redirect/pages.ts";
import { imageAddress, onlySegment } from "./edge/routing/paths.ts";
import { createSites } from "./edge/sites.ts";
import { describeError, log } from "./lib/log.ts";
import { version } from "./lib/version.ts";
import { answerPlainHttp, isPlainHttp, requiresHttps, withStrictTransport } from "./lib/web/https.ts";
import { hostPattern } from "./lib/web/origin.ts";
import { logRequest, noteRequest } from "./lib/web/request-line.ts";
import type { publicImage } from "./public-pages/public-images.ts";

/** A part that has its dependencies, such as a router. */
interface App {
  fetch(request: Request, env: object, ctx: ExecutionContext): Response | Promise<Response>;
}

/** A part of the service. It is loaded by its first request, so that scans never wait for it. */
interface Part {
  /** The first segment is a reserved name, so no code's hash equals it. */
  readonly path: "/" | `/${ReservedName}` | `/${ReservedName}/${string}`;
  load(): Promise<(deps: Deps) => App>;
  /** Whether its requests other than reading are changes, which are refused while the installation is being moved. */
  readonly changes?: true;
}

const loadWelcome = async () => (await import("./public-pages/welcome-app.tsx")).createWelcome;

const loadIcons = async () => (await import("./public-pages/icons.ts")).createIcons;

/** Loads a part whose pages have the dashboard's styles, scripts and fonts. */
const withFiles =
  (load: () => Promise<(deps: Deps, files: typeof dashboardFiles) => App>): Part["load"] =>
  async () => {
    const [create, { dashboardFiles: files }] = await Promise.all([
      load(),
      import("./dashboard/assets/files.ts"),
    ]);
    return (deps) => create(deps, files);
  };

/** Browsers request icons from every host. */
const icons: readonly Part[] = [
  { path: "/favicon.ico", load: loadIcons },
  { path: "/favicon.svg", load: loadIcons },
];

/** The parts that read credentials, and what describes them. */
const appParts: readonly Part[] = [
  { path: "/api/v1/*", changes: true, load: async () => (await import("./api/app.ts")).createApi },
  { path: "/llms.txt", load: async () => (await import("./api/docs/llms.ts")).createLlmsText },
  { path: "/mcp", changes: true, load: async () => (await import("./mcp/app.ts")).createAgents },
  {
    path: "/dashboard/*",
    changes: true,
    load: async () => (await import("./dashboard/app.tsx")).createDashboard,
  },
  // Before the operator's pages, whose path includes it.
  { path: "/operator/backup/*", load: async () => (await import("./api/backup/app.ts")).createBackup },
  {
    path: "/operator/*",
    changes: true,
    load: withFiles(async () => (await import("./dashboard/operator/app.tsx")).createOperatorPages),
  },
];

/** The parts that visitors open, besides scans. Some of their content is written by customers. */
const scanParts: readonly Part[] = [
  { path: "/", load: loadWelcome },
  { path: "/assets/*", load: loadWelcome },
  { path: "/pages/*", load: async () => (await import("./hosted-pages/app.ts")).createHostedPages },
  {
    path: "/report/*",
    load: async () => (await import("./public-pages/abuse-report-app.tsx")).createAbuseReportPages,
  },
  {
    path: "/shared/*",
    load: withFiles(async () => (await import("./shared-reports/app.tsx")).createSharedReports),
  },
  { path: "/embed.js", load: async () => (await import("./embed/app.ts")).createEmbed },
  { path: "/embed/demo", load: loadWelcome },
];

/** Answers all HTTP requests. */
export function createApp(deps: Deps): Answer {
  const { appOrigin, scanOrigin } = deps.settings;
  const isOneHost = hostPattern(appOrigin).test(scanOrigin);
  const visitors = scanSite(deps, [...scanParts, ...icons]);
  const own = isOneHost ? scanSite(deps, [...appParts, ...scanParts, ...icons]) : visitors;
  // Browsers may need plain http at hosts of workspaces once they are served elsewhere.
  const isPlain = (request: Request) => requiresHttps(scanOrigin) && isPlainHttp(request);
  return createSites(deps, {
    app: appSite(deps),
    own: overHttps(scanOrigin, own),
    elsewhere: (request, ctx) => visitors(request, ctx, isPlain(request)),
    image: async (request, ...image) =>
      isPlain(request) ? answerPlainHttp(request) : answerImage(deps, request, ...image),
    pages: { show: async (...page) => (await import("./hosted-pages/show.tsx")).showPage(deps, ...page) },
  });
}

/** Serves the host of the dashboard and the API. */
function appSite(deps: Deps): Answer {
  const router = createRouter(deps, [...appParts, ...icons], pageNotFound);
  router.get("/", (c) => c.redirect(`${deps.settings.appOrigin}/dashboard`));
  return overHttps(deps.settings.appOrigin, (request, ctx, isPlain) =>
    isPlain ? answerPlainHttp(request) : router.fetch(request, {}, ctx),
  );
}

/** Serves what visitors open besides scans. */
function scanSite(deps: Deps, parts: readonly Part[]): AnswerByScheme {
  const router = createRouter(deps, parts, async (request) => (await closedCodes()).addressNotFound(request));
  return (request, ctx, isPlain) => {
    if (isPlain) return answerPlainHttp(request);
    const segment = onlySegment(request.url);
    const image = segment === null || isReservedName(segment) ? null : imageAddress(segment);
    return image === null ? router.fetch(request, {}, ctx) : answerImage(deps, request, image);
  };
}

const answerImage = async (...image: Parameters<typeof publicImage>): Promise<Response> =>
  (await import("./public-pages/public-images.ts")).publicImage(...image);

/** A response of 503, as JSON for programs. @param retryAfter seconds */
function unavailableResponse(error: string, retryAfter: number, isJson: boolean): Response {
  const init = { status: 503, headers: { "cache-control": "no-store", "retry-after": String(retryAfter) } };
  return isJson ? Response.json({ error, code: "internal" }, init) : new Response(error, init);
}

/** The response if a part of the API can't be loaded. */
const apiUnavailable = (): Response =>
  unavailableResponse("The service is temporarily unavailable. Try again.", 10, true);

/** The response to a change while the installation is being moved. */
const beingMoved = (path: string): Response =>
  unavailableResponse(
    "The service is being moved to another place. Nothing can be changed until that is done. Try again later.",
    300,
    path.startsWith("/api/"),
  );

const loadMoving = () => import("./domain/backup/moving.ts");

/**
 * Routes paths to parts and writes a line for each request. Scans have none: it would cost each of them CPU, and they
 * would be nearly all of the log.
 * @param notFound answers all other paths, except those of the API
 */
function createRouter(
  deps: Deps,
  parts: readonly Part[],
  notFound: (request: Request) => Response | Promise<Response>,
): Hono {
  const router = new Hono();
  // Shows that the Worker runs, so it uses no binding and says nothing about them. It is neither logged nor counted.
  router.get("/healthz", (c) => c.json({ version }, 200, { "cache-control": "no-store" }));
  router.use(async (c, next) => {
    const began = deps.now();
    await next();
    const line = logRequest(c.req.raw, "/*", c.res.status, deps.now() - began);
    deps.counter.countRequest(line, c.executionCtx);
  });
  for (const { path, load, changes } of parts) {
    let part: App | undefined;
    router.all(path, async (c) => {
      noteRequest(c.req.raw, { route: path });
      if (
        changes &&
        !/^(GET|HEAD|OPTIONS)$/.test(c.req.method) &&
        (await (await loadMoving()).refusesChanges(deps))
      ) {
        return beingMoved(c.req.path);
      }
      if (part === undefined) {
        const create = await load();
        part ??= create(deps);
      }
      const response = part.fetch(c.req.raw, {}, c.executionCtx as ExecutionContext);
      // A change runs to its end even if the client disconnects, so that everything it stored is also published.
      if (c.req.method !== "GET") c.executionCtx.waitUntil(Promise.resolve(response));
      return response;
    });
  }
  const error = `Endpoint not found. The API is at ${deps.settings.appOrigin}/api/v1.`;
  router.all("/api/*", (c) => c.json({ error, code: "not_found" }, 404, { "cache-control": "no-store" }));
  router.notFound((c) => notFound(c.req.raw));
  router.onError(async (error, c) => {
    log("error", "request not answered", { error: describeError(error) });
    return c.req.path.startsWith("/api/")
      ? apiUnavailable()
      : (await closedCodes()).codeUnavailable(c.req.raw);
  });
  return router;
}

/** @param isPlain the request came over plain http but should have used https */
type AnswerByScheme = (...request: [...Parameters<Answer>, isPlain: boolean]) => ReturnType<Answer>;

/** Answers requests to an origin of ours, and adds `Strict-Transport-Security` to responses over https. */
function overHttps(origin: string, answer: AnswerByScheme): Answer {
  if (!requiresHttps(origin)) return (request, ctx) => answer(request, ctx, false);
  return (request, ctx) => {
    if (isPlainHttp(request)) return answer(request, ctx, true);
    return withStrictTransport(answer(request, ctx, false), "own");
  };
}
