import type { Deps } from "../domain/deps.ts";
import { endDeadJob } from "../domain/bulk/run.ts";
import { saveDeadLetter } from "../domain/operations/dead-letters.ts";
import { log } from "../lib/log.ts";
import { isBulkTask } from "./bulk.ts";

/** Moves dead letters into the catalogue, where an operator can inspect and retry them. A dead bulk job ends as failed. */
export async function consumeDeadLetters(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  for (const message of batch.messages) {
    const { body } = message;
    log("error", "message failed every retry", { queue: batch.queue, id: message.id });
    await saveDeadLetter(deps, batch.queue, message.id, body);
    const isRun = batch.queue === "bulk-dead" && isBulkTask(body) && body.task === "run";
    const retryAfter = isRun ? await endDeadJob(deps, body) : 0;
    if (retryAfter > 0) message.retry({ delaySeconds: retryAfter });
    else message.ack();
  }
}
