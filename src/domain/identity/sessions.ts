import type { Allowance } from "../../protocol/key-meter.ts";
import type { Deps } from "../deps.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { requiresHttps } from "../../lib/web/https.ts";
import { newId } from "../../lib/text/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import { decryptClaims, encryptClaims } from "../../lib/crypto/encryption.ts";
import {
  findMember,
  findMemberBySubject,
  insertUser,
  type MemberRow,
  type UserProfile,
} from "../../store/users.ts";
import { allowanceOf, type Member } from "./caller.ts";
import { ServiceError, unauthorized } from "../errors.ts";
import { perIsolate } from "../isolate-memory.ts";
import { isSignInConfigured, ProviderUnavailable, verifyToken } from "./provider.ts";

/** A signed-in user as an isolate remembers them. */
export interface KnownMember {
  readonly readAt: number;
  readonly member: Member;
  readonly allowance: Allowance;
  readonly name: string | null;
  readonly email: string | null;
  readonly workspaceName: string;
}

/** By the user's id, or by the provider's issuer and subject. */
const knownMembers = perIsolate(() => new BoundedMap<string, KnownMember>(10_000));

/** How long an isolate trusts a remembered member. */
const memberCacheMilliseconds = 10_000;

/** How long a session lasts. */
export const sessionMilliseconds = 12 * 60 * 60_000;

const sessionRequired = () =>
  unauthorized(
    "A session is required: sign in at /dashboard, or send a JWT of the identity provider as Authorization: Bearer",
  );

/** The session cookie's name. Browsers accept a `__Host-` cookie only from the host that it is for. */
export const sessionCookie = (deps: Deps): string => cookieName(deps, "session");

/** The name of the cookie that holds the state of a sign-in under way. */
export const signInCookie = (deps: Deps): string => cookieName(deps, "sign-in");

const cookieName = (deps: Deps, name: string) => (isSecure(deps) ? `__Host-${name}` : name);

/** Whether cookies are limited to https: everywhere except in local development. */
export const isSecure = (deps: Deps): boolean => requiresHttps(deps.scanOrigin);

/**
 * Identifies the signed-in user. A request with an Authorization header is judged by it alone, and its cookie ignored.
 * @throws unauthorized; internal while the identity provider is unavailable
 */
export async function authenticateSession(
  deps: Deps,
  { authorization, cookie }: { authorization: string | undefined; cookie: string | undefined },
): Promise<{ known: KnownMember; by: "token" | "cookie" }> {
  if (!isSignInConfigured(deps)) throw sessionRequired();
  const by = authorization === undefined ? "cookie" : "token";
  const known =
    authorization === undefined
      ? await memberFromCookie(deps, cookie)
      : await memberFromToken(deps, authorization);
  if (known === null) throw sessionRequired();
  return { known, by };
}

/** The name of a user's request meter. A key's meter is named by the key's id. */
export const userMeterName = (member: Pick<Member, "userId">): string => `user:${member.userId}`;

/** Protects changes by cookie from cross-site request forgery. @throws forbidden */
export function requireOwnOrigin(deps: Deps, origin: string | undefined): void {
  if (origin !== deps.scanOrigin) {
    throw new ServiceError("forbidden", `Origin: must be ${deps.scanOrigin} for a change by cookie`);
  }
}

/** The value of a new session cookie. */
export function encryptSession(deps: Deps, userId: string): Promise<string> {
  const { issuer, sessionSecret } = deps.provider;
  const now = deps.now();
  return encryptClaims(
    sessionSecret,
    "session",
    { sub: userId, iss: issuer },
    now,
    now + sessionMilliseconds,
  );
}

/** The member a session cookie was issued to; null for a cookie that is expired or not from this service. */
export async function memberFromCookie(deps: Deps, cookie: string | undefined): Promise<KnownMember | null> {
  if (cookie === undefined || !isSignInConfigured(deps)) return null;
  const { issuer, sessionSecret } = deps.provider;
  const claims = await decryptClaims(sessionSecret, "session", cookie, deps.now());
  if (claims?.sub === undefined || claims.iss !== issuer) return null;
  const userId = claims.sub;
  return remember(deps, `user ${userId}`, () => findMember(deps.db, userId));
}

/** The user a JWT of the provider was issued to; provisioned when they come for the first time. */
async function memberFromToken(deps: Deps, authorization: string): Promise<KnownMember | null> {
  const token = bearerOf(authorization);
  if (token === undefined || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  const profile = await verifyToken(deps, token).catch((error) => {
    if (!(error instanceof ProviderUnavailable)) throw error;
    log("error", "identity provider unavailable", { error: describeError(error) });
    throw new ServiceError("internal", "The identity provider does not answer; please try again");
  });
  if (profile === null) return null;
  const { issuer, subject } = profile;
  return remember(
    deps,
    `subject ${issuer} ${subject}`,
    async () => (await findMemberBySubject(deps.db, issuer, subject)) ?? provisionUser(deps, profile),
  );
}

async function remember(
  deps: Deps,
  key: string,
  read: () => Promise<MemberRow | undefined>,
): Promise<KnownMember | null> {
  const now = deps.now();
  const remembered = knownMembers(deps).get(key);
  if (remembered !== undefined && now - remembered.readAt < memberCacheMilliseconds) return remembered;
  const row = await read();
  if (row === undefined) return null;
  const { userId, workspaceId, plan, name, email, workspaceName } = row;
  const member = { userId, workspaceId, plan };
  const known = { readAt: now, member, allowance: allowanceOf(row), name, email, workspaceName };
  knownMembers(deps).set(key, known);
  return known;
}

/** Creates the user with a workspace of their own; for a user who exists, updates name and email. */
export async function provisionUser(deps: Deps, profile: UserProfile): Promise<MemberRow> {
  const now = deps.now();
  const displayName = profile.name ?? profile.email;
  await insertUser(deps.db, profile, {
    userId: newId(now),
    workspaceId: newId(now),
    workspaceName: displayName === null ? "My workspace" : `${displayName}'s workspace`,
    now,
  });
  const row = await findMemberBySubject(deps.db, profile.issuer, profile.subject);
  if (row === undefined) throw new Error("the user is not in the catalogue after being inserted");
  return row;
}
