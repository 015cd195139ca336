import type { Deps } from "../domain/deps.ts";
import { endDeadJob } from "../domain/bulk/run.ts";
import { saveDeadLetter } from "../domain/operations/dead-letters.ts";
import { describeError, log } from "../lib/log.ts";
import { isBulkTask } from "./bulk.ts";

/**
 * Moves dead letters into the catalogue, where an operator can inspect and retry them. A dead bulk job ends as failed.
 * A dead letter that can't be stored is retried without blocking the others.
 * @param queue the dead-letter queue's name in wrangler.toml
 */
export async function consumeDeadLetters(
  batch: MessageBatch<unknown>,
  queue: string,
  deps: Deps,
): Promise<void> {
  await Promise.all(batch.messages.map((message) => consumeOne(message, queue, deps)));
}

async function consumeOne(message: Message<unknown>, queue: string, deps: Deps): Promise<void> {
  const { id, body } = message;
  log("error", "message failed every retry", { queue, id });
  try {
    await saveDeadLetter(deps, queue, id, body);
    const isRun = queue === "bulk-dead" && isBulkTask(body) && body.task === "run";
    const retryAfter = isRun ? await endDeadJob(deps, body) : 0;
    if (retryAfter > 0) message.retry({ delaySeconds: retryAfter });
    else message.ack();
  } catch (error) {
    log("error", "dead letter not stored", { queue, id, error: describeError(error) });
    message.retry();
  }
}
