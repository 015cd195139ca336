import type { Configuration } from "openid-client";
import { decryptClaims, encryptClaims } from "../../lib/crypto/encryption.ts";
import { describeError, log } from "../../lib/log.ts";
import { renewSession } from "../../store/identity/sessions.ts";
import { findUserBySubject, type UserProfile } from "../../store/identity/users.ts";
import type { Deps } from "../deps.ts";
import { leadsToInvitation } from "./invitations.ts";
import { cacheProviderKeys, openClient, ProviderUnavailable, profileFromClaims } from "./provider.ts";
import { authTimeOf, clockToleranceMilliseconds } from "./recent-sign-in.ts";
import {
  newSession,
  personFromCookie,
  provisionUser,
  type SignedInPerson,
  sealSession,
  startSession,
} from "./sessions.ts";
import { waysToSignIn } from "./ways.ts";

/**
 * Why a sign-in failed. `expired`: it has expired, was started in another browser or is already completed.
 * `somebody-else`: another person signed in again. `failed`: the provider's response was not acceptable.
 */
export type SignInProblem =
  | "not-configured"
  | "unavailable"
  | "declined"
  | "expired"
  | "somebody-else"
  | "failed";

export class SignInFailure extends Error {
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** How long a user may take to sign in. */
export const signInMilliseconds = 15 * 60_000;

/**
 * How long ago the provider may have asked a person for their credentials, in seconds. With any such limit, a provider
 * must send the time as `auth_time`, which spares people who have just entered their credentials from doing it again.
 */
const longestProviderSession = 30 * 24 * 60 * 60;

/** The path of the redirect URI, to which the provider sends browsers back. */
const callbackPath = "/dashboard/callback";

/**
 * Returns the path to return to after the sign-in: `requested` if it is a page of the dashboard, otherwise the
 * dashboard.
 */
export function safeReturn(deps: Deps, requested: string | undefined): string {
  const home = "/dashboard";
  if (requested === undefined || !URL.canParse(requested, deps.settings.appOrigin)) return home;
  const { origin, pathname, search } = new URL(requested, deps.settings.appOrigin);
  const inDashboard = pathname === home || pathname.startsWith(`${home}/`);
  return origin === deps.settings.appOrigin && inDashboard ? pathname + search : home;
}

/**
 * Starts a sign-in.
 * @param options.asks makes the provider ask for credentials even if it has a session of the user
 * @param options.again the session in which a person signs in again. The encrypted state holds it, because the address
 * is the browser's to edit
 * @returns the provider's address for the browser, and the encrypted state for the sign-in cookie
 * @throws SignInFailure
 */
export async function beginSignIn(
  deps: Deps,
  { returnTo, asks, again = "" }: { returnTo: string; asks: boolean; again?: string },
): Promise<{ location: string; signInState: string }> {
  if (!waysToSignIn(deps).provider) throw new SignInFailure("not-configured");
  const config = await openClient(deps).catch(fail);
  const client = await import("openid-client");
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: deps.settings.appOrigin + callbackPath,
    scope: "openid profile email",
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(asks ? { prompt: "login", max_age: "0" } : { max_age: String(longestProviderSession) }),
  });
  const now = deps.now();
  const until = now + signInMilliseconds;
  const claims = { state, nonce, verifier, returnTo, again };
  return {
    location: location.href,
    signInState: await encryptClaims(deps.settings.provider.sessionSecrets, "sign-in", claims, now, until),
  };
}

/** A completed sign-in. */
interface SignedIn {
  /** The session cookie's value; null if the provider didn't show that it has asked the person again. */
  readonly session: string | null;
  /** The path to redirect to. */
  readonly returnTo: string;
}

/**
 * Completes a sign-in with the provider's response.
 * @param search the callback's query, including `?`
 * @param signInState the sign-in cookie's value
 * @param sessionValue the session cookie's value
 * @param device that of `describeDevice`
 * @throws SignInFailure
 */
