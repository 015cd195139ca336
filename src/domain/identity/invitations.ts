import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { limits } from "../../contract/limits.ts";
import type {
  Invitation,
  InvitationInput,
  NewInvitation,
  OpenInvitation,
  OwnWorkspace,
} from "../../contract/resources/identity/members.ts";
import { isAtLeast, type Role } from "../../contract/roles.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { newId } from "../../lib/text/ids.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { findExceeded } from "../../lib/web/network-limit.ts";
import type { Actor, ActorRequest } from "../../protocol/history.ts";
import * as store from "../../store/identity/invitations.ts";
import { countOwnedBy, countWorkspacesOf, findRole, listWorkspacesOf } from "../../store/identity/members.ts";
import type { Removable } from "../../store/resources/kind.ts";
import type { Member } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { limitReached, notFound, rateLimited, requireFound, ServiceError } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { getLogo } from "../logos/logos.ts";
import { changeResource, createResource } from "../resources/change.ts";
import type { Resource } from "../resources/resource.ts";
import { ownsTooMany } from "./new-workspaces.ts";
import {
  beginRegistration,
  type Ceremony,
  finishRegistration,
  PasskeyFailure,
  spending,
} from "./passkeys.ts";
import { requireRecentSignIn } from "./recent-sign-in.ts";
import { newSession, sealSession } from "./sessions.ts";

/** How long an invitation can be used. */
export const invitationDays = 7;

/** Hex characters, which are the same in any case: 160 bits. */
const tokenPattern = /^[0-9a-f]{40}$/;

const invitationPath = "/dashboard/invitations/";

const caps = { members: limits.members, ...limits.workspaces };

/**
 * Creates an invitation to the workspace, with a role up to the person's own.
 * @returns the link, which can't be read again, because only its digest is stored
 * @throws invalid_input at the limit; forbidden for a higher role, and in a suspended workspace; SignInAgain for an owner
 */
export async function createInvitation(
  deps: Deps,
  context: Member,
  { role, email }: InvitationInput,
): Promise<NewInvitation> {
  requirePermission(context, "members");
  requireMayInvite(context.role, role);
  if (role === "owner") requireRecentSignIn(deps, context);
  const now = deps.now();
  const token = crypto.getRandomValues(new Uint8Array(20)).toHex();
  const row = {
    ...{ id: newId(now), workspaceId: context.workspaceId, digest: await sha256Hex(token), role },
    ...{ email: email?.toLowerCase() ?? null, invitedBy: context.userId, createdAt: now },
    ...{ expiresAt: now + invitationDays * 24 * 60 * 60_000, version: 1, deletedAt: null },
  };
  await createResource(deps, context, invitationResource, row);
  const { id, expiresAt } = row;
  return {
    ...{ id, role, email: row.email, invitedBy: context.actor.name },
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    url: deps.settings.appOrigin + invitationPath + token,
  };
}

/** Invitations as resources. */
const invitationResource: Resource<Removable<store.InvitationRow>> = {
  kind: store.invitationKind,
  object: "invitation",
  noun: "Invitation",
  nameOf: ({ email }) => email,
  fieldsOf: ({ role, deletedAt }) => ({ role: deletedAt === null ? role : null }),
  verbOf: ({ before }) => (before === null ? "created" : "revoked"),
  capsOf: () => ({ invitations: limits.invitations }),
  async refusalOf(deps, context, { invitedBy, role }) {
    await requireNotSuspended(deps, context);
    // The role may have changed since the request was authenticated.
    const own = requireFound(await findRole(deps.db, context.workspaceId, invitedBy), "Workspace");
    requirePermission({ ...context, role: own }, "members");
    requireMayInvite(own, role);
    return limitReached(limits.invitations, "invitations at a time", "Revoke one that you no longer need.");
  },
};

/** @throws forbidden for a role above the person's own */
function requireMayInvite(own: Role, invited: Role): void {
  if (isAtLeast(own, invited)) return;
  throw new ServiceError(
    "forbidden",
    `Your role in this workspace, ${own}, doesn't let you invite people with a higher one.`,
  );
}

/** Returns the invitations that can still be used, newest first. */
export async function listInvitations(deps: Deps, context: Member): Promise<{ invitations: Invitation[] }> {
  requirePermission(context, "members");
  const rows = await store.listInvitations(deps.db, context.workspaceId, deps.now());
  return { invitations: rows.map(presentInvitation) };
}

const presentInvitation = (row: store.ShownInvitation): Invitation => ({
  id: row.id,
  role: row.role,
  email: row.email,
  invitedBy: row.inviterName ?? row.inviterEmail,
  createdAt: new Date(row.createdAt).toISOString(),
  expiresAt: new Date(row.expiresAt).toISOString(),
});

/** Revokes an invitation, whose link stops working. @throws not_found */
export async function revokeInvitation(deps: Deps, context: Member, id: string): Promise<{ success: true }> {
  requirePermission(context, "members");
  await changeResource(deps, context, invitationResource, id, (before) => {
    const now = deps.now();
    if (before.expiresAt <= now) throw notFound("Invitation");
    return { ...before, deletedAt: now };
  });
  return { success: true };
}

