import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { operatorOf } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import { asServiceError, notFound, ServiceError, unavailableSeconds } from "../../domain/errors.ts";
import { requireOwnOrigin } from "../../domain/identity/sessions.ts";
import {
  isSignedInOperator,
  type OperatorSignInProblem,
  operatorCookie,
  operatorSessionMilliseconds,
  signInOperator,
  signOutOperator,
} from "../../domain/operations/operator.ts";
import { serviceNameOf } from "../../domain/service-name.ts";
import { describeError, log } from "../../lib/log.ts";
import { emptyForm } from "../../lib/web/form.ts";
import { clientAddressOf } from "../../lib/web/network.ts";
import { routeOf } from "../../lib/web/request-line.ts";
import { contentSecurityPolicy, type DocumentFile, plainDocument } from "../../ui/document.tsx";
import type { StaticFiles } from "../../ui/static-files.ts";
import { clearCookie, writeCookie } from "../frame/cookies.ts";
import { actorRequest, type DashboardEnv } from "../frame/env.ts";
import { flashCookie, flashMilliseconds, readFlash, writeFlash } from "../frame/flash.ts";
import { keepFormAddress, leadToForm } from "../frame/form-address.ts";
import { noteInLog } from "../frame/note-in-log.ts";
import { readSubmitted } from "../frame/read-form.ts";
import { Advice, titleOfRefusal } from "../frame/refusals.tsx";
import { swappable } from "../frame/swappable.ts";
import { operatorDocument } from "./layout.tsx";
import type { OperatorRequest } from "./request.ts";
import { operatorRoutes } from "./routes.ts";
import { OperatorSignIn } from "./sign-in.tsx";

type Env = DashboardEnv & { Variables: { request?: OperatorRequest } };
type C = Context<Env>;

const home = "/operator";
const signInPath = "/operator/sign-in";

let built: Hono<Env> | undefined;

/** The pages of the person who runs the installation. They take the operator's secret, never a member's session. */
export function createOperatorPages(deps: Deps, assets: StaticFiles<DocumentFile>) {
  const base = { files: () => assets.paths("/dashboard/assets"), serviceName: serviceNameOf(deps) };
  built ??= buildRoutes();
  const { fetch, routes } = built;
  return {
    routes,
    fetch: (request: Request, _env: unknown, ctx: ExecutionContext) => fetch(request, { deps, base }, ctx),
  };
}

/** Returns the page to show after signing in. Only the operator's own pages are allowed. */
function safeReturn(deps: Deps, path: string | undefined): string {
  const { appOrigin } = deps.settings;
  if (path === undefined || !URL.canParse(path, appOrigin)) return home;
  const { origin, pathname, search } = new URL(path, appOrigin);
  const isOwn = pathname === home || pathname.startsWith(`${home}/`);
  return origin === appOrigin && isOwn && pathname !== signInPath ? pathname + search : home;
}

