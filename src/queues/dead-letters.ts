import type { Deps } from "../domain/deps.ts";
import { saveDeadLetter } from "../domain/operations/dead-letters.ts";
import { describeError, log } from "../lib/log.ts";

/**
 * Moves dead letters into the catalogue, where an operator can inspect and retry them. The sweep goes on
 * with jobs whose message died. A dead letter that can't be stored is retried without blocking the others.
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
    message.ack();
  } catch (error) {
    log("error", "dead letter not stored", { queue, id, error: describeError(error) });
    message.retry();
  }
}
