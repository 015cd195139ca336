import * as z from "zod";
import type { OperatorEndpoint } from "./endpoint.ts";
import { type Plan, plans } from "../plans.ts";

const PlanName = z.enum(Object.keys(plans) as [Plan, ...Plan[]]);

export const PlanInput = z
  .object({
    plan: PlanName,
    requestsPerMinute: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(1_000_000, "must be at most 1000000")
      .nullable()
      .optional()
      .meta({ description: "A raised cap, for the business plan alone; null takes it back" }),
  })
  .meta({ id: "PlanInput" });
export type PlanInput = z.output<typeof PlanInput>;

export const PlanChange = z
  .object({
    workspaceId: z.uuid(),
    previousPlan: PlanName,
    plan: PlanName,
    requestsPerMinute: z.int(),
  })
  .meta({ id: "PlanChange" });
export type PlanChange = z.output<typeof PlanChange>;

/** For whoever bills. */
export const operatorEndpoints = {
  changePlan: {
    method: "put",
    path: "/operator/workspaces/{id}/plan",
    tag: "Operator",
    summary: "Set a workspace's plan, at once for all its keys and people",
    auth: "operator",
    body: PlanInput,
    status: 200,
    response: PlanChange,
    errors: [400, 404, 413, 415],
  },
} as const satisfies Record<string, OperatorEndpoint>;
