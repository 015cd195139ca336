import type { Deps } from "../domain/deps.ts";
import { bulkTiming, endDeadJob } from "../domain/bulk/run.ts";
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
    if (isRun && (await endDeadJob(deps, body)) === "held") {
      message.retry({ delaySeconds: bulkTiming.retrySeconds });
    } else {
      message.ack();
    }
  }
}
