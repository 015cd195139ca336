import type { WorkspaceContext } from "../context/context.ts";
import { notInPlanError, planOf } from "../context/plan.ts";

/** @throws plan_limit on a plan without hosted pages */
export function requirePagesInPlan(context: WorkspaceContext): void {
  if (!planOf(context).qrTypes.includes("servicepage")) {
    throw notInPlanError(context, "hosted pages", "Upgrade to create them.");
  }
}
