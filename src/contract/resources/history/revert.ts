import * as z from "zod";
import { BulkJob } from "../codes/bulk.ts";
import { HistoryEntry } from "./history.ts";

export const RevertQuery = z.object({
  scope: z
    .enum(["change", "job"])
    .default("change")
    .meta({ description: "`job` undoes everything that the bulk job of this change did, by a bulk job" }),
});
export type RevertQuery = z.output<typeof RevertQuery>;

/** How a change was undone. */
export const Reverted = z
  .object({
    entry: HistoryEntry.nullable().meta({ description: "The change that undid it; null for a bulk job" }),
    job: BulkJob.nullable().meta({
      description: "The bulk job that undoes another one; null for a single change",
    }),
  })
  .meta({ id: "Reverted" });
export type Reverted = z.output<typeof Reverted>;
