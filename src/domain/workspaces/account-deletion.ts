import type { AccountDeletionInput } from "../../contract/resources/identity/leaving.ts";
import { deleteUser, listSoleWorkspaces, type SoleWorkspace } from "../../store/identity/account.ts";
import { findPerson } from "../../store/identity/users.ts";
import type { Member } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound, ServiceError } from "../errors.ts";
import { requireRecentSignIn } from "../identity/recent-sign-in.ts";
import { beginDeletion } from "./deletion.ts";

/** Returns what a person types to confirm that they delete their account: their address, or else their name. */
export const accountName = ({ name, email }: { name: string | null; email: string | null }): string =>
  email ?? name ?? "delete";

/** Returns the workspaces that would be deleted with the person's account, and those that prevent it. */
export async function workspacesOfAccount(
  deps: Deps,
  { userId }: Member,
): Promise<{ own: SoleWorkspace[]; blocking: SoleWorkspace[] }> {
  const workspaces = await listSoleWorkspaces(deps.db, userId);
  return {
    own: workspaces.filter(({ others }) => others === 0),
    blocking: workspaces.filter(({ others }) => others > 0),
  };
}

/**
 * Deletes the person's account with their passkeys and sessions, and the workspaces of which they are the only member.
 * @throws SignInAgain; invalid_input while they are the only owner of a workspace with other members
 */
export async function deleteAccount(
  deps: Deps,
  member: Member,
  { email, codes }: AccountDeletionInput,
): Promise<{ success: true }> {
  requirePermission(member, "account");
  requireRecentSignIn(deps, member);
  const person = requireFound(await findPerson(deps.db, member.userId), "Person");
  const expected = accountName(person);
  if (email.trim().toLowerCase() !== expected.trim().toLowerCase())
    throw invalid("email", `must be ${expected}`);
  const { own, blocking } = await workspacesOfAccount(deps, member);
  if (blocking.length > 0) throw isNeeded(blocking);
  for (const workspace of own) await beginDeletion(deps, member, workspace, codes);
  if (await deleteUser(deps.db, member.userId, member.actor, deps.now())) return { success: true };
  // Somebody joined one of the workspaces, or the last other owner left, at the same time.
  throw isNeeded((await workspacesOfAccount(deps, member)).blocking);
}

function isNeeded(workspaces: readonly SoleWorkspace[]): ServiceError {
  const names = workspaces.map(({ name }) => name).join(", ");
  return new ServiceError(
    "invalid_input",
    `You are the only owner of ${names}, which has other members. Make one of them owner, or delete the workspace, then delete your account.`,
    { status: 409 },
  );
}
