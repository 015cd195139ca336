import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Member } from "../domain/context/context.ts";
import { isClosedTo, requirePermission } from "../domain/context/permissions.ts";
import type { Deps } from "../domain/deps.ts";
import { asServiceError, notFound, rateLimited, ServiceError, unavailableSeconds } from "../domain/errors.ts";
import { forwardInTurn } from "../domain/events/forwarding.ts";
import {
  countInDashboard,
  memberFromCookie,
  personFromCookie,
  recordSessionUse,
  requireOwnOrigin,
  type SignedInMember,
  sessionCookie,
} from "../domain/identity/sessions.ts";
import { safeReturn } from "../domain/identity/sign-in.ts";
import { ifAvailable } from "../domain/ledger.ts";
import { serviceNameOf } from "../domain/service-name.ts";
import { ledgerNotices, type WorkspaceNotices, workspaceNotices } from "../domain/workspaces/notices.ts";
import { describeError, log } from "../lib/log.ts";
import { emptyForm, type FormType } from "../lib/web/form.ts";
import { noteRequest, routeOf } from "../lib/web/request-line.ts";
import { contentSecurityPolicy, plainDocument } from "../ui/document.tsx";
import { signInAgainAddress, signInAgainRoutes } from "./account/again-app.tsx";
import { accountRoutes, signInAddress } from "./account/app.tsx";
import { invitationRoutes, showNoWorkspace } from "./account/invitation-app.tsx";
import { passkeyRoutes } from "./account/passkey-app.tsx";
import { startRoutes } from "./account/start-app.tsx";
import { dashboardFiles } from "./assets/files.ts";
import { presetFiles } from "./design/preset-pictures.ts";
import { clearCookie, writeCookie } from "./frame/cookies.ts";
import { actorRequest, type DashboardEnv } from "./frame/env.ts";
import { firstCodeCookie, firstCodeMilliseconds, readFirstCode, writeFirstCode } from "./frame/first-code.ts";
import { flashCookie, flashMilliseconds, readFlash, writeFlash } from "./frame/flash.ts";
import { keepFormAddress, leadToForm } from "./frame/form-address.ts";
import { FormOfOtherWorkspace, switchesBack, takeFormWorkspace } from "./frame/form-workspace.ts";
import { framedDocument } from "./frame/layout.tsx";
import { ForMember } from "./frame/may.tsx";
import { noteInLog } from "./frame/note-in-log.ts";
import {
  type Preferences,
  preferencesMilliseconds,
  readPreferences,
  writePreferences,
} from "./frame/preferences.ts";
import { readSubmitted } from "./frame/read-form.ts";
import { Advice, Refusal, RefusedPart, titleOfRefusal } from "./frame/refusals.tsx";
import type { DashboardRequest, DashboardResponse, RouteOptions } from "./frame/request.ts";
import { swappable } from "./frame/swappable.ts";
import { tourRoutes } from "./overview/tour.tsx";
import { pageScripts } from "./page-scripts/page-scripts.tsx";
import { PaletteDialog } from "./palette/palette.tsx";
import { routes } from "./routes.ts";
import { deletionPath } from "./settings/workspace-deletion.tsx";

interface Variables {
  request?: DashboardRequest;
  /** The workspace's notices for the page's frame. */
  notices?: Promise<WorkspaceNotices | null>;
  /** The ledger's part of them, with the time zone. */
  ledgerNotices?: ReturnType<typeof ledgerNotices>;
}
type Env = DashboardEnv & { Variables: Variables };

/** Returns whether htmx wants to replace only a part of the page. */
const asksForPart = (req: Context["req"]): boolean =>
  req.header("hx-request") !== undefined && req.header("hx-boosted") === undefined;

/** Returns the content type of a submitted form; undefined if there is none. */
function formTypeOf(req: Context["req"]): FormType | undefined {
  if (req.method !== "POST") return undefined;
  const isMultipart = req.header("content-type")?.toLowerCase().startsWith("multipart/form-data") === true;
  return isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded";
}

