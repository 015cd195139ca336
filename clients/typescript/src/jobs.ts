import { growing, pause } from "./retry.ts";

const firstPause = 250;
const longestPause = 10_000;

/** How a job is waited for. */
interface WaitOptions<Job> {
  readonly signal?: AbortSignal | undefined;
  /** Called with each state of the job, the last one included. */
  readonly onProgress?: ((job: Job) => void) | undefined;
}

/** Reads a job until it has ended. The job goes on if this is aborted. */
export async function finished<Job extends { readonly status: string }>(
  read: () => Promise<Job>,
  { signal, onProgress }: WaitOptions<Job>,
): Promise<Job> {
  for (let before = 0; ; before += 1) {
    const job = await read();
    onProgress?.(job);
    if (job.status !== "queued" && job.status !== "processing") return job;
    await pause(growing(before, firstPause, longestPause), signal);
  }
}
