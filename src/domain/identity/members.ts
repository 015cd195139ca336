import { limits } from "../../contract/limits.ts";
import type {
  MemberUpdate,
  OwnWorkspace,
  WorkspaceMember,
} from "../../contract/resources/identity/members.ts";
import { isAtLeast } from "../../contract/roles.ts";
import { lazy } from "../../lib/lazy.ts";
import { sameJson } from "../../lib/text/json.ts";
import * as store from "../../store/identity/members.ts";
import type { Member } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound, ServiceError } from "../errors.ts";
import { changeBoth, changeResource } from "../resources/change.ts";
import type { Resource } from "../resources/resource.ts";
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

/** Returns the workspace's members in the order in which they joined. */
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
  await changeMember(deps, context, id, (before) => ({ ...before, role }));
  return getMember(deps, context, id);
}

/**
 * Removes a member, whose next request is refused, and revokes the invitations they sent.
 * @throws not_found; forbidden for someone above the person; invalid_input for the only owner
 */
export async function removeMember(deps: Deps, context: Member, id: string): Promise<{ success: true }> {
  requirePermission(context, "members");
  await changeMember(deps, context, id, (before) => ({ ...before, deletedAt: deps.now() }));
  return { success: true };
}

/** @throws not_found; as requireMayChange */
const changeMember = (
  deps: Deps,
  context: Member,
  id: string,
  edit: (before: store.MemberRow) => store.MemberRow,
): Promise<unknown> =>
  changeResource(deps, context, memberResource, id, async (before) => {
    const after = edit(before);
    if (!sameJson(before, after)) await requireMayChange(deps, context, before, after);
    return after;
  });

/** Members as resources. */
const memberResource: Resource<store.MemberRow> = {
  kind: store.memberKind,
  object: "member",
  noun: "Member",
  nameOf: ({ name }) => name,
  fieldsOf: ({ role, deletedAt }) => ({ role: deletedAt === null ? role : null }),
  verbOf: ({ after }) => (after.deletedAt === null ? "role_changed" : "removed"),
};

/** @throws forbidden by the person's present role; invalid_input for the only owner, and at the limit of workspaces */
async function requireMayChange(
  deps: Deps,
  context: Member,
  before: store.MemberRow,
  after: store.MemberRow,
): Promise<void> {
  const { workspaceId, userId } = context;
  const role = requireFound(await store.findRole(deps.db, workspaceId, userId), "Workspace");
  const isLeaving = after.deletedAt !== null && after.id === userId;
  if (!isLeaving) {
    requirePermission({ ...context, role }, "members");
    if (!isAtLeast(role, before.role) || !isAtLeast(role, after.role))
      throw aboveYourRole({ ...context, role });
  }
  if (before.role !== "owner") return after.role === "owner" ? requireMayOwn(deps, before) : undefined;
  const members = await store.listWorkspaceMembers(deps.db, workspaceId);
  if (!members.some((other) => other.role === "owner" && other.id !== before.id)) throw onlyOwner();
}

/** @throws invalid_input for a member who owns as many workspaces as a person may */
async function requireMayOwn(deps: Deps, { id, name }: store.MemberRow): Promise<void> {
  const { owned } = limits.workspaces;
  if ((await store.countOwnedBy(deps.db, id)) < owned) return;
  throw new ServiceError(
    "invalid_input",
    `${name ?? "This member"} owns ${owned} workspaces already, the most that a person can own. They can transfer one first.`,
  );
}

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
  await changeMember(deps, context, context.userId, (before) => ({ ...before, deletedAt: deps.now() }));
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
  const { userId } = context;
  if (memberId === userId) {
    throw new ServiceError("invalid_input", "You are an owner already. Choose another member.");
  }
  await changeBoth(deps, context, memberResource, [memberId, userId], async (other, own) => {
    requirePermission({ ...context, role: own.role }, "workspace");
    if (other.role !== "owner") await requireMayOwn(deps, other);
    return [
      { ...other, role: "owner" },
      { ...own, role: "admin" },
    ] as const;
  });
  return getMember(deps, context, memberId);
}
