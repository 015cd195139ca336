import { limits } from "../../contract/limits.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import { chunksBySize } from "../../lib/chunks.ts";
import { log } from "../../lib/log.ts";
import { utf8Length } from "../../lib/text/utf8.ts";
import * as store from "../../store/bulk/staging.ts";
import { creationOf } from "../../store/history.ts";
import type { NewRecord } from "../../store/idempotency.ts";
import type { Lease } from "../../store/jobs/lease.ts";
import type { JobChange, JobSource } from "../../store/schema/bulk.ts";
import { findRemainingBytes } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { ServiceError, storageFull } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { yielding, yieldToOtherRequests } from "../yielding.ts";
import { bulkJobs } from "./kind.ts";

/** How long a request may take to store one portion of its job before the sweep considers it dead. */
const portionMilliseconds = 60_000;

/**
 * The maximum cost of a slice, in approximate rows written by its transaction. It blocks other writers for tens of
 * milliseconds, since the catalogue has a single writer.
 */
const sliceCost = 5000;

/**
 * Rows written for a new code with its indexes, event and item; for a changed code, which is also read in full; per
 * tag. Finally, bytes of JSON that cost as much as a row.
 */
const cost = { code: 6, change: 25, tag: 2, bytes: 200 };

/** A job to store. */
export interface StagedJob {
  readonly items: readonly store.StagedItem[];
  /** The change, for a job of kind `update`. */
  readonly change: JobChange | null;
  /** The table that the rows were imported from. */
  readonly source: JobSource | null;
  /** The name of the key that proposed it, if a person confirmed it. */
  readonly proposedBy?: string | undefined;
}

/**
 * Stores a job portion by portion. It becomes visible and may run once all of it is stored.
 * @throws plan_limit (403) if the workspace has no space for it; nothing is stored then
 */
export async function storeJob(
  deps: Deps,
  context: WorkspaceContext,
  job: BulkJob,
  { items, change, source, proposedBy }: StagedJob,
  record: NewRecord | undefined,
): Promise<void> {
  const rows: { item: store.StagedItem; json: string }[] = [];
  let itemBytes = 0;
  for await (const item of yielding(deps, items, () => rows.at(-1)?.json.length ?? 0)) {
    const json = JSON.stringify(item);
    rows.push({ item, json });
    itemBytes += limits.bulkRowBytes.item + (hasInput(item) ? utf8Length(json) : 0);
  }
  const changedTags = (change?.addTags?.length ?? 0) + (change?.removeTags?.length ?? 0);
  const slices = chunksBySize(rows, sliceCost, ({ item, json }) => {
    if ("error" in item) return 1 + json.length / cost.bytes;
    if ("qrId" in item) {
      const ownTags = item.change?.tags?.length ?? 0;
      const bytes = item.change === undefined ? 0 : json.length;
      return cost.change + cost.tag * (changedTags + ownTags) + bytes / cost.bytes;
    }
    return cost.code + cost.tag * item.tags.length + json.length / cost.bytes;
  });
  const deadline = () => deps.now() + portionMilliseconds;
  const { jobId } = job;
  const { workspaceId } = context;
  const starts = startsOf(slices);
  const bytes = itemBytes + jobBytesOf([starts, change, source, context.actor]);
  const cap = planOf(context).jobBytes;
  const plan = { slices: starts, change, source, actor: context.actor, bytes, cap, until: deadline() };
  if (!(await store.insertJob(deps.db, workspaceId, job, plan))) {
    throw await noSpaceForJob(deps, context, bytes);
  }
  const lease: Lease = { table: bulkJobs.table, jobId, until: plan.until };
  let from = 0;
  for (const portion of store.portionsOf(rows.map(({ json }) => json))) {
    if (!(await store.stageItems(deps.db, lease, from, portion, deadline()))) throw abandoned(jobId);
    from += portion.length;
    await yieldToOtherRequests(deps);
  }
  const entry = newEntry(deps, context, "job.created", {
    id: jobId,
    name: source?.fileName ?? null,
    changes: creationOf({
      kind: job.kind,
      codes: items.length,
      ...(change && change.rows !== true && { fields: Object.keys(change) }),
      ...(proposedBy !== undefined && { proposedBy }),
    }),
  });
  if (!(await store.finishStaging(deps.db, workspaceId, lease, deps.now(), entry, record))) {
    throw abandoned(jobId);
  }
}

/** Returns the bytes that a job takes up besides its items. @param values of the job besides its numbers */
const jobBytesOf = (values: readonly unknown[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (value === null ? 0 : utf8Length(JSON.stringify(value))),
    limits.bulkRowBytes.job,
  );

/** Whether an item's values count. The id of a code to change is covered by the item's row. */
const hasInput = (item: store.StagedItem): boolean =>
  !("qrId" in item) || item.change !== undefined || item.version !== undefined;

/** Explains why a workspace has no space for a bulk job. @param bytes of the job with its items */
async function noSpaceForJob(deps: Deps, context: WorkspaceContext, bytes: number): Promise<ServiceError> {
  const { title, jobBytes } = planOf(context);
  const remaining = await findRemainingBytes(deps.db, context.workspaceId);
  if (remaining < bytes) return storageFull(403);
  const allowed = `Your ${title} plan allows ${jobBytes / 1e6} MB of bulk jobs`;
  const remedy =
    bytes > jobBytes
      ? "Send fewer or shorter rows at once, or upgrade."
      : `Send this one again later, or upgrade: the rows of a job are deleted ${limits.bulkItemDays} days after it ends.`;
  return new ServiceError("plan_limit", `${allowed}. ${remedy}`, { status: 403 });
}

/** Returns the positions at which consecutive chunks begin. */
function startsOf(chunks: Iterable<readonly unknown[]>): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const { length } of chunks) {
    starts.push(start);
    start += length;
  }
  return starts;
}

const abandoned = (jobId: string) => new Error(`bulk job ${jobId} was deleted while it was stored`);

/** Deletes jobs whose request died before all items were stored. */
export async function deleteAbandonedJobs(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const job of await store.takeAbandonedJobs(deps.db, now, now + portionMilliseconds)) {
    log("warn", "incompletely stored bulk job deleted", { jobId: job.id });
    await store.deleteAbandonedJob(deps.db, job);
  }
}
