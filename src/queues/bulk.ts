import { fillRoutes } from "../domain/bulk/fill.ts";
import { runBulk } from "../domain/bulk/run.ts";
import type { Deps } from "../domain/deps.ts";
import { forwardInTurn } from "../domain/events/forwarding.ts";
import { describeError, log } from "../lib/log.ts";
import type { BulkTask } from "../protocol/messages.ts";
import { readableMessages } from "./readable.ts";

/** When a message is delivered again that failed outside of a job's own attempts. */
const retrySeconds = 30;

/** Runs jobs and writes their codes to the route cache. */
export async function consumeBulk(
  batch: MessageBatch<unknown>,
  deps: Deps,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  for (const message of readableMessages(batch, isBulkTask)) {
    const { body } = message;
    try {
      const retryAfter = await work(deps, body, ctx);
      // If the worker that holds the job has died, this message takes over later.
      if (retryAfter > 0) message.retry({ delaySeconds: retryAfter });
      else message.ack();
    } catch (error) {
      log("error", "bulk task failed", { ...body, error: describeError(error) });
      message.retry({ delaySeconds: retrySeconds });
    }
  }
}

/** @returns seconds after which to deliver the message again; 0 if its work is done */
async function work(deps: Deps, task: BulkTask, ctx: Pick<ExecutionContext, "waitUntil">): Promise<number> {
  if (task.task === "fill") {
    await fillRoutes(deps, task);
    return 0;
  }
  const forward = () => forwardInTurn(deps, task.workspaceId);
  const retryAfter = await runBulk(deps, task, (rest) => ctx.waitUntil(rest.then(forward)));
  if (retryAfter === 0) ctx.waitUntil(forward());
  return retryAfter;
}

/** Returns whether a message has the expected form. */
function isBulkTask(body: unknown): body is BulkTask {
  if (typeof body !== "object" || body === null) return false;
  const { task, workspaceId, jobId, from, rows } = body as Record<string, unknown>;
  if (typeof workspaceId !== "string" || typeof jobId !== "string") return false;
  return task === "run" || (task === "fill" && typeof from === "number" && typeof rows === "number");
}
