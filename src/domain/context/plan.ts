import { type Plan, type PlanLimits, plans } from "../../contract/plans.ts";
import type { Allowance } from "../../protocol/key-meter.ts";
import { ServiceError } from "../errors.ts";
import type { WorkspaceContext } from "./context.ts";

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