export async function finishSignIn(
  deps: Deps,
  search: string,
  { signInState, session: sessionValue }: { signInState: string | undefined; session: string | undefined },
  device: string | null,
): Promise<SignedIn> {
  if (!waysToSignIn(deps).provider) throw new SignInFailure("not-configured");
  const claims =
    signInState === undefined
      ? null
      : await decryptClaims(deps.settings.provider.sessionSecrets, "sign-in", signInState, deps.now());
  if (claims === null) throw new SignInFailure("expired");
  const { state, nonce, verifier, returnTo, again } = claims as Record<string, string>;
  if (new URLSearchParams(search).get("state") !== state) throw new SignInFailure("expired");
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier } as Checks;
  const { profile, authenticatedAt } = await exchangeCode(
    deps,
    new URL(callbackPath + search, deps.settings.appOrigin),
    checks,
  ).catch(fail);
  const to = safeReturn(deps, returnTo);
  if (again) {
    const person = await personFromCookie(deps, sessionValue);
    if (person?.sessionId !== again) throw new SignInFailure("expired");
    const { issuer, subject } = profile;
    if ((await findUserBySubject(deps.db, issuer, subject))?.userId !== person.userId) {
      throw new SignInFailure("somebody-else");
    }
    const askedAt = (claims.iat ?? Number.POSITIVE_INFINITY) * 1000;
    if (authenticatedAt === null || authenticatedAt < askedAt - clockToleranceMilliseconds) {
      return { session: null, returnTo: to };
    }
    return { session: await renew(deps, person, device, authenticatedAt), returnTo: to };
  }
  const userId = await provisionUser(deps, profile, { isInvited: await leadsToInvitation(deps, to) });
  return { session: await startSession(deps, userId, device, authenticatedAt), returnTo: to };
}

/** @returns the session cookie's value @throws SignInFailure if the session has ended */
async function renew(
  deps: Deps,
  { userId, sessionId }: SignedInPerson,
  device: string | null,
  authenticatedAt: number,
): Promise<string> {
  const session = newSession(deps, userId, device, authenticatedAt);
  if (!(await renewSession(deps.db, sessionId, session))) throw new SignInFailure("expired");
  return sealSession(deps, session);
}

/** A person as the provider describes them, and `authTimeOf` its ID token. */
interface Identified {
  readonly profile: UserProfile;
  readonly authenticatedAt: number | null;
}

/** Exchanges the authorization code for the user's profile. @param callback the URL that the browser returned to */
async function exchangeCode(deps: Deps, callback: URL, checks: Checks): Promise<Identified> {
  const client = await import("openid-client");
  const [newest, ...previous] = deps.settings.provider.clientSecrets;
  const exchange = async (clientSecret: string | undefined): Promise<Identified> => {
    const config = await openClient(deps, clientSecret);
    const grant = { ...checks, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(config, callback, grant);
    cacheProviderKeys(deps, client.getJwksCache(config));
    const claims = tokens.claims() ?? {};
    const profile = await readProfile(config, claims, tokens.access_token);
    return { profile, authenticatedAt: authTimeOf(deps, claims) };
  };
  try {
    return await exchange(newest?.secret);
  } catch (error) {
    // While the client secret is being rotated, the provider may not know the new one yet.
    const [replaced] = previous;
    if (replaced === undefined || !(await isRefusedClient(error))) throw error;
    log("warn", "client secret refused", { id: newest?.id, triedInstead: replaced.id });
    return exchange(replaced.secret);
  }
}

/** Returns whether the provider refused this service's credentials, not those of the person. */
async function isRefusedClient(error: unknown): Promise<boolean> {
  const client = await import("openid-client");
  if (error instanceof client.WWWAuthenticateChallengeError) return true;
  return error instanceof client.ResponseBodyError && error.error === "invalid_client";
}

type Checks = NonNullable<Parameters<typeof import("openid-client").authorizationCodeGrant>[2]>;

/** Returns the user's profile from the ID token, or from the userinfo endpoint if the token lacks name or email. */
async function readProfile(
  config: Configuration,
  claims: Readonly<Record<string, unknown>>,
  accessToken: string,
): Promise<UserProfile> {
  const { issuer, userinfo_endpoint } = config.serverMetadata();
  const profile = profileFromClaims(issuer, claims);
  if (profile === null) throw new Error("the ID token has no subject");
  const isWhole = profile.name !== null && profile.email !== null;
  if (isWhole || userinfo_endpoint === undefined) return profile;
  const { fetchUserInfo } = await import("openid-client");
  try {
    const info = await fetchUserInfo(config, accessToken, profile.subject);
    // Each source verifies its own address only.
    const { email, email_verified } = info.email === undefined ? claims : info;
    return profileFromClaims(issuer, { ...claims, ...info, email, email_verified }) ?? profile;
  } catch (error) {
    // Both are optional, so their absence must not fail the sign-in.
    log("warn", "userinfo request failed", { error: describeError(error) });
    return profile;
  }
}

async function fail(error: unknown): Promise<never> {
  const client = await import("openid-client");
  if (error instanceof client.AuthorizationResponseError && error.error === "access_denied") {
    throw new SignInFailure("declined", error);
  }
  log("warn", "sign-in failed", { error: describeError(error) });
  if (isUnavailable(error)) throw new SignInFailure("unavailable", error);
  // The authorization code was used before, or has expired.
  if (error instanceof client.ResponseBodyError && error.error === "invalid_grant") {
    throw new SignInFailure("expired", error);
  }
  throw new SignInFailure("failed", error);
}

/** Returns whether an error was caused by the provider being unavailable. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof ProviderUnavailable || (error instanceof Error && isUnavailable(error.cause));
