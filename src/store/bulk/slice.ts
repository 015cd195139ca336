import { newId } from "../../lib/text/ids.ts";
import type { Actor } from "../../protocol/history.ts";
import type { Lease } from "./lease.ts";
import {
  completeJob,
  countSlice,
  freedBytes,
  keptInput,
  type Progress,
  pending,
  renewedLease,
  type Slice,
} from "./progress.ts";
import { changeFits, valuesFit } from "../history.ts";
import { insertNewCodes, qrJson, referencesExist } from "../codes/columns.ts";
import { type CodeCaps, isWithinCaps, remainingCodes } from "../codes/codes.ts";

/** The values that a slice's statements need besides its rows. */
export interface SliceContext {
  readonly actor: Actor;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly scanOrigin: string;
  /** The id of the event bulk.completed, for the slice that completes the job. */
  readonly completedEventId: string;
  readonly caps: CodeCaps;
  /** The errors of rows that exceed each cap, or the workspace's storage. */
  readonly capErrors: Readonly<Record<keyof CodeCaps | "storage", string>>;
  /** The errors of rows whose folder or page has been deleted since they were staged. */
  readonly goneErrors: Readonly<Record<keyof typeof staged, string>>;
  /** The errors of rows with a type that the plan doesn't include, by type. */
  readonly typeErrors: Readonly<Record<string, string>>;
  /** Until when the job is held after the slice, epoch milliseconds. */
  readonly until: number;
}

/** The conditions that an item's folder and page still exist. */
const staged = referencesExist("(SELECT workspace_id FROM bulk_jobs WHERE id = ?1)", "i.input");

/** How many of the slice's codes the workspace `w` may create. */
const remaining = remainingCodes({ liveCodes: "?7", creationsPerDay: "?8", at: "?4" });

/** The condition that the workspace `w` may create more codes today. */
const mayCreate = isWithinCaps({ liveCodes: "NULL", creationsPerDay: "?9", at: "?10" });

/**
 * The id of a code's event: a UUIDv7 of the time of ?7, ordered by the code's position in the slice, which has fewer than
 * 4096.
 */
const eventId = `substr(?7, 1, 14) || printf('7%03x-8', i.row_index - ?2) || substr(lower(hex(randomblob(2))), 2) || '-'
  || lower(hex(randomblob(6)))`;

/** The entry in the history of a created code. The outbox has its values once, as the event's data, if it has room. */
const createdEntry = `json_patch(
  json_set(?8, '$.object', json_object('kind', 'code', 'id', c.id, 'name', coalesce(c.name, c.hash))),
  iif(${valuesFit}, '{}', '{"changes":{},"leftOut":true}'))`;

const created = "EXISTS (SELECT 1 FROM qr_codes c WHERE c.id = i.input->>'id')";

/**
 * Creates the codes of a slice's pending items with their events, marks the items as succeeded or failed, counts them,
 * and completes the job if these were the last, in one transaction. Failed items keep their input, unless it is long.
 * Ids and hashes were assigned when the rows were staged, so that repeating a slice creates no code twice, and a worker
 * that lost its lease does no harm.
 * @returns the renewed lease; undefined if another worker has the job
 * @throws if a hash already exists (see isUniqueViolation)
 */
export async function processSlice(
  d1: D1Database,
  slice: Slice,
  lease: Lease,
  context: SliceContext,
): Promise<Lease | undefined> {
  const { workspaceId, jobId, from, size } = slice;
  const { actor, now, scanOrigin, completedEventId, caps, capErrors, goneErrors, until } = context;
  const typeErrors = JSON.stringify(context.typeErrors);
  const run = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(jobId, from, size, ...values);
  const [, , progress] = await d1.batch<Progress>([
    run(
      `${insertNewCodes("i.input", "?4")}
       FROM workspaces w CROSS JOIN bulk_items i
       WHERE w.id = (SELECT workspace_id FROM bulk_jobs WHERE id = ?1 AND workspace_id = ?6)
         AND ${pending} AND ?5->>(i.input->>'qrType') IS NULL AND ${staged.folderId} AND ${staged.pageId}
       ORDER BY i.row_index LIMIT (SELECT max(0, ${remaining}) FROM workspaces w WHERE w.id = ?6)`,
      now,
      typeErrors,
      workspaceId,
      caps.liveCodes,
      caps.creationsPerDay,
    ),
    run(
      `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
       SELECT ${eventId}, c.workspace_id, iif(w.has_webhooks, 'qr.created', ''),
         iif(w.has_webhooks OR ${valuesFit}, ${qrJson("c", "?4")}, '{}'), ${createdEntry}, ?5
       FROM workspaces w CROSS JOIN bulk_items i CROSS JOIN qr_codes c ON c.id = i.input->>'id'
       WHERE w.id = ?6 AND ${pending} AND ${changeFits}`,
      scanOrigin,
      now,
      workspaceId,
      newId(now),
      JSON.stringify({ v: 1, action: "code.created", actor, jobId }),
    ),
    countSlice(d1, slice, { lease, until }, created, freedBytes(created)),
    run(
      `UPDATE bulk_items AS i SET status = 'succeeded', qr_id = input->>'id', qr_hash = input->>'hash', input = NULL
       WHERE ${pending} AND ${created}`,
    ),
    run(
      `UPDATE bulk_items AS i SET status = 'failed', input = ${keptInput}, error = coalesce(?4->>(input->>'qrType'),
         iif(${staged.folderId}, NULL, ?12), iif(${staged.pageId}, NULL, ?13),
         (SELECT iif(w.live_codes >= ?6, ?7, iif(${mayCreate}, ?11, ?8)) FROM workspaces w WHERE w.id = ?5))
       WHERE ${pending}`,
      typeErrors,
      workspaceId,
      caps.liveCodes,
      capErrors.liveCodes,
      capErrors.creationsPerDay,
      caps.creationsPerDay,
      now,
      capErrors.storage,
      goneErrors.folderId,
      goneErrors.pageId,
    ),
    ...completeJob(d1, jobId, completedEventId, now),
  ]);
  return renewedLease(progress, jobId, until);
}

/** A pending item whose hash, or a look-alike, has been taken by a code since the item was staged. */
export interface TakenRow {
  readonly row: number;
  readonly isChosen: boolean;
}

/** Returns the slice's pending items whose hash is taken. */
export async function listTakenRows(d1: D1Database, slice: Slice): Promise<TakenRow[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.row_index AS row, i.input->>'chosenShortName' AS chosen
       FROM bulk_items i CROSS JOIN qr_codes c ON c.hash_folded = i.input->>'hashFolded' WHERE ${pending}`,
    )
    .bind(slice.jobId, slice.from, slice.size)
    .all<{ row: number; chosen: number | null }>();
  return results.map(({ row, chosen }) => ({ row, isChosen: chosen === 1 }));
}

/** Assigns new hashes to pending items of the slice. @param newHash returns a hash that equals its folded form */
export async function replaceHashes(
  d1: D1Database,
  slice: Slice,
  rows: readonly number[],
  newHash: () => string,
): Promise<void> {
  await d1.batch(
    rows.map((row) =>
      d1
        .prepare(
          `UPDATE bulk_items AS i SET input = json_set(input, '$.hash', ?4, '$.hashFolded', ?4) WHERE ${pending} AND row_index = ?5`,
        )
        .bind(slice.jobId, slice.from, slice.size, newHash(), row),
    ),
  );
}
