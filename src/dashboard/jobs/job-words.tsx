import type { BulkJob } from "../../contract/resources/bulk.ts";
import type { BulkChange } from "../../contract/resources/bulk-update.ts";
import { Badge } from "../components/values/cells.tsx";
import { formatCount, formatNumber } from "../components/values/format.ts";

/** The work of a job in few words. @param change of its codes, where it is known */
export function titleOfJob({ kind, totalItems }: BulkJob, change: BulkChange | null = null): string {
  const verb = kind === "create" ? "Create" : change?.delete === true ? "Delete" : "Change";
  return `${verb} ${formatCount(totalItems, "code")}`;
}

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
      return <Badge kind="warn">Waiting</Badge>;
    case "processing":
      return <Badge kind="warn">Under way</Badge>;
    case "failed":
      return <Badge kind="bad">Stopped</Badge>;
    case "completed":
      return job.failureCount === 0 ? (
        <Badge kind="good">Done</Badge>
      ) : (
        <Badge kind="bad">Done, with failures</Badge>
      );
  }
}
