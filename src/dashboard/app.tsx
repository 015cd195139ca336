import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Deps } from "../domain/deps.ts";
import { ServiceError } from "../domain/errors.ts";
import {
  endAllSessions,
  endSession,
  isSecure,
  memberFromCookie,
  requireOwnOrigin,
  sessionCookie,
  sessionMilliseconds,
  signInCookie,
} from "../domain/identity/sessions.ts";
import {
  beginSignIn,
  finishSignIn,
  safeReturn,
  SignInFailure,
  signInMilliseconds,
} from "../domain/identity/sign-in.ts";
import { describeError, log } from "../lib/log.ts";
import { contentSecurityPolicy, Page } from "./page.tsx";
import { Home, NotFound, Refused, ServerError, SignedOut, SignInFailed, statusOfProblem } from "./pages.tsx";

type Env = { Bindings: Cloudflare.Env };

/** The dashboard: server-rendered pages for signed-in users, without scripts. */
export function createDashboard(deps: Deps): Hono<Env> {
  const app = new Hono<Env>().basePath("/dashboard");
  const signIn = `${deps.appOrigin}/dashboard/sign-in`;
  const signInFirst = `${signIn}?return=/dashboard`;

  const show = async (c: Context<Env>, title: string, content: Child, status: ContentfulStatusCode = 200) =>
    c.html(<Page title={title}>{content}</Page>, status, {
      "content-security-policy": await contentSecurityPolicy(),
    });

  const writeCookie = (c: Context<Env>, name: string, value: string, milliseconds: number) =>
    setCookie(c, name, value, {
      path: "/",
      httpOnly: true,
      sameSite: "Lax",
      secure: isSecure(deps),
      maxAge: milliseconds / 1000,
    });
  const clearCookie = (c: Context<Env>, name: string) => writeCookie(c, name, "", 0);

  app.use(async (c, next) => {
    c.header("cache-control", "no-store");
    c.header("x-content-type-options", "nosniff");
    // With `no-referrer`, browsers would send `Origin: null` with forms.
    c.header("referrer-policy", "same-origin");
    await next();
  });

  app.get("/", async (c) => {
    const user = await memberFromCookie(deps, getCookie(c, sessionCookie(deps)));
    if (user === null) return c.redirect(signInFirst);
    return show(c, "Dashboard", <Home user={user} origin={deps.appOrigin} />);
  });

  app.get("/sign-in", async (c) => {
    const returnTo = safeReturn(deps, c.req.query("return"));
    const { location, signInState } = await beginSignIn(deps, {
      returnTo,
      again: c.req.query("prompt") === "login",
    });
    writeCookie(c, signInCookie(deps), signInState, signInMilliseconds);
    return c.redirect(location);
  });

  app.get("/callback", async (c) => {
    const { search } = new URL(c.req.url);
    const { session, returnTo } = await finishSignIn(deps, search, getCookie(c, signInCookie(deps)));
    // The session that this browser had before would go on in a copy of its cookie.
    await endSession(deps, getCookie(c, sessionCookie(deps)));
    clearCookie(c, signInCookie(deps));
    writeCookie(c, sessionCookie(deps), session, sessionMilliseconds);
    return c.redirect(deps.appOrigin + returnTo);
  });

  const showSignedOut = (c: Context<Env>) => {
    clearCookie(c, sessionCookie(deps));
    return c.redirect(`${deps.appOrigin}/dashboard/signed-out`, 303);
  };

  app.post("/sign-out", async (c) => {
    requireOwnOrigin(deps, c.req.header("origin"));
    await endSession(deps, getCookie(c, sessionCookie(deps)));
    return showSignedOut(c);
  });

  app.post("/sign-out-everywhere", async (c) => {
    requireOwnOrigin(deps, c.req.header("origin"));
    const user = await memberFromCookie(deps, getCookie(c, sessionCookie(deps)));
    if (user === null) return c.redirect(signInFirst, 303);
    await endAllSessions(deps, user.member);
    return showSignedOut(c);
  });

  app.get("/signed-out", (c) => show(c, "Signed out", <SignedOut signIn={`${signIn}?prompt=login`} />));

  app.notFound((c) => show(c, "Page not found", <NotFound />, 404));

  app.onError((error, c) => {
    if (error instanceof SignInFailure) {
      const { problem } = error;
      const page = <SignInFailed problem={problem} signIn={signIn} />;
      return show(c, "Sign-in failed", page, statusOfProblem[problem]);
    }
    if (error instanceof ServiceError)
      return show(c, "Request refused", <Refused reason={error.message} />, 403);
    log("error", "dashboard failed", { path: c.req.path, error: describeError(error) });
    return show(c, "Something went wrong", <ServerError />, 500);
  });
  return app;
}