/** Counts an attempt of a network to use an invitation. @throws rate_limited after too many */
export async function countInvitationAttempt(deps: Deps, clientAddress: string): Promise<void> {
  if ((await findExceeded(deps.signInLimit, clientAddress)) !== undefined) throw rateLimited(60);
}

/** Returns what an invitation lets people join. @throws not_found if it is unknown, used, revoked or has expired */
export async function getOpenInvitation(deps: Deps, token: string): Promise<OpenInvitation> {
  const row = await find(deps, token);
  const { role, email, invitedBy, expiresAt } = presentInvitation(row);
  return {
    workspaceName: row.workspaceName,
    hasLogo: row.logoId !== null,
    role,
    email,
    invitedBy,
    expiresAt,
  };
}

/** Returns the logo of the workspace that an invitation is to. @throws not_found, also for one without a logo */
export async function getInvitingLogo(deps: Deps, token: string): Promise<DrawnFile> {
  const { workspaceId, logoId } = await find(deps, token);
  return getLogo(deps, { workspaceId }, requireFound(logoId ?? undefined, "Logo"));
}

async function find(deps: Deps, token: string): Promise<store.ShownInvitation> {
  const row = tokenPattern.test(token)
    ? await store.findInvitation(deps.db, await sha256Hex(token), deps.now())
    : undefined;
  return requireFound(row, "Invitation");
}

/** Returns whether a path of the dashboard leads to an invitation that can still be used. */
export const leadsToInvitation = async (deps: Deps, path: string): Promise<boolean> =>
  path.startsWith(invitationPath) && isOpenInvitation(deps, path.slice(invitationPath.length));

/** Returns whether an invitation can still be used. */
export async function isOpenInvitation(deps: Deps, token: string): Promise<boolean> {
  if (!tokenPattern.test(token)) return false;
  return (await store.findInvitation(deps.db, await sha256Hex(token), deps.now())) !== undefined;
}

/**
 * Makes a person a member by an invitation, which is used up.
 * @throws not_found; invalid_input for a member or at a limit; forbidden if the invitation is for another address
 */
export async function acceptInvitation(
  deps: Deps,
  { userId, actor }: Pick<Member, "userId" | "actor">,
  token: string,
): Promise<OwnWorkspace> {
  const { workspaceId, role, email, workspaceName } = await find(deps, token);
  const opened = { digest: await sha256Hex(token), workspaceId };
  const recorded = { id: userId, name: actor.name, changes: { role: [null, role] } } as const;
  const entry = newEntry(deps, { actor }, "member.joined", recorded);
  if (await store.acceptInvitation(deps.db, userId, opened, deps.now(), caps, entry)) {
    const workspaces = await listWorkspacesOf(deps.db, userId);
    const joined = workspaces.find(({ id }) => id === workspaceId);
    return { ...requireFound(joined, "Workspace"), current: workspaces.length === 1 };
  }
  if ((await findRole(deps.db, workspaceId, userId)) !== undefined) {
    throw new ServiceError("invalid_input", `You are already a member of ${workspaceName}.`);
  }
  await find(deps, token);
  if ((await countWorkspacesOf(deps.db, userId)) >= caps.joined) {
    throw new ServiceError(
      "invalid_input",
      `You can be a member of at most ${caps.joined} workspaces. Leave one first.`,
    );
  }
  if (role === "owner" && (await countOwnedBy(deps.db, userId)) >= caps.owned) throw ownsTooMany();
  if (email !== null) {
    throw new ServiceError(
      "forbidden",
      `This invitation is for ${email}. Sign in with that address, verified by your identity provider.`,
    );
  }
  throw limitReached(caps.members, "members", "Ask an admin to remove someone first.");
}

const purposeOf = (token: string): string => `invitation ${token}`;

/** Starts making the passkey of an invited person who is new here. The browser fills in their name. */
export const beginJoiningByInvitation = (
  deps: Deps,
  token: string,
): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> =>
  beginRegistration(deps, purposeOf(token), { userId: newId(deps.now()), name: "" });

/**
 * Creates a person with a passkey, who becomes a member by an invitation. This doesn't need open sign-up.
 * @returns the session cookie's value
 * @throws PasskeyFailure; not_found if the invitation can't be used
 */
export async function joinByInvitation(
  deps: Deps,
  token: string,
  name: string,
  given: { readonly answer: string; readonly sealed: string | undefined; readonly name: string },
  device: string | null,
  request: ActorRequest,
): Promise<string> {
  const { email, role, workspaceId } = await find(deps, token);
  if (email !== null) throw new PasskeyFailure("refused");
  const { userId, passkey, spent } = await finishRegistration(deps, purposeOf(token), given);
  const session = newSession(deps, userId, device);
  const opened = { digest: await sha256Hex(token), workspaceId };
  const actor: Actor = { kind: "person", id: userId, name, ...request };
  const recorded = { id: userId, name, changes: { role: [null, role] } } as const;
  const entry = newEntry(deps, { actor }, "member.joined", recorded);
  const hasJoined = await spending(
    store.insertInvitedUser(deps.db, opened, name, passkey, session, spent, caps, entry),
  );
  if (!hasJoined) throw notFound("Invitation");
  return sealSession(deps, session);
}
