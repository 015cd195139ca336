import type { KeyType, Scope } from "../contract/enums.ts";
import { type Plan, type PlanLimits, plans } from "../contract/plans.ts";

/** On whose behalf a verb runs. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly keyType: KeyType;
  readonly scopes: readonly Scope[];
  /** A publishable key works from these origins alone. */
  readonly origins: readonly string[];
  readonly plan: Plan;
}

/** The limits of the caller's plan. */
export const planOf = (caller: Caller): PlanLimits => plans[caller.plan];

/** Whether the caller may do what needs `scope`. Writing implies reading. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes(scope) || (scope === "qr:read" && caller.scopes.includes("qr:write"));
}
