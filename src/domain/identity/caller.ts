import type { KeyType, Scope } from "../../contract/resources/enums.ts";
import { type Plan, type PlanLimits, plans } from "../../contract/plans.ts";
import { ServiceError } from "../errors.ts";
import type { Allowance } from "../../protocol/key-meter.ts";

/** The workspace that a request acts for, and its plan. */
export interface WorkspaceContext {
  readonly workspaceId: string;
  readonly plan: Plan;
}

/** A signed-in user, acting for the workspace they are a member of. */
export interface Member extends WorkspaceContext {
  readonly userId: string;
}

/** The holder of an API key. */
export interface Caller extends WorkspaceContext {
  readonly keyId: string;
  readonly keyType: KeyType;
  readonly scopes: readonly Scope[];
  /** The only origins a publishable key works from. */
  readonly origins: readonly string[];
}

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
export const planOf = (context: WorkspaceContext): PlanLimits => plans[context.plan];

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
