import type { Configuration } from "openid-client";
import type { Deps } from "../deps.ts";
import { describeError, log } from "../../lib/log.ts";
import { seal, unseal } from "../../lib/crypto/encrypted-claims.ts";
import type { Person } from "../../store/users.ts";
import { hasProvider, openClient, personOf, ProviderUnavailable, rememberKeys } from "./provider.ts";
import { sealSession, welcome } from "./sessions.ts";

/**
 * Why somebody could not sign in: no provider is set up; it is away; the person declined; the sign-in took too
 * long, was begun elsewhere or is over; or the provider's answer would not do.
 */
export type SignInProblem = "unset" | "away" | "declined" | "stale" | "failed";

export class SignInFailure extends Error {
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** How long a person may take to sign in. */
export const signInMilliseconds = 15 * 60_000;

/** Where the provider sends people back to. */
export const callbackPath = "/dashboard/callback";

/** A path of the dashboard to return to: anything else, on this or another host, is the dashboard itself. */
export function safeReturn(deps: Deps, wanted: string | undefined): string {
  const home = "/dashboard";
  if (wanted === undefined || !URL.canParse(wanted, deps.scanOrigin)) return home;
  const { origin, pathname, search } = new URL(wanted, deps.scanOrigin);
  const within = pathname === home || pathname.startsWith(`${home}/`);
  return origin === deps.scanOrigin && within ? pathname + search : home;
}

/**
 * Begins a sign-in.
 * @param options.again the provider shall ask who it is, also where it knows
 * @returns where to send the browser, and the ticket it must bring back
 * @throws SignInFailure
 */
export async function beginSignIn(
  deps: Deps,
  { returnTo, again }: { returnTo: string; again: boolean },
): Promise<{ location: string; ticket: string }> {
  if (!hasProvider(deps)) throw new SignInFailure("unset");
  const config = await openClient(deps).catch(fail);
  const client = await import("openid-client");
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: deps.scanOrigin + callbackPath,
    scope: "openid profile email",
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(again ? { prompt: "login" } : {}),
  });
  const now = deps.now();
  const until = now + signInMilliseconds;
  const claims = { state, nonce, verifier, returnTo };
  return {
    location: location.href,
    ticket: await seal(deps.provider.sessionSecret, "sign-in", claims, now, until),
  };
}

/**
 * Ends a sign-in with what the provider sent back.
 * @param search the callback's query, with its `?`
 * @returns the session cookie's text, and where to go
 * @throws SignInFailure
 */
export async function finishSignIn(
  deps: Deps,
  search: string,
  ticket: string | undefined,
): Promise<{ session: string; returnTo: string }> {
  if (!hasProvider(deps)) throw new SignInFailure("unset");
  const claims =
    ticket === undefined ? null : await unseal(deps.provider.sessionSecret, "sign-in", ticket, deps.now());
  if (claims === null) throw new SignInFailure("stale");
  const { state, nonce, verifier, returnTo } = claims as Record<string, string>;
  if (new URLSearchParams(search).get("state") !== state) throw new SignInFailure("stale");
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier } as Checks;
  const person = await exchange(deps, new URL(callbackPath + search, deps.scanOrigin), checks).catch(fail);
  const { userId } = await welcome(deps, person);
  return { session: await sealSession(deps, userId), returnTo: safeReturn(deps, returnTo) };
}

/** The provider's code for a person. @param callback the address it came by */
async function exchange(deps: Deps, callback: URL, checks: Checks): Promise<Person> {
  const config = await openClient(deps);
  const client = await import("openid-client");
  const tokens = await client.authorizationCodeGrant(config, callback, { ...checks, idTokenExpected: true });
  rememberKeys(deps, client.getJwksCache(config));
  return readPerson(config, tokens.claims() ?? {}, tokens.access_token);
}

type Checks = NonNullable<Parameters<typeof import("openid-client").authorizationCodeGrant>[2]>;

/** Who signed in. Many providers tell a person's name only when asked for it. */
async function readPerson(
  config: Configuration,
  claims: Readonly<Record<string, unknown>>,
  accessToken: string,
): Promise<Person> {
  const { issuer, userinfo_endpoint } = config.serverMetadata();
  const person = personOf(issuer, claims);
  if (person === null) throw new Error("the ID token has no subject");
  if (person.name !== null || userinfo_endpoint === undefined) return person;
  const { fetchUserInfo } = await import("openid-client");
  try {
    return personOf(issuer, await fetchUserInfo(config, accessToken, person.subject)) ?? person;
  } catch (error) {
    // A name is pleasant, not needed.
    log("warn", "identity provider told nothing about a person", { error: describeError(error) });
    return person;
  }
}

async function fail(error: unknown): Promise<never> {
  const client = await import("openid-client");
  if (error instanceof client.AuthorizationResponseError && error.error === "access_denied") {
    throw new SignInFailure("declined", error);
  }
  log("warn", "sign-in failed", { error: describeError(error), cause: describeError(causeOf(error)) });
  if (isAway(error)) throw new SignInFailure("away", error);
  // A code that was used before, or is too old.
  if (error instanceof client.ResponseBodyError && error.error === "invalid_grant") {
    throw new SignInFailure("stale", error);
  }
  throw new SignInFailure("failed", error);
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

function isAway(error: unknown): boolean {
  for (let at = error; at !== undefined; at = causeOf(at)) if (at instanceof ProviderUnavailable) return true;
  return false;
}