function buildRoutes(): Hono<Env> {
  const app = new Hono<Env>().basePath(home);

  app.use(noteInLog);
  app.use(async (c, next) => {
    const { deps } = c.env;
    c.header("cache-control", "no-store");
    c.header("content-security-policy", contentSecurityPolicy(deps.settings.scanOrigin));
    c.header("x-content-type-options", "nosniff");
    // With `no-referrer`, browsers would send `Origin: null` with forms.
    c.header("referrer-policy", "same-origin");
    if (c.req.method !== "GET" && c.req.method !== "HEAD") requireOwnOrigin(deps, c.req.header("origin"));
    await next();
  });

  const showSignIn = async (c: C, problem?: OperatorSignInProblem) => {
    const status = { none: 200, wrong: 401, limited: 429 } as const;
    if (problem === "limited") c.header("retry-after", "60");
    const query = new URLSearchParams({ return: safeReturn(c.env.deps, c.req.query("return")) });
    const page = <OperatorSignIn action={`${signInPath}?${query}`} problem={problem} />;
    const title = problem === undefined ? "Operator sign-in" : "Problem: operator sign-in";
    return c.html(await plainDocument(c.env.base, title, page), status[problem ?? "none"]);
  };

  app.get("/sign-in", (c) => showSignIn(c));

  app.post("/sign-in", async (c) => {
    const { deps } = c.env;
    const { fields } = await readSubmitted(c.req.raw, { fields: 4 });
    const secret = fields.get("secret") ?? "";
    const result = await signInOperator(deps, secret, clientAddressOf(c.req.raw));
    if (typeof result === "string") return showSignIn(c, result);
    // This browser's previous session would live on in copies of its cookie.
    await signOutOperator(deps, getCookie(c, operatorCookie(deps)));
    writeCookie(deps, c, operatorCookie(deps), result.token, operatorSessionMilliseconds, "Strict");
    return c.redirect(deps.settings.appOrigin + safeReturn(deps, c.req.query("return")), 303);
  });

  app.post("/sign-out", async (c) => {
    const { deps } = c.env;
    await signOutOperator(deps, getCookie(c, operatorCookie(deps)));
    clearCookie(deps, c, operatorCookie(deps));
    return c.redirect(deps.settings.appOrigin + signInPath, 303);
  });

  for (const [method, path, answer] of operatorRoutes) {
    app.on(method, path, async (c) => {
      const request = await enter(c);
      return request === null ? askToSignIn(c) : send(c, await answer(request));
    });
  }

  /** Returns the request of a signed-in operator; null if nobody is signed in. */
  async function enter(c: C): Promise<OperatorRequest | null> {
    const { deps } = c.env;
    if (!(await isSignedInOperator(deps, getCookie(c, operatorCookie(deps))))) return null;
    const { pathname, search, searchParams } = new URL(c.req.url);
    const { fields } = c.req.method === "POST" ? await readSubmitted(c.req.raw) : emptyForm;
    const request: OperatorRequest = {
      deps,
      operator: operatorOf(actorRequest(c)),
      address: pathname + search,
      query: searchParams,
      form: fields,
      param: (name) => c.req.param(name) ?? "",
    };
    c.set("request", request);
    return request;
  }

  /**
   * Leads to the page to sign in. Browsers don't send the cookie when a link of another site, such as in an alert, is
   * followed. They do when the page then loads itself.
   */
  async function askToSignIn(c: C): Promise<Response> {
    const { deps } = c.env;
    const { pathname, search } = new URL(c.req.url);
    if (c.req.method === "GET" && c.req.header("sec-fetch-site") === "cross-site") {
      const head = <meta http-equiv="refresh" content="0" />;
      const page = (
        <p>
          <a href={pathname + search}>Continue</a>
        </p>
      );
      return c.html(await plainDocument(c.env.base, "Operator", page, { head, scripts: false }));
    }
    const page = c.req.method === "GET" ? pathname + search : home;
    const query = new URLSearchParams({ return: page });
    return c.redirect(`${deps.settings.appOrigin}${signInPath}?${query}`, 303);
  }

  async function send(
    c: C,
    answer: Awaited<ReturnType<(typeof operatorRoutes)[number][2]>>,
  ): Promise<Response> {
    const { deps } = c.env;
    if (answer instanceof Response) return answer;
    if ("fragment" in answer) return swappable(c).html(answer.fragment);
    if ("seeOther" in answer) {
      const { flash, seeOther } = answer;
      if (flash !== undefined) {
        writeCookie(deps, c, flashCookie, writeFlash(flash, {}), flashMilliseconds);
      }
      return c.redirect(deps.settings.appOrigin + seeOther, 303);
    }
    const given = getCookie(c, flashCookie);
    if (given !== undefined) clearCookie(deps, c, flashCookie);
    const { title, content, status } = answer;
    if (status === 503) c.header("retry-after", String(unavailableSeconds));
    return show(c, title, content, status, given);
  }

  const show = async (
    c: C,
    title: string,
    content: Child,
    status: ContentfulStatusCode = 200,
    flash?: string,
  ) => {
    const { pathname } = new URL(c.req.url);
    keepFormAddress(c, app.routes);
    return swappable(c).html(
      await operatorDocument(c.env.base, { title, content, pathname, flash: readFlash(flash) }),
      status,
    );
  };

  async function refuse(c: C, error: ServiceError): Promise<Response> {
    const form =
      error.code === "not_found" ? leadToForm(c, app.routes, c.env.deps.settings.appOrigin) : undefined;
    if (form !== undefined) return form;
    const title = titleOfRefusal(error, undefined);
    const status = error.status as ContentfulStatusCode;
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    const content = (
      <>
        <Advice error={error} title={title} />
        <p>
          <a class="button" href={home}>
            Back to the overview
          </a>
        </p>
      </>
    );
    if (c.get("request") === undefined)
      return c.html(await plainDocument(c.env.base, title, content), status);
    return show(c, title, content, status);
  }

  app.notFound(async (c) => ((await enter(c)) === null ? askToSignIn(c) : refuse(c, notFound("Page"))));

  app.onError((error, c) => {
    const known = asServiceError(error);
    if (known === undefined || known.status === 503) {
      log("error", known === undefined ? "operator's page failed" : "request refused", {
        requestId: c.get("requestId"),
        route: routeOf(c),
        error: describeError(error),
      });
    }
    return refuse(c, known ?? new ServiceError("internal", "Try again."));
  });
  return app;
}
