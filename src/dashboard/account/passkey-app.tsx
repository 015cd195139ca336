import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { NewWorkspaceInput } from "../../contract/resources/identity/members.ts";
import { OwnerInput } from "../../contract/resources/identity/sign-in.ts";
import type { Deps } from "../../domain/deps.ts";
import { notFound } from "../../domain/errors.ts";
import { switchWorkspace } from "../../domain/identity/members.ts";
import { createWorkspaceByLink } from "../../domain/identity/new-workspaces.ts";
import {
  answerBytes,
  beginPasskeySignIn,
  challengeMilliseconds,
  countAttempt,
  countOpening,
  finishPasskeySignIn,
  PasskeyFailure,
  type PasskeyProblem,
  requirePasskeys,
} from "../../domain/identity/passkeys.ts";
import {
  challengeCookie,
  endSession,
  passkeyCookie,
  passkeyCookieMilliseconds,
  personFromCookie,
  type SignedInPerson,
  sessionCookie,
  sessionMilliseconds,
} from "../../domain/identity/sessions.ts";
import { safeReturn } from "../../domain/identity/sign-in.ts";
import { beginJoining, join, type OpenLink, readLink, recover } from "../../domain/identity/sign-in-links.ts";
import { isSignUpOpen, waysToSignIn } from "../../domain/identity/ways.ts";
import { describeDevice } from "../../lib/text/user-agent.ts";
import { clientAddressOf } from "../../lib/web/network.ts";
import { plainDocument } from "../../ui/document.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { clearCookie, writeCookie } from "../frame/cookies.ts";
import type { DashboardEnv } from "../frame/env.ts";
import { readSubmitted } from "../frame/read-form.ts";
import { submitForm } from "../frame/submit-form.ts";
import { statusOfPasskeyProblem } from "./passkey-form.tsx";
import { AnotherWorkspace, Join, Recover, SignIn, SignInFirst, UnusableLink } from "./passkey-pages.tsx";
import { typedCodeOf } from "./typed-code.tsx";

type C = Context<DashboardEnv>;

/** Shows a page outside the frame, with its problem's status. */
export const show = async (c: C, title: string, content: Child, problem?: PasskeyProblem, status?: 400) => {
  if (problem === "limited") c.header("retry-after", "60");
  const code: ContentfulStatusCode =
    problem === undefined ? (status ?? 200) : statusOfPasskeyProblem[problem];
  return c.html(await plainDocument(c.env.base, code === 200 ? title : `Problem: ${title}`, content), code);
};

/** Returns the browser's name, as a session has it. */
export const deviceOf = (c: C): string | null => describeDevice(c.req.header("user-agent") ?? null);

/** Returns where people join without a link. @param returnTo the page to go on to */
const signUpAddress = (returnTo: string | null): string =>
  `/dashboard/sign-up?${new URLSearchParams({ return: returnTo ?? "/dashboard" })}`;

/** Shows the page to sign in. @param problem of the last attempt */
export async function showSignIn(c: C, problem?: PasskeyProblem): Promise<Response> {
  const { deps } = c.env;
  const { appOrigin, provider } = deps.settings;
  const given = problem === undefined ? getCookie(c, challengeCookie(deps)) : undefined;
  const { options, sealed } = await beginPasskeySignIn(deps, given);
  writeCookie(deps, c, challengeCookie(deps), sealed, challengeMilliseconds);
  const returnTo = safeReturn(deps, c.req.query("return"));
  const query = new URLSearchParams({ return: returnTo });
  const action = `${appOrigin}/dashboard/sign-in?${query}`;
  if (c.req.query("prompt") === "login") query.set("prompt", "login");
  const atProvider = waysToSignIn(deps).provider
    ? { host: new URL(provider.issuer).host, href: `${appOrigin}/dashboard/sign-in/provider?${query}` }
    : null;
  const page = (
    <SignIn
      options={options}
      problem={problem}
      action={action}
      provider={atProvider}
      signUp={isSignUpOpen(deps) ? signUpAddress(query.get("return")) : null}
      code={await typedCodeOf(c, returnTo)}
      isNew={getCookie(c, passkeyCookie(deps)) === undefined}
      returnTo={returnTo}
    />
  );
  return show(c, "Sign in", page, problem);
}

/** Notes that a passkey is in use in this browser, so that its sign-in begins with passkeys. */
export const rememberPasskey = (c: C, deps: Deps) =>
  writeCookie(deps, c, passkeyCookie(deps), "yes", passkeyCookieMilliseconds);

/** Lets this browser in. Its previous session would live on in copies of its cookie. */
async function enter(c: C, deps: Deps, session: string, returnTo: string): Promise<Response> {
  await endSession(deps, getCookie(c, sessionCookie(deps)));
  clearCookie(deps, c, challengeCookie(deps));
  writeCookie(deps, c, sessionCookie(deps), session, sessionMilliseconds);
  rememberPasskey(c, deps);
  return c.redirect(deps.settings.appOrigin + returnTo, 303);
}

/** Runs an attempt; shows its problem if it fails. */
export async function attempt(
  run: () => Promise<Response>,
  refuse: (problem: PasskeyProblem) => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PasskeyFailure)) throw error;
    return refuse(error.problem);
  }
}

/** Reads the fields of a form that a passkey has signed. */
export const readFields = async (c: C) =>
  (await readSubmitted(c.req.raw, { bytes: answerBytes, fields: 8 })).fields;