/** Returns whether a request is for a whole page, so that its notices are read in parallel with its content. */
const asksForPage = (req: Context["req"]): boolean => req.method === "GET" && !asksForPart(req);

/**
 * Returns the page that a request is for or comes from, according to the browser. Forms and parts of pages don't count
 * as pages.
 */
function pageOf(req: Context["req"]): string | undefined {
  const { pathname, search } = new URL(req.url);
  return asksForPage(req) ? pathname + search : (req.header("hx-current-url") ?? req.header("referer"));
}

let built: Hono<Env> | undefined;

const files = () => dashboardFiles.paths("/dashboard/assets");
const search = <PaletteDialog />;

/**
 * The dashboard: server-rendered pages that work without scripts. The routes are built once for all dependencies,
 * because that takes longer than a request.
 */
export function createDashboard(deps: Deps) {
  built ??= buildRoutes();
  const { fetch, routes: mounted } = built;
  const base = { files, serviceName: serviceNameOf(deps) };
  return {
    routes: mounted,
    fetch: (request: Request, _env: unknown, ctx: ExecutionContext) => fetch(request, { deps, base }, ctx),
  };
}

const commonHeaders = ({ settings }: Deps) => ({
  "cache-control": "no-store",
  "content-security-policy": contentSecurityPolicy(settings.scanOrigin),
  "x-content-type-options": "nosniff",
  // With `no-referrer`, browsers would send `Origin: null` with forms.
  "referrer-policy": "same-origin",
});

