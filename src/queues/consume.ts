import type { Deps } from "../deps.ts";
import { consumeDeadLetters } from "./dead-letters.ts";
import { consumeScans } from "./scans.ts";

/** Hands a batch to its queue's consumer. */
export async function consume(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  switch (batch.queue) {
    case "scans":
      return consumeScans(batch, deps);
    case "scans-dead":
      return consumeDeadLetters(batch, deps);
    default:
      throw new Error(`no consumer for queue ${batch.queue}`);
  }
}
