import type { BulkJob, QrCodes } from "../index.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Output } from "./output.ts";

/** The most failed rows that are shown. */
const shownRows = 20;

const progressOf = ({ status, successCount, failureCount, totalItems }: BulkJob) =>
  `${status}: ${successCount + failureCount} of ${totalItems} rows${failureCount > 0 ? `, ${failureCount} failed` : ""}`;

/** Waits for a bulk job, and prints its result with the rows that failed. @returns the exit code */
export async function follow(
  client: QrCodes,
  jobId: string,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const onProgress = (job: BulkJob) => output.progress(progressOf(job));
  try {
    await client.bulk.wait(jobId, { signal, onProgress });
  } catch (error) {
    if (signal.aborted) output.note(`The job goes on. Follow it with: qr job ${jobId} --follow`);
    throw error;
  }
  output.endProgress();
  return report(client, jobId, output, signal);
}

/** Does the same for a job that changes codes, and says how to undo it. @returns the exit code */
export async function followUndoable(
  client: QrCodes,
  { jobId }: Pick<BulkJob, "jobId">,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const code = await follow(client, jobId, output, signal);
  output.note(`Undo it with: qr undo ${jobId}`);
  return code;
}

/** Prints a bulk job as it is. @returns the exit code */
export async function report(
  client: QrCodes,
  jobId: string,
  output: Output,
  signal?: AbortSignal,
): Promise<number> {
  const job = await client.bulk.get(jobId, { items: "failed" }, { signal });
  output.result(job, () => {
    const { status, successCount, failureCount, totalItems, error } = job;
    output.line(
      `Job ${jobId}: ${status}, ${successCount} of ${totalItems} rows done, ${failureCount} failed`,
    );
    if (error !== null) output.line(error);
    if (job.items.length === 0) return;
    const rows = job.items.slice(0, shownRows);
    output.table(
      ["ROW", "ERROR"],
      rows.map((item) => [String(item.rowIndex + 1), item.error ?? ""]),
    );
    const others = failureCount - rows.length;
    if (others > 0) output.line(`and ${others} more`);
  });
  const { status, failureCount } = job;
  if (status === "failed") return exitCodes.failed;
  return failureCount > 0 ? exitCodes.someRowsFailed : exitCodes.ok;
}
