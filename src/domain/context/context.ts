import type { Plan } from "../../contract/plans.ts";
import type { KeyType, Scope } from "../../contract/resources/enums.ts";
import type { Role } from "../../contract/roles.ts";
import { type Actor, type ActorRequest, serviceActor } from "../../protocol/history.ts";
import type { StoredDeletion } from "../../store/workspaces/deletion.ts";

/** The workspace that a request acts for, its plan, and who makes the request. */
export interface WorkspaceContext {
  readonly workspaceId: string;
  readonly plan: Plan;
  readonly actor: Actor;
  /** The entry of the history that the request's change undoes. */
  readonly revertOf?: string;
}

/** Returns the context of work that no person or key requested, such as drawing a shared report. */
export const serviceContext = (workspaceId: string, plan: Plan): WorkspaceContext => ({
  workspaceId,
  plan,
  actor: serviceActor,
});

/** A signed-in user, acting for the workspace they are a member of. */
export interface Member extends WorkspaceContext {
  readonly userId: string;
  readonly role: Role;
  /** Null for a token. */
  readonly sessionId: string | null;
  /** When the person last proved who they are, epoch milliseconds; null if their provider doesn't say. */
  readonly authenticatedAt: number | null;
  /** Null unless the workspace is being deleted. */
  readonly deletion: StoredDeletion | null;
}

/** A signed-in user, who acts for no workspace and may have none. */
export type Person = Pick<Member, "userId" | "actor"> & Partial<Pick<Member, "workspaceId">>;

/** An API key and its rights. */
export interface KnownKey extends Omit<WorkspaceContext, "actor"> {
  readonly keyId: string;
  readonly keyName: string;
  readonly keyType: KeyType;
  readonly scopes: readonly Scope[];
  /** The only origins a publishable key works from. */
  readonly origins: readonly string[];
  /** Whether the key only proposes changes, which a person confirms. */
  readonly personConfirms: boolean;
  /** Whether codes that a publishable key creates answer at domains. */
  readonly usesDomains: boolean;
}

/** The holder of an API key. */
export interface Caller extends KnownKey, WorkspaceContext {
  /** The client's address; empty if the platform doesn't tell. */
  readonly clientAddress: string;
}

/** The operator, who belongs to no workspace. */
export interface Operator {
  readonly actor: Actor;
}

/** Returns the operator as the actor of a request. */
export const operatorOf = (request: ActorRequest): Operator => ({
  actor: { kind: "operator", id: null, name: "Operator", ...request },
});

/** Returns the holder of a key as the actor of a request. Publishable keys are used by widgets in web pages. */
export const keyActor = (
  { keyId, keyName, keyType }: KnownKey,
  { via, ...request }: Omit<ActorRequest, "via"> & { readonly via: "api" | "mcp" },
): Actor => ({
  kind: "key",
  id: keyId,
  name: keyName,
  via: keyType === "publishable" ? "embed" : via,
  ...request,
});

/** Returns the id of the person whose request it is; empty for a key's or the service's. */
export const personOf = (context: WorkspaceContext | Member): string =>
  "userId" in context ? context.userId : "";

/** The name of the meter that counts a user's requests in a workspace. A key's meter is named after the key's id. */
export const userMeterName = ({ userId, workspaceId }: Pick<Member, "userId" | "workspaceId">): string =>
  `user:${userId}:${workspaceId}`;
