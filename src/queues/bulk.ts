import type { BulkTask } from "../protocol/messages.ts";
import type { Deps } from "../domain/deps.ts";
import { fillRoutes } from "../domain/bulk/fill.ts";
import { bulkTiming, runJob } from "../domain/bulk/run.ts";
import { forwardEvents } from "../domain/webhooks/events.ts";
import { describeError, log } from "../lib/log.ts";
import { discard } from "./discard.ts";

/** Runs jobs and fills the route cache with their codes. */
export async function consumeBulk(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  for (const message of batch.messages) {
    const { body } = message;
    if (!isBulkTask(body)) {
      discard(message, batch.queue);
      continue;
    }
    try {
      if (body.task === "fill") {
        await fillRoutes(deps, body);
      } else if ((await runJob(deps, body)) === "held") {
        // The worker that holds the job may have died. This message takes the job over then.
        message.retry({ delaySeconds: bulkTiming.leaseSeconds });
        continue;
      } else {
        await forwardEvents(deps, body.workspaceId);
      }
      message.ack();
    } catch (error) {
      log("error", "bulk task failed", { ...body, error: describeError(error) });
      message.retry({ delaySeconds: bulkTiming.retrySeconds });
    }
  }
}

/** Whether a message of the queue has the expected form. */
export function isBulkTask(body: unknown): body is BulkTask {
  if (typeof body !== "object" || body === null) return false;
  const { task, workspaceId, jobId, from } = body as Record<string, unknown>;
  if (typeof workspaceId !== "string" || typeof jobId !== "string") return false;
  return task === "run" || (task === "fill" && typeof from === "number");
}
