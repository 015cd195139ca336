import type { Allowance } from "../../contract/plans.ts";
import type { Deps } from "../deps.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { newId } from "../../lib/text/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import { seal, unseal } from "../../lib/crypto/encrypted-claims.ts";
import { enrol, findMember, findMemberBySubject, type Person } from "../../store/users.ts";
import { allowanceOf, type Member } from "./caller.ts";
import { ServiceError } from "../errors.ts";
import { perIsolate } from "../isolate-memory.ts";
import { hasProvider, ProviderUnavailable, verifyToken } from "./provider.ts";

/** What an isolate remembers of a person. */
export interface KnownMember {
  readonly readAt: number;
  readonly member: Member;
  readonly allowance: Allowance;
  readonly name: string | null;
  readonly email: string | null;
  readonly workspaceName: string;
}

/** By the user's id or by the provider's subject. */
const knownMembers = perIsolate(() => new BoundedMap<string, KnownMember>(10_000));

/** How long an isolate trusts its memory of a member. */
const memberCacheMilliseconds = 10_000;

/** How long a person stays signed in. */
export const sessionMilliseconds = 12 * 60 * 60_000;

const unauthorized = () =>
  new ServiceError(
    "unauthorized",
    "A session is required: sign in at /dashboard, or send a JWT of the identity provider as Authorization: Bearer",
    { headers: { "www-authenticate": "Bearer" } },
  );

/** The session cookie's name. A browser takes one that begins with `__Host-` from this very host alone. */
export const sessionCookie = (deps: Deps): string => cookieName(deps, "session");

/** The name of the cookie that remembers a sign-in under way. */
export const ticketCookie = (deps: Deps): string => cookieName(deps, "sign-in");

const cookieName = (deps: Deps, name: string) => (isSecure(deps) ? `__Host-${name}` : name);

/** Whether cookies are kept to https: everywhere but in local development. */
export const isSecure = (deps: Deps): boolean => deps.scanOrigin.startsWith("https:");

/**
 * Who is signed in. An Authorization header decides alone, whatever cookie comes along.
 * @throws unauthorized; internal while the identity provider is away
 */
export async function authenticateSession(
  deps: Deps,
  { authorization, cookie }: { authorization: string | undefined; cookie: string | undefined },
): Promise<{ known: KnownMember; by: "token" | "cookie" }> {
  if (!hasProvider(deps)) throw unauthorized();
  const by = authorization === undefined ? "cookie" : "token";
  const known =
    authorization === undefined
      ? await memberOfCookie(deps, cookie)
      : await memberOfToken(deps, authorization);
  if (known === null) throw unauthorized();
  return { known, by };
}

/** The name of a person's meter. A key's is its id. */
export const meterOf = (member: Pick<Member, "userId">): string => `user:${member.userId}`;

/** Refuses what another site may have made a browser send. @throws forbidden */
export function requireOwnOrigin(deps: Deps, origin: string | undefined): void {
  if (origin !== deps.scanOrigin) {
    throw new ServiceError("forbidden", `Origin: must be ${deps.scanOrigin} for a change by cookie`);
  }
}

/** A session cookie's text. */
export function sealSession(deps: Deps, userId: string): Promise<string> {
  const { issuer, sessionSecret } = deps.provider;
  const now = deps.now();
  return seal(sessionSecret, "session", { sub: userId, iss: issuer }, now, now + sessionMilliseconds);
}

/** Who a session cookie's text speaks for; null for one that is not of this service, or expired. */
export async function memberOfCookie(deps: Deps, cookie: string | undefined): Promise<KnownMember | null> {
  if (cookie === undefined || !hasProvider(deps)) return null;
  const { issuer, sessionSecret } = deps.provider;
  const claims = await unseal(sessionSecret, "session", cookie, deps.now());
  if (claims?.sub === undefined || claims.iss !== issuer) return null;
  const userId = claims.sub;
  return remember(deps, `user ${userId}`, () => findMember(deps.db, userId));
}

async function memberOfToken(deps: Deps, authorization: string): Promise<KnownMember | null> {
  const token = bearerOf(authorization);
  if (token === undefined || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  const person = await verifyToken(deps, token).catch((error) => {
    if (!(error instanceof ProviderUnavailable)) throw error;
    log("error", "identity provider away", { error: describeError(error) });
    throw new ServiceError("internal", "The identity provider does not answer; please try again");
  });
  if (person === null) return null;
  const { issuer, subject } = person;
  return remember(
    deps,
    `subject ${issuer} ${subject}`,
    async () => (await findMemberBySubject(deps.db, issuer, subject)) ?? welcome(deps, person),
  );
}

type Row = NonNullable<Awaited<ReturnType<typeof findMember>>>;

async function remember(
  deps: Deps,
  key: string,
  read: () => Promise<Row | undefined>,
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

/** Writes a person down; the first time, with a workspace of their own. */
export async function welcome(deps: Deps, person: Person): Promise<Row> {
  const now = deps.now();
  const owner = person.name ?? person.email;
  await enrol(deps.db, person, {
    userId: newId(now),
    workspaceId: newId(now),
    workspaceName: owner === null ? "My workspace" : `${owner}'s workspace`,
    now,
  });
  const row = await findMemberBySubject(deps.db, person.issuer, person.subject);
  if (row === undefined) throw new Error("a person who was just written down is not there");
  return row;
}
