import type { KeyType, Scope } from "../../contract/resources/enums.ts";
import { type Plan, type PlanLimits, plans } from "../../contract/plans.ts";
import { allows, type Permission, permissions, type Role, roles } from "../../contract/roles.ts";
import type { StoredDeletion } from "../../store/workspaces/deletion.ts";
import { ServiceError } from "../errors.ts";
import { type Actor, type ActorRequest, serviceActor } from "../../protocol/history.ts";
import type { Allowance } from "../../protocol/key-meter.ts";

/** The workspace that a request acts for, its plan, and who makes the request. */
export interface WorkspaceContext {
  readonly workspaceId: string;
  readonly plan: Plan;
  readonly actor: Actor;
  /** The entry of the history that the request's change undoes. */
  readonly revertOf?: string;
}

/** Returns the context of work that nobody asked for by name, such as drawing a shared report. */
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

/** An API key and its rights. */
export interface KnownKey extends Omit<WorkspaceContext, "actor"> {
  readonly keyId: string;
  readonly keyName: string;
  readonly keyType: KeyType;
  readonly scopes: readonly Scope[];
  /** The only origins a publishable key works from. */
  readonly origins: readonly string[];
}

/** The holder of an API key. */
export interface Caller extends KnownKey, WorkspaceContext {}

/** The operator, who belongs to no workspace. */
export interface Operator {
  readonly actor: Actor;
}

/** Returns the operator as the actor of a request. */
export const operatorOf = (request: ActorRequest): Operator => ({
  actor: { kind: "operator", id: null, name: "Operator", ...request },
});

/** Returns the holder of a key as the actor of a request. Publishable keys are used by widgets in web pages. */
export const keyActor = ({ keyId, keyName, keyType }: KnownKey, requestId: string): Actor => ({
  kind: "key",
  id: keyId,
  name: keyName,
  via: keyType === "publishable" ? "embed" : "api",
  requestId,
});

/** Returns the request allowance that a workspace's row grants. */
export const allowanceOf = (row: {
  plan: Plan;
  requestsPerMinute: number | null;
  planVersion: number;
}): Allowance => ({
  plan: row.plan,
  requestsPerMinute: row.requestsPerMinute ?? plans[row.plan].requestsPerMinute,
  version: row.planVersion,
});

/** Returns the limits of the owner's plan. */
export const planOf = (context: Pick<WorkspaceContext, "plan">): PlanLimits => plans[context.plan];

/**
 * Creates the error for reaching a cap of the owner's plan. @param allowed the plan's limit; @param remedy a sentence
 */
export const planCapError = (context: WorkspaceContext, allowed: string, remedy: string): ServiceError =>
  new ServiceError("plan_limit", `Your ${planOf(context).title} plan allows ${allowed}. ${remedy}`);

/** Creates the error for a feature that the owner's plan lacks. @param what in the plural; @param remedy a sentence */
export const notInPlanError = (context: WorkspaceContext, what: string, remedy: string): ServiceError =>
  new ServiceError("plan_limit", `Your ${planOf(context).title} plan doesn't include ${what}. ${remedy}`);

/** Returns whether the caller's key has `scope`. Writing implies reading. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes(scope) || (scope === "qr:read" && caller.scopes.includes("qr:write"));
}

/** Returns whether the caller holds a publishable key, which anyone can read in a web page. */
export const usesPublishableKey = (caller: WorkspaceContext | Caller): caller is Caller =>
  "keyType" in caller && caller.keyType === "publishable";

/** Returns whether the member's role has the permission. */
export const may = ({ role }: Pick<Member, "role">, permission: Permission): boolean =>
  allows(role, permission);

/** Returns whether the caller may change codes. */
export function mayChangeCodes(context: WorkspaceContext | Member | Caller): boolean {
  if ("role" in context) return may(context, "codes.write");
  return !("scopes" in context) || hasScope(context, "qr:write");
}

/** The permissions that people keep while their workspace is being deleted. */
const keptPermissions: readonly Permission[] = ["account", "workspace"];

/** Returns whether the member's workspace is being deleted, and the permission is of no use until that is cancelled. */
export const isClosedTo = ({ deletion }: Pick<Member, "deletion">, permission: Permission): boolean =>
  deletion !== null && !keptPermissions.includes(permission);

/**
 * Refuses members whose role lacks the permission, or whose workspace is being deleted. Keys pass: their scopes were
 * checked. @throws forbidden
 */
export function requirePermission(context: WorkspaceContext | Member, permission: Permission): void {
  if (!("role" in context)) return;
  if (isClosedTo(context, permission)) {
    throw new ServiceError(
      "forbidden",
      "This workspace is being deleted. Until its data is erased, an owner can cancel that.",
    );
  }
  if (may(context, permission)) return;
  const { role: least, what } = permissions[permission];
  const able = roles.slice(roles.indexOf(least)).map((role) => (role === "viewer" ? role : `an ${role}`));
  throw new ServiceError(
    "forbidden",
    `Your role in this workspace, ${context.role}, doesn't let you ${what}. Ask ${able.join(" or ")} to do it, or to change your role.`,
  );
}
