import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BulkChange } from "../../contract/resources/codes/bulk-update.ts";
import type { Difference, ProposalResult } from "../../contract/resources/codes/proposals.ts";
import type { Actor } from "../../protocol/history.ts";
import { workspaceIdColumn } from "./workspaces.ts";

/** A change that was examined, but not made. */
export type ProposedChange =
  | { readonly kind: "create"; readonly codes: readonly unknown[] }
  | { readonly kind: "update"; readonly change: BulkChange }
  | { readonly kind: "rows"; readonly items: readonly unknown[] }
  | { readonly kind: "undoJob"; readonly jobId: string }
  | { readonly kind: "undoEntry"; readonly entryId: string };

/** The things that a change affects, each with its version when it was examined. */
export type Seen = readonly (readonly [id: string, version: number])[];

/** The outcome of a proposal. */
export interface StoredResult extends ProposalResult {
  /** Whether a person declined it. */
  readonly declined?: true;
}

/** Changes that keys propose and that they or a person then make. Times are epoch milliseconds. */
export const proposals = sqliteTable(
  "proposals",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    keyId: text("key_id").notNull(),
    /** SHA-256 of the token that makes the change, hex; null if a person must confirm it. */
    digest: text("digest"),
    /** The key and its client. */
    proposedBy: text("proposed_by", { mode: "json" }).$type<Actor>().notNull(),
    /** Null, as JSON, once the proposal has been used or has expired. `seen` and the difference's samples are then empty. */
    change: text("change", { mode: "json" }).$type<ProposedChange | null>().notNull(),
    seen: text("seen", { mode: "json" }).$type<Seen>().notNull(),
    difference: text("difference", { mode: "json" }).$type<Difference>().notNull(),
    /** Bytes of the three columns above, and of the rest of the row with its place in the indexes. */
    bytes: integer("bytes").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** When it was used, whether or not that succeeded. */
    usedAt: integer("used_at"),
    usedBy: text("used_by", { mode: "json" }).$type<Actor>(),
    /** The outcome; null until it is used. */
    result: text("result", { mode: "json" }).$type<StoredResult>(),
  },
  (table) => [
    uniqueIndex("proposals_digest").on(table.digest),
    index("proposals_workspace").on(table.workspaceId, table.id),
    index("proposals_expiry").on(table.expiresAt),
    /** Finds what the sweep takes out of expired proposals. */
    index("proposals_contents").on(table.expiresAt).where(sql`change <> 'null'`),
    /** Finds those that a person may confirm. */
    index("proposals_waiting").on(table.workspaceId, table.id).where(sql`digest IS NULL AND used_at IS NULL`),
  ],
);
