import * as z from "zod";
import { limits } from "../../limits.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";
import { HistoryActor } from "./history.ts";

/** Deleted things that can be restored. */

export const BinKind = z.enum(["code", "page", "folder", "template", "domain", "saved_list"]);
export type BinKind = z.output<typeof BinKind>;

export const BinItem = z
  .object({
    kind: BinKind,
    id: z.uuid(),
    name: z.string().nullable().meta({ description: "The name or title; null for a code without one" }),
    hash: z.string().nullable().meta({ description: "The hash of a code; null for others" }),
    deletedAt: z.iso.datetime(),
    deletedBy: HistoryActor.nullable().meta({
      description: "Null if the history doesn't have the deletion, such as one from before it began",
    }),
    restorableUntil: z.iso.datetime().meta({ description: "When its values are erased" }),
  })
  .meta({ id: "BinItem" });
export type BinItem = z.output<typeof BinItem>;

export const BinQuery = z.object({
  kind: BinKind.optional().meta({ description: "Only things of this kind" }),
  cursor,
  limit: pageLimit(limits.binList),
});
export type BinQuery = z.output<typeof BinQuery>;

export const BinList = listOf(BinItem, "BinList");
export type BinList = z.output<typeof BinList>;
