import { log } from "../lib/log.ts";

/** Logs and acknowledges a message that is not of the expected form, since no retry would change that. */
export function discard(message: Message<unknown>, queue: string): void {
  log("error", "unreadable message acknowledged", { queue, id: message.id });
  message.ack();
}
