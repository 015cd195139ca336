import * as z from "zod";
import { limits } from "../limits.ts";
import { waitingKindNames } from "../waiting-kinds.ts";

/** Things that wait for a person. */

export const WaitingKind = z.enum(waitingKindNames).meta({
  description: [
    "`proposal`: a change that a key proposed",
    "`webhook`: a webhook that was paused because its deliveries failed",
    "`delivery`: a webhook with deliveries that failed",
    "`domain`: a domain with a problem",
    "`job`: a bulk job that failed, or of which some rows did",
    "`print`: the same for a print job",
    "`design`: a code that phones can't reliably read",
    "`closed`: a code that was still scanned after it was paused, expired or deleted",
    `\`limit\`: a limit of which ${limits.waiting.share * 100} % are used`,
  ].join("; "),
});
export type WaitingKind = z.output<typeof WaitingKind>;

/** Why codes don't answer although a person can change that, the most pressing first. */
export const endedReasons = ["deleted", "paused", "expired"] as const;

const time = z.iso.datetime().nullable();

const WaitingItem = z
  .object({
    kind: WaitingKind,
    id: z.string().meta({
      description: "Of the proposal, webhook, domain, job or code; of a limit: `codes`, `storage` or `scans`",
    }),
    title: z.string().meta({ example: "Import of 120 rows from menu.csv" }),
    text: z.string().meta({ description: "Why it waits", example: "3 of 120 rows failed." }),
    link: z.url().meta({ description: "The page of the dashboard where a person acts on it" }),
    reason: z
      .enum(endedReasons)
      .optional()
      .meta({ description: "Of a `closed` code, why it doesn't answer" }),
    since: time.meta({ description: "Null if that isn't known" }),
    postponedUntil: time.meta({ description: "Set while the person has put it off. Always null for a key" }),
  })
  .meta({ id: "WaitingItem" });
export type WaitingItem = z.output<typeof WaitingItem>;

export const WaitingList = z
  .object({
    items: z.array(WaitingItem).meta({
      description: `Grouped by kind, at most ${limits.waiting.counted} of each, newest first`,
    }),
    count: z.int().meta({ description: "How many of them aren't put off" }),
  })
  .meta({ id: "WaitingList" });
export type WaitingList = z.output<typeof WaitingList>;
