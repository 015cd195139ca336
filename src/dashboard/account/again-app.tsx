import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { Deps } from "../../domain/deps.ts";
import {
  beginPasskeySignIn,
  challengeMilliseconds,
  countAttempt,
  countOpening,
  listPasskeys,
  PasskeyFailure,
  type PasskeyProblem,
  signInAgainWithPasskey,
} from "../../domain/identity/passkeys.ts";
import { isRecentlySignedIn, signInAgainPath } from "../../domain/identity/recent-sign-in.ts";
import {
  challengeCookie,
  personFromCookie,
  type SignedInPerson,
  sessionCookie,
  sessionMilliseconds,
  signInCookie,
} from "../../domain/identity/sessions.ts";
import { beginSignIn, safeReturn, signInMilliseconds } from "../../domain/identity/sign-in.ts";
import { isConfirmationOf, signInAgainWithLink } from "../../domain/identity/sign-in-links.ts";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { clientAddressOf } from "../../lib/web/network.ts";
import { clearCookie, writeCookie } from "../frame/cookies.ts";
import type { DashboardEnv } from "../frame/env.ts";
import { Confirmation, ConfirmationElsewhere, SignInAgain } from "./again-pages.tsx";
import { signInAddress } from "./app.tsx";
import { attempt, deviceOf, readFields, show } from "./passkey-app.tsx";
import { UnusableLink } from "./passkey-pages.tsx";

type C = Context<DashboardEnv>;

const readPerson = (c: C): Promise<SignedInPerson | null> =>
  personFromCookie(c.env.deps, getCookie(c, sessionCookie(c.env.deps)));

const nameOf = ({ name, email }: SignedInPerson): string => name ?? email ?? "a user without a name";

const returnOf = (c: C): string => safeReturn(c.env.deps, c.req.query("return"));

/** Whether the person can sign in at the provider that this service has. */
const isOfProvider = (deps: Deps, { issuer }: SignedInPerson): boolean =>
  waysToSignIn(deps).provider && issuer === deps.settings.provider.issuer;

/** Returns the address where a person signs in again. @param returnTo the page to return to */
export const signInAgainAddress = (deps: Deps, returnTo: string): string =>
  `${deps.settings.appOrigin}${signInAgainPath}?return=${encodeURIComponent(returnTo).replaceAll("%2F", "/")}`;

/** The pages on which people who are signed in do so again. They require a session, and no workspace. */
export function signInAgainRoutes(): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>();
  const askToSignIn = (c: C, returnTo: string) => c.redirect(signInAddress(c.env.deps, returnTo), 303);

  /** @param problem of the last attempt with a passkey */
  async function showWays(c: C, person: SignedInPerson, problem?: PasskeyProblem): Promise<Response> {
    const { deps } = c.env;
    const { appOrigin, provider } = deps.settings;
    const hasPasskeys = waysToSignIn(deps).passkeys && (await listPasskeys(deps, person)).length > 0;
    const query = new URLSearchParams({ return: returnOf(c) });
    let options: object | null = null;
    if (hasPasskeys) {
      const given = problem === undefined ? getCookie(c, challengeCookie(deps)) : undefined;
      const ceremony = await beginPasskeySignIn(deps, given);
      writeCookie(deps, c, challengeCookie(deps), ceremony.sealed, challengeMilliseconds);
      options = ceremony.options;
    }
    const page = (
      <SignInAgain
        name={nameOf(person)}
        options={options}
        problem={problem}
        action={`${appOrigin}${signInAgainPath}?${query}`}
        provider={
          isOfProvider(deps, person)
            ? {
                host: new URL(provider.issuer).host,
                href: `${appOrigin}${signInAgainPath}/provider?${query}`,
              }
            : null
        }
        isUnconfirmed={c.req.query("unconfirmed") !== undefined}
      />
    );
    return show(c, "Confirm it's you", page, problem);
  }

  /** Lets the person go on in their session, which has a new id. */
  function continueTo(c: C, session: string, returnTo: string): Response {
    const { deps } = c.env;
    clearCookie(deps, c, challengeCookie(deps));
    writeCookie(deps, c, sessionCookie(deps), session, sessionMilliseconds);
    return c.redirect(deps.settings.appOrigin + returnTo, 303);
  }

  app.get("/sign-in/again", async (c) => {
    const { deps } = c.env;
    const person = await readPerson(c);
    const returnTo = returnOf(c);
    if (person === null) return askToSignIn(c, returnTo);
    if (isRecentlySignedIn(deps, person)) return c.redirect(deps.settings.appOrigin + returnTo, 303);
    return showWays(c, person);
  });

  app.post("/sign-in/again", async (c) => {
    const { deps } = c.env;
    const person = await readPerson(c);
    const returnTo = returnOf(c);
    if (person === null) return askToSignIn(c, returnTo);
    return attempt(
      async () => {
        await countAttempt(deps, clientAddressOf(c.req.raw));
        const answer = (await readFields(c)).get("credential") ?? "";
        const given = { answer, sealed: getCookie(c, challengeCookie(deps)) };
        return continueTo(c, await signInAgainWithPasskey(deps, person, given, deviceOf(c)), returnTo);
      },
      (problem) => showWays(c, person, problem),
    );
  });

  app.get("/sign-in/again/provider", async (c) => {
    const { deps } = c.env;
    const person = await readPerson(c);
    const returnTo = returnOf(c);
    if (person === null) return askToSignIn(c, returnTo);
    const again = person.sessionId;
    const { location, signInState } = await beginSignIn(deps, { returnTo, asks: true, again });
    writeCookie(deps, c, signInCookie(deps), signInState, signInMilliseconds);
    return c.redirect(location);
  });

  // Opening a confirmation link uses nothing up, so that previews of links do no harm.
  app.on(["GET", "POST"], "/sign-in/again/:token", (c) => {
    const { deps } = c.env;
    const token = c.req.param("token");
    const signIn = signInAddress(deps, `${signInAgainPath}/${token}`);
    return attempt(
      async () => {
        await countOpening(deps, clientAddressOf(c.req.raw));
        const person = await readPerson(c);
        if (person === null) return show(c, "Sign in first", <ConfirmationElsewhere signIn={signIn} />);
        if (c.req.method === "POST") {
          const session = await signInAgainWithLink(deps, person, token, deviceOf(c));
          return continueTo(c, session, "/dashboard/settings/account");
        }
        if (!(await isConfirmationOf(deps, person, token))) throw new PasskeyFailure("link");
        return show(c, "Confirm it's you", <Confirmation name={nameOf(person)} />);
      },
      (problem) => {
        const title = problem === "limited" ? "Too many attempts" : "This link doesn't work here";
        const page = <UnusableLink title={title} problem={problem} signIn={signIn} />;
        return show(c, title, page, problem);
      },
    );
  });
  return app;
}
