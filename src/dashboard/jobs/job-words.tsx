import type { BulkJob } from "../../contract/resources/bulk.ts";
import { Badge } from "../components/values/cells.tsx";
import { formatNumber } from "../components/values/format.ts";

/** Items that have succeeded or failed. */
export const doneOf = ({ successCount, failureCount }: BulkJob): number => successCount + failureCount;

/** How far a job is, such as `120 of 250, 3 failed`. */
export function progressOf(job: BulkJob): string {
  const done = `${formatNumber(doneOf(job))} of ${formatNumber(job.totalItems)}`;
  return job.failureCount === 0 ? done : `${done}, ${formatNumber(job.failureCount)} failed`;
}

/** The status of a job. */
export function JobStatus({ job }: { job: BulkJob }) {
  switch (job.status) {
    case "queued":
      return <Badge kind="warn">Queued</Badge>;
    case "processing":
      return <Badge kind="warn">Running</Badge>;
    case "failed":
      return <Badge kind="bad">Failed</Badge>;
    case "completed":
      return job.failureCount === 0 ? (
        <Badge kind="good">Completed</Badge>
      ) : (
        <Badge kind="bad">Completed, with failures</Badge>
      );
  }
}
