import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Deps } from "../../domain/deps.ts";
import { removePasskeys } from "../../domain/identity/passkeys.ts";
import { signInAgainPath } from "../../domain/identity/recent-sign-in.ts";
import {
  endAllSessions,
  endSession,
  personFromCookie,
  sessionCookie,
  sessionMilliseconds,
  signInCookie,
} from "../../domain/identity/sessions.ts";
import {
  beginSignIn,
  finishSignIn,
  SignInFailure,
  safeReturn,
  signInMilliseconds,
} from "../../domain/identity/sign-in.ts";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { describeDevice } from "../../lib/text/user-agent.ts";
import { plainDocument } from "../../ui/document.tsx";
import { clearCookie, writeCookie } from "../frame/cookies.ts";
import type { DashboardEnv } from "../frame/env.ts";
import { readSubmitted } from "../frame/read-form.ts";
import { SignedOut, SignInFailed, statusOfProblem } from "./pages.tsx";
import { showSignIn } from "./passkey-app.tsx";

const signInPath = "/dashboard/sign-in";

/** Returns the address where a sign-in begins. @param returnTo the page to return to */
export const signInAddress = (deps: Deps, returnTo = "/dashboard"): string =>
  `${deps.settings.appOrigin}${signInPath}?return=${encodeURIComponent(returnTo).replaceAll("%2F", "/")}`;

/** The pages to sign in and out, which require no session. */
export function accountRoutes(): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>();
  const signIn = ({ settings }: Deps) => settings.appOrigin + signInPath;
  const show = async (
    c: Context<DashboardEnv>,
    title: string,
    content: Child,
    status: ContentfulStatusCode = 200,
  ) => c.html(await plainDocument(c.env.base, title, content), status);

  const goToProvider = async (c: Context<DashboardEnv>) => {
    const { deps } = c.env;
    const returnTo = safeReturn(deps, c.req.query("return"));
    const { location, signInState } = await beginSignIn(deps, {
      returnTo,
      asks: c.req.query("prompt") === "login",
    });
    writeCookie(deps, c, signInCookie(deps), signInState, signInMilliseconds);
    return c.redirect(location);
  };

  app.get("/sign-in", (c) => (waysToSignIn(c.env.deps).passkeys ? showSignIn(c) : goToProvider(c)));
  app.get("/sign-in/provider", goToProvider);

  app.get("/callback", async (c) => {
    const { deps } = c.env;
    const { search } = new URL(c.req.url);
    const cookies = {
      signInState: getCookie(c, signInCookie(deps)),
      session: getCookie(c, sessionCookie(deps)),
    };
    const device = describeDevice(c.req.header("user-agent") ?? null);
    const { session, returnTo } = await finishSignIn(deps, search, cookies, device);
    if (session === null) {
      clearCookie(deps, c, signInCookie(deps));
      const query = new URLSearchParams({ return: returnTo, unconfirmed: "yes" });
      return c.redirect(`${deps.settings.appOrigin}${signInAgainPath}?${query}`);
    }
    // Otherwise this browser's previous session would live on in copies of its cookie.
    await endSession(deps, cookies.session);
    clearCookie(deps, c, signInCookie(deps));
    writeCookie(deps, c, sessionCookie(deps), session, sessionMilliseconds);
    return c.redirect(deps.settings.appOrigin + returnTo);
  });

  const showSignedOut = (c: Context<DashboardEnv>) => {
    const { deps } = c.env;
    clearCookie(deps, c, sessionCookie(deps));
    return c.redirect(`${deps.settings.appOrigin}/dashboard/signed-out`, 303);
  };

  app.post("/sign-out", async (c) => {
    const { deps } = c.env;
    await endSession(deps, getCookie(c, sessionCookie(deps)));
    return showSignedOut(c);
  });

  app.post("/sign-out-everywhere", async (c) => {
    const { deps } = c.env;
    const user = await personFromCookie(deps, getCookie(c, sessionCookie(deps)));
    if (user === null) return c.redirect(signInAddress(deps), 303);
    const { fields } = await readSubmitted(c.req.raw);
    const passkeys = fields.getAll("passkey");
    if (passkeys.length > 0) await removePasskeys(deps, user, passkeys);
    await endAllSessions(deps, user);
    return showSignedOut(c);
  });

  app.get("/signed-out", (c) =>
    show(c, "Signed out", <SignedOut signIn={`${signIn(c.env.deps)}?prompt=login`} />),
  );

  app.onError((error, c) => {
    if (!(error instanceof SignInFailure)) throw error;
    const { problem } = error;
    return show(
      c,
      "Sign-in failed",
      <SignInFailed problem={problem} signIn={signIn(c.env.deps)} />,
      statusOfProblem[problem],
    );
  });
  return app;
}
