import { limits } from "../../contract/limits.ts";
import type {
  MemberUpdate,
  OwnWorkspace,
  WorkspaceMember,
} from "../../contract/resources/identity/members.ts";
import { isAtLeast } from "../../contract/roles.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Changes, HistoryEntry } from "../../protocol/history.ts";
import * as store from "../../store/identity/members.ts";
import { retryOnConflict } from "../conflicts.ts";
import type { Member } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound, ServiceError } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { requireRecentSignIn } from "./recent-sign-in.ts";

const byName = lazy(() => new Intl.Collator("en", { numeric: true }));

/** Returns the person's workspaces, by name. */
export async function listOwnWorkspaces(
  deps: Deps,
  { userId, workspaceId }: Member,
): Promise<{ workspaces: OwnWorkspace[] }> {
  const rows = await store.listWorkspacesOf(deps.db, userId);
  rows.sort((a, b) => byName().compare(a.name, b.name) || a.id.localeCompare(b.id));
  return { workspaces: rows.map((row) => ({ ...row, current: row.id === workspaceId })) };
}

/** Lets the person's session act for another of their workspaces. @throws not_found */
export async function switchWorkspace(deps: Deps, person: store.Chooser, workspaceId: string): Promise<void> {
  if (!(await store.chooseWorkspace(deps.db, person, workspaceId, deps.now()))) throw notFound("Workspace");
}

/** Returns the workspace's members, those who joined first first. */
export async function listMembers(
  deps: Deps,
  { workspaceId, userId }: Member,
): Promise<{ members: WorkspaceMember[] }> {
  const rows = await store.listWorkspaceMembers(deps.db, workspaceId);
  const members = rows.map(({ joinedAt, ...row }) => ({
    ...row,
    joinedAt: new Date(joinedAt).toISOString(),
    current: row.id === userId,
  }));
  return { members };
}

/** Returns a member of the workspace. @throws not_found */
export async function getMember(deps: Deps, context: Member, id: string): Promise<WorkspaceMember> {
  const { members } = await listMembers(deps, context);
  return requireFound(
    members.find((member) => member.id === id),
    "Member",
  );
}

/**
 * Changes a member's role, at most to the person's own.
 * @throws not_found; forbidden for someone above the person; SignInAgain to make someone owner; invalid_input for the
 * only owner, and to make someone owner who owns too many workspaces
 */
export async function updateMember(
  deps: Deps,
  context: Member,
  id: string,
  { role }: MemberUpdate,
): Promise<WorkspaceMember> {
  requirePermission(context, "members");
  if (!isAtLeast(context.role, role)) throw aboveYourRole(context);
  if (role === "owner") requireRecentSignIn(deps, context);
  const { workspaceId, userId } = context;
  const { owned } = limits.workspaces;
  await changeMember(deps, context, id, async (before) => {
    if (before.role === role) return true;
    const entry = memberEntry(deps, context, "member.role_changed", before, { role: [before.role, role] });
    if (await store.updateRole(deps.db, workspaceId, before, userId, role, owned, entry)) return true;
    if (role === "owner") await requireMayOwn(deps, before);
    return false;
  });
  return getMember(deps, context, id);
}

/**
 * Removes a member, whose next request is refused, and revokes the invitations they sent.
 * @throws not_found; forbidden for someone above the person; invalid_input for the only owner
 */
export async function removeMember(deps: Deps, context: Member, id: string): Promise<{ success: true }> {
  requirePermission(context, "members");
  const { workspaceId, userId } = context;
  await changeMember(deps, context, id, (before) => {
    const entry = memberEntry(deps, context, "member.removed", before, { role: [before.role, null] });
    return store.deleteMember(deps.db, workspaceId, before, userId, entry);
  });
  return { success: true };
}

/** @throws invalid_input for a member who owns as many workspaces as a person may */
async function requireMayOwn(deps: Deps, { id, name, email }: WorkspaceMember): Promise<void> {
  const { owned } = limits.workspaces;
  if ((await store.countOwnedBy(deps.db, id)) < owned) return;
  throw new ServiceError(
    "invalid_input",
    `${name ?? email ?? "This member"} owns ${owned} workspaces already, the most that a person can own. They can transfer one first.`,
  );
}

/**
 * Changes a member as they were read, again if another change of their role gets ahead.
 * @param change returns false if it changes nothing
 * @throws not_found; forbidden for someone above the person; invalid_input for the only owner
 */
const changeMember = (
  deps: Deps,
  context: Member,
  id: string,
  change: (before: WorkspaceMember) => Promise<boolean>,
): Promise<void> =>
  retryOnConflict(deps, "member", async (note) => {
    const before = note(await getMember(deps, context, id));
    if (await change(before)) return undefined;
    const role = await store.findRole(deps.db, context.workspaceId, id);
    if (role === undefined) throw notFound("Member");
    if (role !== before.role) return "conflict";
    throw isAtLeast(context.role, role) ? onlyOwner() : aboveYourRole(context);
  });

const memberEntry = (
  deps: Deps,
  context: Member,
  action: "member.role_changed" | "member.removed",
  { id, name, email }: WorkspaceMember,
  changes: Changes,
): HistoryEntry => newEntry(deps, context, action, { id, name: name ?? email, changes });

const aboveYourRole = ({ role }: Member) =>
  new ServiceError(
    "forbidden",
    `Your role in this workspace, ${role}, doesn't let you grant a higher one or change members who have one. Ask an owner.`,
  );

const onlyOwner = () =>
  new ServiceError(
    "invalid_input",
    "A workspace always has an owner. Make another member owner first, or transfer the ownership.",
  );

/** Leaves the workspace. The person's invitations are revoked. @throws invalid_input for the only owner */
export async function leaveWorkspace(deps: Deps, context: Member): Promise<{ success: true }> {
  const { workspaceId, userId } = context;
  await changeMember(deps, context, userId, (own) => {
    const entry = memberEntry(deps, context, "member.removed", own, { role: [own.role, null] });
    return store.deleteOwnMembership(deps.db, workspaceId, own, entry);
  });
  return { success: true };
}

/**
 * Makes another member owner, and the person admin.
 * @throws not_found; SignInAgain; invalid_input for oneself, and for someone who owns too many workspaces
 */
export async function transferOwnership(
  deps: Deps,
  context: Member,
  memberId: string,
): Promise<WorkspaceMember> {
  requirePermission(context, "workspace");
  requireRecentSignIn(deps, context);
  const { workspaceId, userId } = context;
  if (memberId === userId) {
    throw new ServiceError("invalid_input", "You are an owner already. Choose another member.");
  }
  const action = "member.role_changed";
  const { owned } = limits.workspaces;
  await changeMember(deps, context, memberId, async (before) => {
    const own = await getMember(deps, context, userId);
    requirePermission({ ...context, role: own.role }, "workspace");
    const raised = memberEntry(deps, context, action, before, { role: [before.role, "owner"] });
    const lowered = memberEntry(deps, context, action, own, { role: ["owner", "admin"] });
    const entries = { raised, lowered };
    if (await store.transferOwnership(deps.db, workspaceId, before, userId, owned, entries)) return true;
    if (before.role !== "owner") await requireMayOwn(deps, before);
    return false;
  });
  return getMember(deps, context, memberId);
}
