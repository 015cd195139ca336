import { limits } from "../../contract/limits.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { BulkItemStatus } from "../../contract/resources/enums.ts";
import type { PrintJob } from "../../contract/resources/images/prints.ts";
import * as store from "../../store/bulk/jobs.ts";
import { listPrintJobs, presentPrintJob } from "../../store/prints/jobs.ts";
import { type CodeWords, findCodeWords } from "../codes/titles.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";
import { parseCursor, toPage, withCursor } from "../paging.ts";
import { areItemsExpired, itemsExpireAt } from "./expiry.ts";

/** How many jobs, or items of a job, a page shows. */
const pageSize = { jobs: limits.qrList.default, items: 50 } as const;

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The workspace's bulk jobs and print jobs, newest first. @throws invalid_input for a cursor of another list */
export async function listJobs(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  cursor: string | undefined,
): Promise<Page<DescribedJob | PrintJob>> {
  const after = parseCursor(cursor, "jobs");
  const [bulk, prints] = await Promise.all([
    store.listJobs(deps.db, workspaceId, pageSize.jobs + 1, after),
    listPrintJobs(deps.db, workspaceId, pageSize.jobs + 1, after),
  ]);
  const jobs = [
    ...bulk.map((described) => ({ id: described.job.jobId, ...described })),
    ...prints.map((row) => ({ id: row.id, ...presentPrintJob(row) })),
  ];
  // Ids are in the order of time.
  return toPage(
    jobs.sort((a, b) => (a.id < b.id ? 1 : -1)),
    pageSize.jobs,
    "jobs",
  );
}

export type DescribedJob = store.DescribedJob;

/** A bulk job, its work, and when its items are deleted. */
export interface JobDetails extends DescribedJob {
  /** ISO 8601; null until the job is completed. */
  readonly itemsExpireAt: string | null;
  readonly areItemsExpired: boolean;
}

/** @throws not_found */
export const getJobDetails = async (
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<JobDetails> => requireFound(await findJobDetails(deps, context, jobId), "Bulk job");

/** Returns whether a job has ended, and nothing of it failed. */
export const isDone = ({ completedAt, failureCount }: BulkJob): boolean =>
  completedAt !== null && failureCount === 0;

/** The same for a job that may be gone. */
export async function findJobDetails(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<JobDetails | undefined> {
  const found = await store.findDescribedJob(deps.db, context.workspaceId, jobId);
  if (found === undefined) return undefined;
  return {
    ...found,
    itemsExpireAt: itemsExpireAt(found.job),
    areItemsExpired: areItemsExpired(found.job, deps.now()),
  };
}

/** Returns the id of the job that undid a job; undefined if none did, or if that was undone itself. */
export async function undoneBy(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  jobId: string,
): Promise<string | undefined> {
  const undoing = await store.findUndoingJob(deps.db, workspaceId, jobId);
  if (undoing === undefined) return undefined;
  return (await store.findUndoingJob(deps.db, workspaceId, undoing)) === undefined ? undoing : undefined;
}

/** A job's item, with the title and destination of its code. */
export interface JobItem extends store.StoredItem {
  /** Null if there is no code, or it has been erased. */
  readonly code: (CodeWords & { readonly id: string }) | null;
}

/**
 * Returns a job's items, in input order.
 * @param status of the items, if not all
 * @throws invalid_input for a cursor of another list
 */
export async function listJobItems(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
  { status, cursor }: { status: BulkItemStatus | undefined; cursor: string | undefined },
): Promise<Page<JobItem>> {
  const filters = [jobId, status ?? null];
  const after = Number(parseCursor(cursor, filters, (text) => /^\d{1,9}$/.test(text)) ?? -1);
  const found = await store.listItems(deps.db, context.workspaceId, jobId, after, pageSize.items + 1, status);
  const shown = found.slice(0, pageSize.items);
  const ids = shown.flatMap(({ createdQrId, qrId }) => createdQrId ?? qrId ?? []);
  const codes = await findCodeWords(deps, context, ids);
  const withCodes = shown.map((item) => {
    const id = item.createdQrId ?? item.qrId ?? "";
    const words = codes.get(id);
    return {
      ...item,
      id: String(item.rowIndex),
      code: words === undefined ? null : { id, ...words },
    };
  });
  return withCursor(withCodes, found.length > shown.length, filters);
}
