import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { Session } from "../../contract/resources/identity/sessions.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import { decryptClaims, encryptClaims } from "../../lib/crypto/encryption.ts";
import { describeError, log } from "../../lib/log.ts";
import { newId, timeOfId } from "../../lib/text/ids.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { requiresHttps } from "../../lib/web/https.ts";
import type { Actor, ActorRequest } from "../../protocol/history.ts";
import type { Allowance } from "../../protocol/key-meter.ts";
import * as store from "../../store/identity/sessions.ts";
import {
  findMemberBySession,
  findMemberBySubject,
  findUserBySession,
  findUserBySubject,
  insertUser,
  type MemberRow,
  type UserProfile,
} from "../../store/identity/users.ts";
import type { Postponed } from "../../store/waiting.ts";
import { creationsToday } from "../../store/workspaces/workspaces.ts";
import { type Member, type Person, userMeterName } from "../context/context.ts";
import { allowanceOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { notFound, ServiceError, unauthorized } from "../errors.ts";
import { ProviderUnavailable, verifyToken } from "./provider.ts";
import { clockToleranceMilliseconds, requireRecentSignIn } from "./recent-sign-in.ts";
import { canSignIn, defaultPlanOf, waysToSignIn } from "./ways.ts";

/**
 * A signed-in user. Read for every request and never cached, so that every isolate rejects an ended session
 * immediately.
 */
export interface SignedInMember {
  readonly member: Member;
  /** When the use of the session was last recorded, epoch milliseconds; null if it never was, or for a token. */
  readonly sessionUsedAt: number | null;
  readonly allowance: Allowance;
  readonly name: string | null;
  readonly email: string | null;
  readonly workspaceName: string;
  /** The logo beside the workspace's name; null for none. */
  readonly logoId: string | null;
  /** The workspace's codes that are not deleted. */
  readonly liveCodes: number;
  /** Codes that the workspace has created or restored today, UTC. */
  readonly creationsToday: number;
  /** Bytes that the workspace stores in the catalogue, and its limit. */
  readonly storedBytes: number;
  readonly storageLimit: number;
  /** Null if the workspace isn't suspended. */
  readonly suspended: Suspension | null;
  /** The things that the person has put off. */
  readonly postponed: Postponed;
}

/** Someone who is signed in, but isn't a member of the workspace that their request is for. */
export interface Outsider {
  /** The name of the meter that counts the request. */
  readonly meter: string;
  readonly allowance: Allowance;
  /** The workspace against whose limit it counts; undefined for a person without one. */
  readonly workspaceId: string | undefined;
  /** The error to answer once the request is counted. */
  readonly refusal: ServiceError;
}

/** How long a session lasts. */
export const sessionMilliseconds = 12 * 60 * 60_000;

/** The minimum time between two records of a session's use. */
const useMilliseconds = 60 * 60_000;

/** Sessions per user. Another one ends the oldest. */
export const sessionsPerUser = 100;

const sessionRequired = () =>
  unauthorized(
    "Sign in at /dashboard, or send a JWT of the identity provider as Authorization: Bearer <token>.",
  );

/** The session cookie's name. Browsers only accept a `__Host-` cookie from its own host. */
export const sessionCookie = (deps: Deps): string => cookieName(deps, "session");

/** The name of the cookie that holds the state of a sign-in at the provider in progress. */
export const signInCookie = (deps: Deps): string => cookieName(deps, "sign-in");

/** The name of the cookie that holds the challenge for a passkey. */
export const challengeCookie = (deps: Deps): string => cookieName(deps, "challenge");

/** The name of the cookie of a browser in which a passkey was used, and how long it lasts: the longest that browsers keep one. */
export const passkeyCookie = (deps: Deps): string => cookieName(deps, "passkey");
export const passkeyCookieMilliseconds = 400 * 24 * 60 * 60_000;

/** Returns a cookie's name, which only lets browsers accept it from its own host, over https. */
export const cookieName = (deps: Deps, name: string) => (isSecure(deps) ? `__Host-${name}` : name);

/** Whether cookies are limited to https: everywhere except in local development. */
export const isSecure = (deps: Deps): boolean => requiresHttps(deps.settings.appOrigin);

/**
 * Identifies the signed-in user. If there is an Authorization header, only that counts, and the cookie is ignored.
 * @throws unauthorized; internal while the identity provider is unavailable
 */
export async function authenticateSession(
  deps: Deps,
  credentials: SentCredentials,
  request: ActorRequest,
): Promise<SignedIn | { outsider: Outsider }> {
  const { workspaceId } = credentials;
  const credential = await readCredential(deps, credentials, request);
  const signedIn = await credential?.findMember(workspaceId);
  if (credential !== undefined && signedIn !== undefined) return { signedIn, by: credential.by };
  const refusal = workspaceId === undefined ? sessionRequired() : notYourWorkspace();
  const own = workspaceId === undefined ? undefined : await credential?.findMember();
  if (own !== undefined) {
    const { member, allowance } = own;
    return {
      outsider: { meter: userMeterName(member), allowance, workspaceId: member.workspaceId, refusal },
    };
  }
  const user = await credential?.findUser();
  if (user === undefined) throw sessionRequired();
  return { outsider: { ...countedWithoutWorkspace(user), workspaceId: undefined, refusal } };
}

/** A member who is signed in, and how the request proves it. */
export interface SignedIn {
  readonly signedIn: SignedInMember;
  readonly by: "token" | "cookie";
}

/** A signed-in person without a workspace, and how the request proves it. */
interface WithoutWorkspace extends Pick<Outsider, "meter" | "allowance">, Pick<SignedIn, "by"> {
  readonly person: Person;
}

/**
 * Identifies a signed-in person, who may be new here or have no workspace.
 * @param isInvited whether the request is about an invitation that can be used: whoever is new then gets no workspace
 * @throws as `authenticateSession`
 */
export async function authenticatePersonSession(
  deps: Deps,
  credentials: Pick<SentCredentials, "authorization" | "cookie">,
  request: ActorRequest,
  isInvited: () => Promise<boolean>,
): Promise<SignedIn | WithoutWorkspace> {
  const credential = await readCredential(deps, credentials, request, isInvited);
  if (credential === undefined) throw sessionRequired();
  const { by } = credential;
  const signedIn = await credential.findMember();
  if (signedIn !== undefined) return { signedIn, by };
  const user = await credential.findUser();
  if (user === undefined) throw sessionRequired();
  const person: Person = { userId: user.userId, actor: actorOf(user, request) };
  return { person, ...countedWithoutWorkspace(user), by };
}

const countedWithoutWorkspace = ({ userId }: FoundUser): Pick<Outsider, "meter" | "allowance"> => ({
  meter: `user:${userId}`,
  allowance: outsiderAllowance,
});

/** The credentials of a request. */
interface SentCredentials {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly workspaceId: string | undefined;
}

function readCredential(
  deps: Deps,
  { authorization, cookie }: Pick<SentCredentials, "authorization" | "cookie">,
  request: ActorRequest,
  isInvited?: () => Promise<boolean>,
): Promise<Credential | undefined> {
  if (!canSignIn(deps)) throw sessionRequired();
  return authorization === undefined
    ? readCookie(deps, cookie, request)
    : readToken(deps, authorization, request, isInvited);
}

/** The allowance of people who have no workspace. */
const outsiderAllowance: Allowance = {
  plan: "free",
  requestsPerMinute: plans.free.requestsPerMinute,
  version: 0,
};

/** A credential that this service or the provider has issued. */
interface Credential {
  readonly by: SignedIn["by"];
  /** Returns its person as a member of the workspace; by default of the one chosen last. */
  findMember(workspaceId?: string): Promise<SignedInMember | undefined>;
  /** Returns its person; undefined if the credential has ended. */
  findUser(): Promise<FoundUser | undefined>;
}

/** A signed-in user, who may have no workspace. */
interface FoundUser {
  readonly userId: string;
  readonly name: string | null;
  readonly email: string | null;
}

/**
 * Counts a dashboard request on the user's meter, which also counts their API requests.
 * @returns seconds until the next request is accepted; 0 if this one is
 */
export async function countInDashboard(deps: Deps, { member, allowance }: SignedInMember): Promise<number> {
  const meter = deps.meter(userMeterName(member));
  const { outcome, resetSeconds } = await meter.hit(deps.now(), allowance, limits.dashboardRequests);
  return outcome === "over" ? resetSeconds : 0;
}

/** Protects changes authenticated by cookie from cross-site request forgery. @throws forbidden */
export function requireOwnOrigin(deps: Deps, origin: string | undefined): void {
  if (origin !== deps.settings.appOrigin) {
    throw new ServiceError(
      "forbidden",
      `Origin must be ${deps.settings.appOrigin} for changes authenticated by cookie.`,
    );
  }
}

/**
 * Creates a session that is not stored yet.
 * @param device that of `describeDevice`
 * @param authenticatedAt when the person proved who they are; by default now, as with a passkey
 */
export function newSession(
  deps: Deps,
  userId: string,
  device: string | null,
  authenticatedAt: number | null = deps.now(),
): store.NewSession {
  const createdAt = deps.now();
  const expiresAt = createdAt + sessionMilliseconds;
  return { id: newId(createdAt), userId, createdAt, expiresAt, device, authenticatedAt };
}

/** Returns the value of a session's cookie. */
export function sealSession(
  { settings }: Deps,
  { id, createdAt, expiresAt }: store.NewSession,
): Promise<string> {
  const { issuer, sessionSecrets } = settings.provider;
  return encryptClaims(sessionSecrets, "session", { sid: id, iss: issuer }, createdAt, expiresAt);
}

/** Starts a session. @param device,authenticatedAt those of `newSession` @returns the value of its cookie */
export async function startSession(
  deps: Deps,
  userId: string,
  device: string | null,
  authenticatedAt: number | null,
): Promise<string> {
  const session = newSession(deps, userId, device, authenticatedAt);
  await store.insertSession(deps.db, session, sessionsPerUser);
  return sealSession(deps, session);
}

/** Ends the cookie's session, including for copies of the cookie. Accepts a cookie without a session. */
export async function endSession(deps: Deps, cookie: string | undefined): Promise<void> {
  const id = await sessionIdOf(deps, cookie);
  if (id !== null) await store.deleteSession(deps.db, id);
}

/** Returns the person's sessions, newest first. */
export async function listSessions(
  deps: Deps,
  { userId, sessionId }: Member,
): Promise<{ sessions: Session[] }> {
  const rows = await store.listSessions(deps.db, userId, deps.now());
  const sessions = rows.map(({ id, device, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    device,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt ?? createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    current: id === sessionId,
  }));
  return { sessions };
}

/** Ends one of the person's sessions. Its next request is refused. @throws not_found; SignInAgain for another one */
export async function endOwnSession(deps: Deps, member: Member, id: string): Promise<{ success: true }> {
  if (id !== member.sessionId) requireRecentSignIn(deps, member);
  if (!(await store.deleteUserSession(deps.db, member.userId, id, deps.now()))) throw notFound("Session");
  return { success: true };
}

/** Records when a session was last used, at most every hour. Runs after the response and never throws. */
export async function recordSessionUse(
  deps: Deps,
  { member: { sessionId }, sessionUsedAt }: SignedInMember,
): Promise<void> {
  if (sessionId === null) return;
  const at = deps.now();
  const since = at - useMilliseconds;
  if ((sessionUsedAt ?? timeOfId(sessionId)) > since) return;
  try {
    await store.updateSessionLastUsed(deps.db, sessionId, { at, since });
  } catch (error) {
    log("warn", "session use not recorded", { error: describeError(error) });
  }
}

/** Ends all of a person's sessions, and invalidates tokens that the provider has issued to them so far. @throws SignInAgain */
export async function endAllSessions(
  deps: Deps,
  person: Pick<Member, "userId" | "authenticatedAt">,
): Promise<void> {
  requireRecentSignIn(deps, person);
  await store.deleteUserSessions(deps.db, person.userId, deps.now());
}

/**
 * Returns the member that a session cookie was issued to, in the workspace chosen last; null if its session has ended, it
 * isn't from this service or the person has no workspace.
 */
export async function memberFromCookie(
  deps: Deps,
  cookie: string | undefined,
  request: ActorRequest,
): Promise<SignedInMember | null> {
  const id = await sessionIdOf(deps, cookie);
  if (id === null) return null;
  const row = await findMemberBySession(deps.db, id, deps.now());
  return row === undefined ? null : signedInMember(deps, row, id, request);
}

const notYourWorkspace = () =>
  new ServiceError(
    "forbidden",
    "X-Workspace isn't the id of one of your workspaces. List them to see their ids.",
  );

/** A signed-in person, who may have no workspace. */
export interface SignedInPerson {
  readonly userId: string;
  /** Of the provider; `passkey` for those who joined with one. */
  readonly issuer: string;
  readonly sessionId: string;
  readonly authenticatedAt: number | null;
  readonly name: string | null;
  readonly email: string | null;
  /** In lower case; null unless the identity provider has verified it. */
  readonly verifiedEmail: string | null;
}

/** Returns the person that a session cookie was issued to; null if its session has ended or it isn't from this service. */
export async function personFromCookie(
  deps: Deps,
  cookie: string | undefined,
): Promise<SignedInPerson | null> {
  const sessionId = await sessionIdOf(deps, cookie);
  if (sessionId === null) return null;
  const row = await findUserBySession(deps.db, sessionId, deps.now());
  return row === undefined ? null : { ...row, sessionId };
}

/** Returns the id in a session cookie; null if it is expired or not from this service. */
async function sessionIdOf(deps: Deps, cookie: string | undefined): Promise<string | null> {
  if (cookie === undefined || !canSignIn(deps)) return null;
  const { issuer, sessionSecrets } = deps.settings.provider;
  const claims = await decryptClaims(sessionSecrets, "session", cookie, deps.now());
  return claims?.iss === issuer && typeof claims.sid === "string" ? claims.sid : null;
}

async function readCookie(
  deps: Deps,
  cookie: string | undefined,
  request: ActorRequest,
): Promise<Credential | undefined> {
  const id = await sessionIdOf(deps, cookie);
  if (id === null) return undefined;
  return {
    by: "cookie",
    findMember: async (workspaceId) => {
      const row = await findMemberBySession(deps.db, id, deps.now(), workspaceId);
      return row && signedInMember(deps, row, id, request);
    },
    findUser: () => findUserBySession(deps.db, id, deps.now()),
  };
}

/**
 * Reads a JWT of the provider. The user that it was issued to is created on first use.
 * @param isInvited whether whoever is new gets no workspace of their own
 */
async function readToken(
  deps: Deps,
  authorization: string,
  request: ActorRequest,
  isInvited: () => Promise<boolean> = async () => false,
): Promise<Credential | undefined> {
  const token = bearerOf(authorization);
  if (!waysToSignIn(deps).provider || token === undefined || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
    return undefined;
  const verified = await verifyToken(deps, token).catch((error) => {
    if (!(error instanceof ProviderUnavailable)) throw error;
    log("error", "identity provider unavailable", { error: describeError(error) });
    throw new ServiceError("internal", "The identity provider isn't responding. Try again.");
  });
  if (verified === null) return undefined;
  const { profile, issuedAt, authenticatedAt } = verified;
  const { issuer, subject } = profile;
  const isCurrent = ({ signedOutAt }: { signedOutAt: number | null }) =>
    wasIssuedSince(signedOutAt, issuedAt);
  return {
    by: "token",
    findMember: async (workspaceId) => {
      const find = () => findMemberBySubject(deps.db, issuer, subject, workspaceId);
      let row = await find();
      if (row === undefined) {
        // Someone who is known but has no workspace, such as a removed member, doesn't get a new one by this.
        const user = await findUserBySubject(deps.db, issuer, subject);
        if (user === undefined) await provisionUser(deps, profile, { isInvited: await isInvited() });
        row = await find();
      }
      return row !== undefined && isCurrent(row)
        ? signedInMember(deps, { ...row, authenticatedAt }, null, request)
        : undefined;
    },
    findUser: async () => {
      const user = await findUserBySubject(deps.db, issuer, subject);
      return user !== undefined && isCurrent(user) ? user : undefined;
    },
  };
}

/**
 * Returns whether a token was certainly issued after the user last signed out everywhere. Its time is the provider's,
 * so a token issued within the clock tolerance after that is rejected, too.
 */
const wasIssuedSince = (signedOutAt: number | null, issuedAt: number): boolean =>
  signedOutAt === null || issuedAt >= signedOutAt + clockToleranceMilliseconds;

const actorOf = ({ userId, name, email }: FoundUser, request: ActorRequest): Actor => ({
  kind: "person",
  id: userId,
  name: name ?? email ?? "Someone",
  ...request,
});

function signedInMember(
  { now }: Deps,
  row: MemberRow,
  sessionId: string | null,
  request: ActorRequest,
): SignedInMember {
  const { userId, workspaceId, plan, role, name, email, workspaceName, logoId, suspended } = row;
  const { liveCodes, storedBytes, storageLimit, sessionUsedAt, authenticatedAt, deletion } = row;
  const actor = actorOf(row, request);
  const member = { userId, workspaceId, plan, role, sessionId, authenticatedAt, deletion, actor };
  return {
    member,
    sessionUsedAt,
    allowance: allowanceOf(row),
    name,
    email,
    workspaceName,
    logoId,
    liveCodes,
    creationsToday: creationsToday(row, now()),
    storedBytes,
    storageLimit,
    suspended,
    postponed: row.postponed ?? {},
  };
}

/**
 * Creates the user; for an existing user, updates name and email. A user without a workspace gets one of their own,
 * unless they are invited to another.
 * @returns the user's id
 */
export async function provisionUser(
  deps: Deps,
  profile: UserProfile,
  { isInvited }: { readonly isInvited: boolean } = { isInvited: false },
): Promise<string> {
  const now = deps.now();
  const displayName = profile.name ?? profile.email;
  await insertUser(deps.db, profile, {
    userId: newId(now),
    workspace: isInvited
      ? null
      : {
          id: newId(now),
          name: displayName === null ? "My workspace" : `${displayName}'s workspace`,
          plan: defaultPlanOf(deps),
        },
    now,
  });
  const user = await findUserBySubject(deps.db, profile.issuer, profile.subject);
  if (user === undefined) throw new Error("the user is not in the catalogue after being inserted");
  return user.userId;
}
