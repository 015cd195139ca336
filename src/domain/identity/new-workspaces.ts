import { limits } from "../../contract/limits.ts";
import type { NewWorkspaceInput, OwnWorkspace } from "../../contract/resources/identity/members.ts";
import { newId } from "../../lib/text/ids.ts";
import { countOwnedBy } from "../../store/identity/members.ts";
import * as store from "../../store/identity/new-workspaces.ts";
import type { Member } from "../context/context.ts";
import { requireNotSuspended, workspaceSuspendedError } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import { PasskeyFailure } from "./passkeys.ts";
import { defaultPlanOf, isSignUpOpen, waysToSignIn } from "./ways.ts";

/**
 * Who creates workspaces. While sign-up is closed, people who were invited to one can't create others: that takes a one-time
 * link of the operator, or the setting that lets owners. People of the provider get their first one as they sign in.
 */
const allowanceOf = (deps: Deps): store.Allowance => ({
  everyone: isSignUpOpen(deps),
  owners: deps.settings.ownersCreateWorkspaces,
  newcomersOf: waysToSignIn(deps).provider ? deps.settings.provider.issuer : null,
});

/** Who creates a workspace, and for which workspace they act, if any. */
type Creator = Pick<Member, "userId"> & Partial<Pick<Member, "workspaceId">>;

/** Returns whether a person may create a workspace without a link of the operator. */
export const mayCreateWorkspace = (deps: Deps, { userId }: Creator): Promise<boolean> =>
  store.mayCreateWorkspace(deps.db, userId, allowanceOf(deps));

/**
 * Creates a workspace that the person owns.
 * @throws forbidden for a person who needs a link, acts for a suspended workspace or owns one; invalid_input if they own
 * or have created too many
 */
export async function createWorkspace(
  deps: Deps,
  creator: Creator,
  { name }: NewWorkspaceInput,
): Promise<OwnWorkspace> {
  if (creator.workspaceId !== undefined) {
    await requireNotSuspended(deps, { workspaceId: creator.workspaceId });
  }
  if (await store.ownsSuspended(deps.db, creator.userId)) throw workspaceSuspendedError();
  if (!(await mayCreateWorkspace(deps, creator))) throw needsLink(deps);
  const { createdPerDay } = limits.workspaces;
  const meter = deps.meter(`workspaces:${creator.userId}`);
  if ((await meter.takeCreation(deps.now(), createdPerDay)) === null) {
    throw new ServiceError(
      "invalid_input",
      `You can create at most ${createdPerDay} workspaces a day. Try again after midnight UTC.`,
    );
  }
  const created = await insert(deps, creator, name, allowanceOf(deps));
  if (created === null) throw needsLink(deps);
  return created;
}

/**
 * Creates a workspace that the person owns, by a one-time link of the operator.
 * @throws PasskeyFailure if the link can't be used any more; invalid_input for a person who owns too many
 */
export async function createWorkspaceByLink(
  deps: Deps,
  creator: Creator,
  { digest }: { readonly digest: string },
  { name }: NewWorkspaceInput,
): Promise<OwnWorkspace> {
  const created = await insert(deps, creator, name, { digest });
  if (created === null) throw new PasskeyFailure("link");
  return created;
}

/** @returns null if the person may not @throws invalid_input for a person who owns too many */
async function insert(
  deps: Deps,
  { userId }: Creator,
  name: string,
  by: store.Allowance | store.UsedLink,
): Promise<OwnWorkspace | null> {
  const now = deps.now();
  const workspace = { id: newId(now), name, plan: defaultPlanOf(deps) };
  const { owned } = limits.workspaces;
  if (await store.insertWorkspace(deps.db, userId, workspace, owned, by, now)) {
    return { ...workspace, logoId: null, role: "owner", current: false };
  }
  if ((await countOwnedBy(deps.db, userId)) >= owned) throw ownsTooMany();
  return null;
}

/** Tells a person who may not create a workspace how to get one. */
export const howToGetWorkspace = ({ settings }: Deps): string =>
  settings.ownersCreateWorkspaces
    ? "Only owners of a workspace can create others. Ask the operator of this service for a one-time link."
    : "Ask the operator of this service for a one-time link with which you can create one.";

const needsLink = (deps: Deps) =>
  new ServiceError("forbidden", `You can't create a workspace by yourself. ${howToGetWorkspace(deps)}`);

/** The error for a person who owns as many workspaces as one may. */
export const ownsTooMany = () =>
  new ServiceError(
    "invalid_input",
    `You can own at most ${limits.workspaces.owned} workspaces, including those being deleted. Transfer one first.`,
  );
