import type { Deps } from "../domain/deps.ts";
import { saveDeadLetter } from "../domain/operations/dead-letters.ts";
import { log } from "../lib/log.ts";

/** Moves dead letters into the catalogue, where an operator can inspect and retry them. */
export async function consumeDeadLetters(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  for (const message of batch.messages) {
    log("error", "message failed every retry", { queue: batch.queue, id: message.id });
    await saveDeadLetter(deps, batch.queue, message.id, message.body);
    message.ack();
  }
}
