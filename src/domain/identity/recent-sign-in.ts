import type { Member } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";

/** Changes that give others access or can't be undone need a recent sign-in, in case a device was left unlocked. */

/** How recent it must be. */
export const recentMilliseconds = 10 * 60_000;

/** Where people sign in again. Takes the page to return to, as `return`. */
export const signInAgainPath = "/dashboard/sign-in/again";

/** The error for a person who has to sign in again first. */
export class SignInAgain extends ServiceError {
  constructor({ settings }: Deps) {
    super(
      "forbidden",
      `This needs a sign-in of the last ${recentMilliseconds / 60_000} minutes. Sign in again at ${settings.appOrigin}${signInAgainPath}, or send a token whose auth_time is that recent.`,
    );
  }
}

/** Returns whether the person has proved recently who they are. */
export const isRecentlySignedIn = (
  deps: Deps,
  { authenticatedAt }: Pick<Member, "authenticatedAt">,
): boolean => authenticatedAt !== null && deps.now() - authenticatedAt < recentMilliseconds;

/** @throws SignInAgain unless the person has proved recently who they are */
export function requireRecentSignIn(deps: Deps, member: Pick<Member, "authenticatedAt">): void {
  if (!isRecentlySignedIn(deps, member)) throw new SignInAgain(deps);
}

/**
 * Returns when a provider says that it asked a person for their credentials, epoch milliseconds; null if it doesn't say,
 * or names a time that its clock can't have shown.
 */
export function authTimeOf(deps: Deps, claims: Readonly<Record<string, unknown>>): number | null {
  const { auth_time: seconds } = claims;
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return null;
  const now = deps.now();
  return seconds * 1000 > now + clockToleranceMilliseconds ? null : Math.min(seconds * 1000, now);
}

/** How far the provider's clock may differ from ours. */
export const clockToleranceMilliseconds = 60_000;
