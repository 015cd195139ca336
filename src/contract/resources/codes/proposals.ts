import * as z from "zod";
import { limits } from "../../limits.ts";
import { BinKind } from "../history/bin.ts";

/** The effect of a change on one thing. */
const Effect = z.enum(["created", "changed", "deleted", "restored", "failed"]);

const Sample = z.object({
  effect: Effect,
  id: z.string().nullable().meta({ description: "Null for a code that doesn't exist yet" }),
  name: z.string().nullable(),
  scanUrl: z.string().nullable().meta({ description: "Of a code that exists" }),
  fields: z
    .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
    .meta({ description: "The fields that differ, with their values before and after" }),
  error: z.string().nullable().meta({ description: "Why it can't be changed" }),
});

/** The effects of a change, as its dry run found. */
export const Difference = z.object({
  kind: BinKind.meta({ description: "What is changed" }),
  summary: z.array(z.string()).meta({
    description: "The change in words",
    example: ["Changes the destination of 12 codes."],
  }),
  changed: z.int().meta({ description: "How many would be created, changed, deleted or restored" }),
  unchanged: z.int().meta({ description: "How many are so already" }),
  failed: z.int().meta({ description: "How many can't be changed. They are left out" }),
  samples: z.array(Sample).meta({ description: `The first ${limits.bulkUpdate.samples}` }),
  leftOut: z.int().meta({ description: "How many others `samples` leaves out" }),
});
export type Difference = z.output<typeof Difference>;
export type DifferenceSample = Difference["samples"][number];

/** Whether a proposed change can still be made, and what has become of it. */
export const ProposalStatus = z.enum(["waiting", "used", "declined", "expired"]);
export type ProposalStatus = z.output<typeof ProposalStatus>;

/** The outcome of a proposed change. */
export const ProposalResult = z.object({
  jobId: z.uuid().nullable().meta({ description: "The bulk job that makes the change" }),
  entryId: z.uuid().nullable().meta({ description: "The entry of the history, for a change without a job" }),
  error: z.string().nullable().meta({ description: "Why nothing was changed" }),
});
export type ProposalResult = z.output<typeof ProposalResult>;
