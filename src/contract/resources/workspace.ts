import * as z from "zod";
import { QrType } from "./enums.ts";
import { type Plan, plans } from "../plans.ts";

const noCap = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${what}; null means no cap` });

export const Workspace = z
  .object({
    id: z.uuid(),
    name: z.string(),
    plan: z.enum(Object.keys(plans) as [Plan, ...Plan[]]),
    limits: z.object({
      requestsPerMinute: z.int().meta({ description: "For each key, and for each person" }),
      bulkRows: z.int(),
      liveCodes: noCap("Codes that are not deleted"),
      webhooks: z.int(),
      secretKeys: z.boolean().meta({ description: "Whether secret keys work" }),
      qrTypes: z.array(QrType),
    }),
    usage: z.object({
      requestsThisMinute: z.int().meta({ description: "Yours, this one included" }),
      liveCodes: z.int(),
      webhooks: z.int(),
      scans: z.int().meta({ description: "Of all codes, deleted ones included" }),
    }),
  })
  .meta({ id: "Workspace" });
export type Workspace = z.output<typeof Workspace>;
