import { runPrints } from "../domain/print/run.ts";
import type { Deps } from "../domain/deps.ts";
import { describeError, log } from "../lib/log.ts";
import type { DuePrints } from "../protocol/messages.ts";
import { readableMessages } from "./readable.ts";

/** When a message is delivered again whose job can't be found out. */
const retrySeconds = 30;

/** Makes the next slice of each workspace's print jobs. A slice that fails is queued again by itself. */
export async function consumePrints(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  for (const message of readableMessages(batch, isDuePrints)) {
    try {
      await runPrints(deps, message.body.workspaceId);
      message.ack();
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
