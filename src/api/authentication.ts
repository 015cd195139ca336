import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { type Auth, authOf } from "../contract/endpoints/endpoint.ts";
import type { Plan } from "../contract/plans.ts";
import { type Member, operatorOf, userMeterName } from "../domain/context/context.ts";
import { requirePermission } from "../domain/context/permissions.ts";
import { rateLimited, ServiceError } from "../domain/errors.ts";
import { isOpenInvitation } from "../domain/identity/invitations.ts";
import {
  authenticate,
  callerOf,
  countRequest,
  looksLikeKey,
  rateLimitHeaders,
  recordKeyUse,
  requireKeyInPlan,
} from "../domain/identity/keys.ts";
import {
  authenticatePersonSession,
  authenticateSession,
  recordSessionUse,
  requireOwnOrigin,
  type SignedIn,
  sessionCookie,
} from "../domain/identity/sessions.ts";
import { requireOperator } from "../domain/operations/operator.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import type { ActorRequest } from "../protocol/history.ts";
import type { MeterReading } from "../protocol/key-meter.ts";
import type { ApiEnv, Authenticated } from "./context.ts";

/** The prefix of every endpoint's path. */
export const basePath = "/api/v1";

/** Authenticates the caller and counts the request, before anything is validated or read. */
export const authentication = createMiddleware<ApiEnv>(async (c, next) => {
  const auth = authOf(c.req.path.slice(basePath.length));
  const isByKey = auth === "session" && looksLikeKey(c.req.header("authorization"));
  c.set("authenticated", await authenticators[isByKey ? "key" : auth](c));
  await next();
});

const authenticators: Record<Auth, (c: Context<ApiEnv>) => Promise<Authenticated>> = {
  key: authenticateKey,
  session: authenticateMember,
  person: authenticatePerson,
  operator: authenticateOperator,
};

const identifyKey = (c: Context<ApiEnv>) =>
  authenticate(c.get("deps"), c.req.header("authorization"), clientAddressOf(c.req.raw));

async function authenticateKey(c: Context<ApiEnv>): Promise<Authenticated> {
  const deps = c.get("deps");
  const { key, allowance } = await identifyKey(c);
  const reading = await countRequest(deps, key, allowance);
  requireRemaining(c, reading);
  const caller = callerOf(
    key,
    reading,
    { via: "api", requestId: c.get("requestId") },
    clientAddressOf(c.req.raw),
  );
  c.executionCtx.waitUntil(recordKeyUse(deps, caller));
  return { auth: "key", caller };
}

const actorRequest = (c: Context<ApiEnv>): ActorRequest => ({ via: "api", requestId: c.get("requestId") });

/** The header by which a session call names its workspace. */
const workspaceHeader = "x-workspace";

const credentialsOf = (c: Context<ApiEnv>) => ({
  authorization: c.req.header("authorization"),
  cookie: getCookie(c, sessionCookie(c.get("deps"))),
});

const identifyMember = (c: Context<ApiEnv>, workspaceId = c.req.header(workspaceHeader)?.toLowerCase()) =>
  authenticateSession(c.get("deps"), { ...credentialsOf(c), workspaceId }, actorRequest(c));

async function authenticateMember(c: Context<ApiEnv>): Promise<Authenticated> {
  const deps = c.get("deps");
  const session = await identifyMember(c);
  // Counted before it is refused, so that the limit holds whatever workspace is named.
  if ("outsider" in session) {
    const { meter, allowance, workspaceId, refusal } = session.outsider;
    requireRemaining(c, await deps.meter(meter).hit(deps.now(), allowance, 0, workspaceId));
    throw refusal;
  }
  return { auth: "session", caller: await countMember(c, session) };
}

/** Counts a member's request. @returns the member, with the plan under which it was counted */
async function countMember(c: Context<ApiEnv>, { signedIn, by }: SignedIn): Promise<Member> {
  const deps = c.get("deps");
  c.executionCtx.waitUntil(recordSessionUse(deps, signedIn));
  const { member, allowance } = signedIn;
  const meter = deps.meter(userMeterName(member));
  const reading = await meter.hit(deps.now(), allowance, 0, member.workspaceId);
  const plan = requireRemaining(c, reading);
  requireOwnOriginOf(c, by);
  return { ...member, plan };
}

function requireOwnOriginOf(c: Context<ApiEnv>, by: SignedIn["by"]): void {
  const isChange = c.req.method !== "GET" && c.req.method !== "HEAD";
  if (by === "cookie" && isChange) requireOwnOrigin(c.get("deps"), c.req.header("origin"));
}

/** Whoever opens an invitation may be new here, or have no workspace. */
async function authenticatePerson(c: Context<ApiEnv>): Promise<Authenticated> {
  const deps = c.get("deps");
  const isInvited = () => isOpenInvitation(deps, c.req.path.slice(c.req.path.lastIndexOf("/") + 1));
  const session = await authenticatePersonSession(deps, credentialsOf(c), actorRequest(c), isInvited);
  if ("signedIn" in session) return { auth: "person", caller: await countMember(c, session) };
  const { person, meter, allowance, by } = session;
  requireRemaining(c, await deps.meter(meter).hit(deps.now(), allowance));
  requireOwnOriginOf(c, by);
  return { auth: "person", caller: person };
}

async function authenticateOperator(c: Context<ApiEnv>): Promise<Authenticated> {
  await requireOperator(c.get("deps"), c.req.header("authorization"), clientAddressOf(c.req.raw));
  return { auth: "operator", caller: operatorOf(actorRequest(c)) };
}

/**
 * Returns whether the credentials of a request in progress are still valid, according to the catalogue. Doesn't count a
 * request. Rejects if that can't be determined.
 */
export async function isStillAuthenticated(c: Context<ApiEnv>): Promise<boolean> {
  try {
    const authenticated = c.get("authenticated");
    if (authenticated?.auth === "key") requireKeyInPlan((await identifyKey(c)).key);
    else if (authenticated?.auth === "session") {
      const session = await identifyMember(c, authenticated.caller.workspaceId);
      if ("outsider" in session) return false;
      const { signedIn } = session;
      // Ends streams of members whose workspace is being deleted.
      requirePermission(signedIn.member, "codes.read");
    }
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/**
 * Sets the rate limit headers.
 * @returns the plan under which the request was counted: the meter's, even if the isolate has an older one cached
 * @throws rate_limited
 */
function requireRemaining(c: Context<ApiEnv>, reading: MeterReading): Plan {
  for (const [name, value] of Object.entries(rateLimitHeaders(reading))) c.header(name, value);
  if (reading.outcome === "over") throw rateLimited(reading.resetSeconds);
  return reading.allowance.plan;
}
