import type { KeyType, Scope } from "../../contract/resources/enums.ts";
import { type Allowance, type Plan, type PlanLimits, plans } from "../../contract/plans.ts";

/** A workspace, as far as its rules go. */
export interface Owner {
  readonly workspaceId: string;
  readonly plan: Plan;
}

/** A person who is signed in, or their program: they act for the workspace they are a member of. */
export interface Member extends Owner {
  readonly userId: string;
}

/** Who holds an API key. */
export interface Caller extends Owner {
  readonly keyId: string;
  readonly keyType: KeyType;
  readonly scopes: readonly Scope[];
  /** A publishable key works from these origins alone. */
  readonly origins: readonly string[];
}

/** What the workspace's row grants. */
export const allowanceOf = (row: {
  plan: Plan;
  requestsPerMinute: number | null;
  planVersion: number;
}): Allowance => ({
  plan: row.plan,
  requestsPerMinute: row.requestsPerMinute ?? plans[row.plan].requestsPerMinute,
  version: row.planVersion,
});

/** The limits of the owner's plan. */
export const planOf = (owner: Owner): PlanLimits => plans[owner.plan];

/** Whether the caller may do what needs `scope`. Writing implies reading. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes(scope) || (scope === "qr:read" && caller.scopes.includes("qr:write"));
}

/** Whether the caller holds a key that stands in a web page for everybody to read. */
export const isPublic = (caller: Owner | Caller): boolean =>
  "keyType" in caller && caller.keyType === "publishable";
