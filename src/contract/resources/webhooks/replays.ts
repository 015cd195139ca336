import * as z from "zod";
import { limits } from "../../limits.ts";

export const ReplayInput = z
  .object({
    since: z.iso.datetime({ offset: true }).meta({
      description: "Deliveries that were created at this time or later",
      example: "2026-01-31T09:30:00Z",
    }),
    includeSkipped: z.boolean().default(false).meta({
      description: "Whether to replay skipped deliveries, too. By default only failed ones are replayed",
    }),
    dryRun: z
      .boolean()
      .optional()
      .meta({ description: "Returns how many deliveries there are, and sends none" }),
  })
  .meta({ id: "ReplayInput" });
export type ReplayInput = z.output<typeof ReplayInput>;

/** The result of a dry run. */
export const ReplayPreview = z.object({
  deliveries: z.number().int().meta({ description: "How many deliveries would be replayed" }),
  hasMore: z.boolean().meta({
    description: `Whether there are more: a replay takes the oldest ${limits.replayDeliveries}`,
  }),
});
export type ReplayPreview = z.output<typeof ReplayPreview>;

export const ReplayStatus = z.enum(["running", "completed", "stopped"]);
export type ReplayStatus = z.output<typeof ReplayStatus>;

export const Replay = z
  .object({
    id: z.uuid(),
    status: ReplayStatus,
    stoppedReason: z.string().nullable().meta({ description: "Why it was stopped; null for other statuses" }),
    since: z.iso.datetime(),
    includeSkipped: z.boolean(),
    deliveries: z
      .number()
      .int()
      .meta({ description: "How many deliveries there were to replay when it started" }),
    replayed: z.number().int().meta({ description: "How many of them are being sent or have been sent" }),
    succeeded: z.number().int(),
    failed: z.number().int().meta({ description: "How many of them failed again" }),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Replay" });
export type Replay = z.output<typeof Replay>;
