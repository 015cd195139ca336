import * as z from "zod";
import { bodyErrors, type OperatorEndpoint } from "./endpoint.ts";
import { Plan } from "../plans.ts";

export const PlanInput = z
  .object({
    plan: Plan,
    requestsPerMinute: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(1_000_000, "must be at most 1000000")
      .nullable()
      .optional()
      .meta({ description: "A higher rate limit, for the business plan only; null restores the default" }),
  })
  .meta({ id: "PlanInput" });
export type PlanInput = z.output<typeof PlanInput>;

export const PlanChange = z
  .object({
    workspaceId: z.uuid(),
    previousPlan: Plan,
    plan: Plan,
    requestsPerMinute: z.int(),
  })
  .meta({ id: "PlanChange" });
export type PlanChange = z.output<typeof PlanChange>;

/** For the operator's billing. */
export const operatorEndpoints = {
  changePlan: {
    method: "put",
    path: "/operator/workspaces/{id}/plan",
    tag: "Operator",
    summary: "Set the plan of a workspace; applies immediately to all its keys and users",
    auth: "operator",
    body: PlanInput,
    status: 200,
    response: PlanChange,
    errors: [...bodyErrors, 404],
  },
} as const satisfies Record<string, OperatorEndpoint>;
