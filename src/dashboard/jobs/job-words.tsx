import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { PrintJob } from "../../contract/resources/images/prints.ts";
import { Finder } from "../../ui/finder.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { Status } from "../../ui/values/status.tsx";

type AnyJob = BulkJob | PrintJob;

/** Items that have succeeded or failed. */
export const doneOf = ({ successCount, failureCount }: AnyJob): number => successCount + failureCount;

/** For each kind of job: the verb for finished codes, and the words for the rest. */
const outcomes: Readonly<Record<AnyJob["kind"], readonly [done: string, rest: (count: number) => string]>> = {
  create: ["created", (count) => `${formatCount(count, "row")} left out`],
  update: ["changed", (count) => `${formatNumber(count)} skipped`],
  images: ["drawn", (count) => `${formatNumber(count)} failed`],
  labels: ["drawn", (count) => `${formatNumber(count)} failed`],
};

/** How far a job is, such as `120 of 250`, and in the end what it has done, such as `198 codes created, 2 rows left out`. */
export function progressOf(job: AnyJob): string {
  const { kind, completedAt, totalItems, successCount, failureCount } = job;
  const [done, rest] = outcomes[kind];
  const counted =
    completedAt === null
      ? `${formatNumber(doneOf(job))} of ${formatNumber(totalItems)}`
      : `${formatCount(successCount, "code")} ${done}`;
  return failureCount === 0 ? counted : `${counted}, ${rest(failureCount)}`;
}

/** The status of a job. */
export function JobStatus({ job }: { job: AnyJob }) {
  switch (job.status) {
    case "queued":
      return <Status kind="scheduled">Queued</Status>;
    case "processing":
      return (
        <span class="running">
          <Finder />
          Running
        </span>
      );
    case "failed":
      return <Status kind="bad">Failed</Status>;
    case "cancelled":
      return <Status kind="ended">Cancelled</Status>;
    case "completed":
      return job.successCount > 0 || job.totalItems === 0 ? (
        <Status kind="active">Completed</Status>
      ) : (
        <Status kind="bad">Nothing done</Status>
      );
  }
}