function buildRoutes(): Hono<Env> {
  const app = new Hono<Env>().basePath("/dashboard");

  app.use(noteInLog);
  app.use(async (c, next) => {
    const { deps } = c.env;
    for (const [name, value] of Object.entries(commonHeaders(deps))) c.header(name, value);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") requireOwnOrigin(deps, c.req.header("origin"));
    await next();
    noteRequest(c.req.raw, { workspaceId: c.get("request")?.context.workspaceId });
  });

  app.get("/assets/:file", async (c) => {
    const { path } = c.req;
    for (const files of [dashboardFiles, pageScripts, presetFiles]) {
      const answer = await files.answer(path);
      if (answer !== undefined) return answer;
    }
    return c.notFound();
  });

  app.route("/", accountRoutes());
  app.route("/", signInAgainRoutes());
  app.route("/", passkeyRoutes());
  app.route("/", invitationRoutes());
  app.route("/", startRoutes());
  app.route("/", tourRoutes());

  for (const [method, path, permission, answer, options] of routes) {
    app.on(method, path, async (c) => {
      const request = await enter(c, options);
      if (request === null) return askToSignIn(c);
      if (options?.personal !== true && (await switchesBack(request))) {
        return c.redirect(c.env.deps.settings.appOrigin + request.address, 307);
      }
      const isClosed = isClosedTo(request.context, permission);
      if (isClosed && method === "GET") return showDeletion(c);
      requirePermission(request.context, permission);
      if (asksForPage(c.req)) void readNotices(c, request);
      const given = await answer(request);
      // A fragment is a part of a page, which changes nothing.
      if (method !== "GET" && !("fragment" in given)) {
        c.executionCtx.waitUntil(forwardInTurn(c.env.deps, request.context.workspaceId));
      }
      return send(c, request, given);
    });
  }

  /** Returns a file with the common headers it doesn't set itself. Hono adds none to a response made by a handler. */
  function withCommonHeaders(deps: Deps, file: Response): Response {
    for (const [name, value] of Object.entries(commonHeaders(deps))) {
      if (!file.headers.has(name)) file.headers.set(name, value);
    }
    return file;
  }

  /**
   * Returns the request of a signed-in user and counts it on their meter; null if nobody is signed in. @throws
   * rate_limited
   */
  async function enter(
    c: Context<Env>,
    { largeForm, counted }: RouteOptions = {},
  ): Promise<DashboardRequest | null> {
    const { deps } = c.env;
    const user = await memberFromCookie(deps, getCookie(c, sessionCookie(deps)), actorRequest(c));
    if (user === null) return null;
    c.executionCtx.waitUntil(recordSessionUse(deps, user));
    const retryAfter = counted === false ? 0 : await countInDashboard(deps, user);
    const request = await readVisit(c, user, largeForm);
    c.set("request", request);
    if (retryAfter > 0) throw rateLimited(retryAfter);
    return request;
  }

  async function readVisit(
    c: Context<Env>,
    user: SignedInMember,
    largeForm: RouteOptions["largeForm"],
  ): Promise<DashboardRequest> {
    const { deps } = c.env;
    const { pathname, search, searchParams } = new URL(c.req.url);
    const { fields, files } =
      c.req.method === "POST" ? await readSubmitted(c.req.raw, largeForm?.(user.member)) : emptyForm;
    const formWorkspace = takeFormWorkspace(fields);
    return {
      deps,
      user,
      context: user.member,
      preferences: readPreferences((name) => getCookie(c, name)),
      firstCode: readFirstCode(getCookie(c, firstCodeCookie)),
      address: pathname + search,
      query: searchParams,
      form: fields,
      formWorkspace,
      files,
      timeZone: async () =>
        (await ifAvailable(deps, () => readLedgerNotices(c, user.member)))?.timeZone ?? "UTC",
      param: (name) => c.req.param(name) ?? "",
    };
  }

  /** Reads the ledger's notices, once per request. */
  function readLedgerNotices(c: Context<Env>, member: Member): ReturnType<typeof ledgerNotices> {
    const reading = c.get("ledgerNotices") ?? ledgerNotices(c.env.deps, member);
    c.set("ledgerNotices", reading);
    return reading;
  }

  /** Reads the notices of the page's frame, once per request. */
  function readNotices(c: Context<Env>, request: DashboardRequest): Promise<WorkspaceNotices | null> {
    const { context } = request;
    const reading = c.get("notices") ?? workspaceNotices(c.env.deps, context, readLedgerNotices(c, context));
    c.set("notices", reading);
    return reading;
  }

  /** Leads members of a workspace that is being deleted to the page that says so. */
  function showDeletion(c: Context<Env>): Response {
    const address = c.env.deps.settings.appOrigin + deletionPath;
    if (asksForPart(c.req)) return c.body(null, 204, { "hx-redirect": address });
    return c.redirect(address, 302);
  }

  /** A page requested by htmx can't be redirected to the identity provider, so the browser itself has to go there. */
  async function askToSignIn(c: Context<Env>): Promise<Response> {
    const { deps } = c.env;
    const person = await personFromCookie(deps, getCookie(c, sessionCookie(deps)));
    const isByScript = c.req.header("hx-request") !== undefined;
    if (person !== null && !isByScript) {
      return showNoWorkspace(c, person, safeReturn(deps, pageOf(c.req)));
    }
    if (person !== null) return c.body(null, 204, { "hx-redirect": `${deps.settings.appOrigin}/dashboard` });
    const address = signInAddress(deps, safeReturn(deps, pageOf(c.req)));
    if (isByScript) return c.body(null, 204, { "hx-redirect": address });
    return c.redirect(address, c.req.method === "GET" ? 302 : 303);
  }

  async function send(
    c: Context<Env>,
    request: DashboardRequest,
    answer: DashboardResponse,
  ): Promise<Response> {
    const { deps } = c.env;
    if (answer instanceof Response) return withCommonHeaders(deps, answer);
    if ("fragment" in answer) {
      return swappable(c).html(<ForMember request={request}>{answer.fragment}</ForMember>);
    }
    if ("seeOther" in answer) {
      const { flash, subject, about, preferences, firstCode, seeOther } = answer;
      if (flash !== undefined) {
        writeCookie(
          deps,
          c,
          flashCookie,
          writeFlash(flash, { subject, about, requestId: request.context.actor.requestId }),
          flashMilliseconds,
        );
      }
      rememberPreferences(c, preferences);
      if (firstCode === null) clearCookie(deps, c, firstCodeCookie);
      else if (firstCode !== undefined) {
        writeCookie(deps, c, firstCodeCookie, writeFirstCode(firstCode), firstCodeMilliseconds);
      }
      return c.redirect(deps.settings.appOrigin + seeOther, 303);
    }
    if (answer.frames === true) {
      // A browser keeps the policy of the page it loaded, and htmx would put this page into that one.
      if (asksForPage(c.req) && c.req.header("hx-request") !== undefined) {
        return c.body(null, 204, { "hx-redirect": deps.settings.appOrigin + request.address });
      }
      c.header("content-security-policy", contentSecurityPolicy(deps.settings.scanOrigin, { frames: true }));
    }
    const given = getCookie(c, flashCookie);
    if (given !== undefined) clearCookie(deps, c, flashCookie);
    const { title, content, status } = answer;
    rememberPreferences(c, answer.preferences);
    if (status === 503) c.header("retry-after", String(unavailableSeconds));
    keepFormAddress(c, app.routes);
    const notices = await readNotices(c, request);
    const page = await framedDocument(request, {
      ...{ title, content, notices, base: c.env.base, search },
      ...{ flash: readFlash(given), isPart: asksForPart(c.req) },
    });
    return swappable(c).html(page, status ?? 200);
  }

  function rememberPreferences(c: Context<Env>, preferences: Partial<Preferences> = {}): void {
    for (const [name, value] of writePreferences(preferences)) {
      writeCookie(c.env.deps, c, name, value, preferencesMilliseconds);
    }
  }

  /** Shows a refusal, within the frame for signed-in users. */
  async function refuse(c: Context<Env>, error: ServiceError): Promise<Response> {
    const { deps } = c.env;
    const request = c.get("request");
    const form =
      error.code === "not_found" ? leadToForm(c, app.routes, c.env.deps.settings.appOrigin) : undefined;
    if (form !== undefined) return form;
    keepFormAddress(c, app.routes);
    const title = titleOfRefusal(error, request);
    const status = error.status as ContentfulStatusCode;
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    if (c.req.header("sec-fetch-dest") === "iframe") {
      c.header("content-security-policy", contentSecurityPolicy(deps.settings.scanOrigin, { framed: true }));
      const advice = <Advice error={error} title={title} />;
      return c.html(await plainDocument(c.env.base, title, advice, { scripts: false }), status);
    }
    const isRateLimited = error.code === "rate_limited";
    if ((isRateLimited || error instanceof FormOfOtherWorkspace) && asksForPart(c.req)) {
      c.header("hx-retarget", "#refused");
      c.header("hx-reselect", "unset");
      c.header("hx-reswap", "innerHTML show:top");
      return swappable(c).html(<RefusedPart error={error} title={title} />, status);
    }
    const content = (
      <Refusal
        error={error}
        request={request}
        formType={formTypeOf(c.req)}
        upgradeUrl={deps.settings.upgradeUrl}
        signInAgain={signInAgainAddress(deps, safeReturn(deps, pageOf(c.req)))}
        back={safeReturn(deps, c.req.header("hx-current-url") ?? c.req.header("referer"))}
      />
    );
    if (request === undefined) return c.html(await plainDocument(c.env.base, title, content), status);
    const notices = isRateLimited ? null : await readNotices(c, request);
    const isPart = asksForPart(c.req);
    const { base } = c.env;
    const page = await framedDocument(request, { title, content, notices, base, search, isPart });
    return swappable(c).html(page, status);
  }

  app.notFound(async (c) => {
    // Signed-in users keep the frame, with its navigation.
    if (asksForPage(c.req)) await enter(c);
    return refuse(c, notFound("Page"));
  });

  app.onError((error, c) => {
    const known = asServiceError(error);
    if (known === undefined || known.status === 503) {
      log("error", known === undefined ? "dashboard failed" : "request refused", {
        requestId: c.get("requestId"),
        route: routeOf(c),
        error: describeError(error),
      });
    }
    return refuse(c, known ?? new ServiceError("internal", "Try again."));
  });
  return app;
}