/** The pages on which people sign in and join with passkeys, which require no session. */
export function passkeyRoutes(): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>();

  app.post("/sign-in", (c) => {
    const { deps } = c.env;
    return attempt(
      async () => {
        await countAttempt(deps, clientAddressOf(c.req.raw));
        const fields = await readFields(c);
        const sealed = getCookie(c, challengeCookie(deps));
        const answer = fields.get("credential") ?? "";
        const session = await finishPasskeySignIn(deps, { answer, sealed }, deviceOf(c));
        return enter(c, deps, session, safeReturn(deps, c.req.query("return")));
      },
      (problem) => showSignIn(c, problem),
    );
  });

  const noValues = new URLSearchParams();

  /** Shows the page of a link, or of joining without one. */
  async function showJoin(
    c: C,
    link: OpenLink | null,
    { values = noValues, problems = {} }: Partial<FormState> = {},
    problem?: PasskeyProblem,
  ): Promise<Response> {
    const ceremony = await beginJoining(c.env.deps, link);
    if (link?.person) {
      const page = <Recover ceremony={ceremony} problem={problem} name={link.person.name} />;
      return show(c, "Replace your passkeys", page, problem);
    }
    const signIn = link === null ? null : signInAndReturn(c);
    const code = link === null ? await typedCodeOf(c, safeReturn(c.env.deps, c.req.query("return"))) : null;
    const page = (
      <Join ceremony={ceremony} problem={problem} form={{ values, problems }} signIn={signIn} code={code} />
    );
    const status = Object.keys(problems).length === 0 ? undefined : 400;
    return show(c, "Create your workspace", page, problem, status);
  }

  /** Returns where people sign in and come back to this page. */
  const signInAndReturn = (c: C): string =>
    `/dashboard/sign-in?${new URLSearchParams({ return: c.req.path })}`;

  /** Lets someone who is signed in create a workspace by the link of a new owner. */
  async function createAnother(c: C, link: OpenLink, person: SignedInPerson): Promise<Response> {
    const { deps } = c.env;
    const isPost = c.req.method === "POST";
    const fields = isPost ? await readFields(c) : noValues;
    const outcome = isPost
      ? await submitForm(NewWorkspaceInput, { name: fields.get("name") ?? "" }, (input) =>
          createWorkspaceByLink(deps, person, link, input),
        )
      : { rejection: { problems: {}, status: 200 } as const };
    if ("done" in outcome) {
      await switchWorkspace(deps, person, outcome.done.id);
      return c.redirect(`${deps.settings.appOrigin}/dashboard`, 303);
    }
    const { problems, status } = outcome.rejection;
    const page = (
      <AnotherWorkspace
        name={person.name ?? person.email ?? "someone without a name"}
        form={{ values: fields, problems }}
        joinInstead={waysToSignIn(deps).passkeys ? `${c.req.path}?new` : null}
      />
    );
    const title = isPost ? "Problem: Create a workspace" : "Create a workspace";
    return c.html(await plainDocument(c.env.base, title, page), status);
  }

  function showUnusable(c: C, problem: PasskeyProblem): Promise<Response> {
    const title = problem === "limited" ? "Too many attempts" : "This link no longer works";
    const signIn = `${c.env.deps.settings.appOrigin}/dashboard/sign-in`;
    return show(c, title, <UnusableLink title={title} problem={problem} signIn={signIn} />, problem);
  }

  /** Uses a link, or lets someone join without one. Shows the form again if that fails. */
  async function use(c: C, link: OpenLink | null, clientAddress: string): Promise<Response> {
    const { deps } = c.env;
    const fields = await readFields(c);
    const device = deviceOf(c);
    const given = {
      answer: fields.get("credential") ?? "",
      sealed: fields.get("sealed") ?? undefined,
      name: device ?? "Passkey",
      device,
    };
    return attempt(
      async () => {
        if (link?.person) return enter(c, deps, await recover(deps, link, given), "/dashboard");
        const input = { person: fields.get("person") ?? "", workspace: fields.get("workspace") ?? "" };
        const outcome = await submitForm(OwnerInput, input, (owner) =>
          join(deps, link, owner, given, clientAddress),
        );
        if ("done" in outcome) {
          return enter(c, deps, outcome.done, safeReturn(deps, c.req.query("return")));
        }
        return showJoin(c, link, { values: fields, problems: outcome.rejection.problems });
      },
      (problem) =>
        problem === "link" ? showUnusable(c, problem) : showJoin(c, link, { values: fields }, problem),
    );
  }

  app.on(["GET", "POST"], "/links/:token", (c) => {
    const { deps } = c.env;
    const address = clientAddressOf(c.req.raw);
    return attempt(
      async () => {
        await countOpening(deps, address);
        const link = await readLink(deps, c.req.param("token"));
        if (link.person === null && c.req.query("new") === undefined) {
          const person = await personFromCookie(deps, getCookie(c, sessionCookie(deps)));
          if (person !== null) return createAnother(c, link, person);
        }
        if (link.person === null && !waysToSignIn(deps).passkeys) {
          return show(c, "Create a workspace", <SignInFirst signIn={signInAndReturn(c)} />);
        }
        requirePasskeys(deps);
        return c.req.method === "POST" ? use(c, link, address) : showJoin(c, link);
      },
      (problem) => showUnusable(c, problem),
    );
  });

  app.on(["GET", "POST"], "/sign-up", (c) => {
    const { deps } = c.env;
    if (!isSignUpOpen(deps)) throw notFound("Page");
    if (c.req.method !== "POST") return showJoin(c, null);
    const address = clientAddressOf(c.req.raw);
    return attempt(
      async () => {
        await countAttempt(deps, address);
        return use(c, null, address);
      },
      (problem) => showJoin(c, null, {}, problem),
    );
  });
  return app;
}
