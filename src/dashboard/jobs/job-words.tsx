import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { PrintJob } from "../../contract/resources/images/prints.ts";
import { Finder } from "../../ui/finder.tsx";
import { Status } from "../../ui/values/status.tsx";
import { formatNumber } from "../../ui/values/format.ts";

type Counts = Pick<BulkJob, "totalItems" | "successCount" | "failureCount">;

/** Items that have succeeded or failed. */
export const doneOf = ({ successCount, failureCount }: Counts): number => successCount + failureCount;

/** How far a job is, such as `120 of 250, 3 failed`. */
export function progressOf(job: Counts): string {
  const done = `${formatNumber(doneOf(job))} of ${formatNumber(job.totalItems)}`;
  return job.failureCount === 0 ? done : `${done}, ${formatNumber(job.failureCount)} failed`;
}

/** The status of a job. */
export function JobStatus({ job }: { job: BulkJob | PrintJob }) {
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
      return job.failureCount === 0 ? (
        <Status kind="active">Completed</Status>
      ) : (
        <Status kind="bad">Completed with failures</Status>
      );
  }
}
