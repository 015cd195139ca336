import type { Deps } from "../domain/deps.ts";
import { runPrints } from "../domain/print/run.ts";
import { describeError, log } from "../lib/log.ts";
import type { DuePrints } from "../protocol/messages.ts";
import { readableMessages } from "./readable.ts";

/** When a message is delivered again whose job can't be found out. */
const retrySeconds = 30;

/**
 * A lease that has no longer than this isn't renewed: its worker has died. The sweep's message for the job may come that
 * much too early, since clocks differ, and would otherwise be lost until the next sweep.
 */
const expirySeconds = 5;

/** Makes the next slice of each workspace's print jobs. A slice that fails is queued again by itself. */
export async function consumePrints(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  for (const message of readableMessages(batch, isDuePrints)) {
    try {
      const wait = await runPrints(deps, message.body.workspaceId);
      if (wait > 0 && wait <= expirySeconds) message.retry({ delaySeconds: wait });
      else message.ack();
    } catch (error) {
      log("error", "print jobs not run", { ...message.body, error: describeError(error) });
      message.retry({ delaySeconds: retrySeconds });
    }
  }
}

function isDuePrints(body: unknown): body is DuePrints {
  return (
    typeof body === "object" && body !== null && "workspaceId" in body && typeof body.workspaceId === "string"
  );
}
