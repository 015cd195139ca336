import type { BulkChunk } from "../protocol/messages.ts";
import type { Deps } from "../domain/deps.ts";
import { runChunk } from "../domain/bulk/jobs.ts";
import { forwardEvents } from "../domain/webhooks/events.ts";
import { describeError, log } from "../lib/log.ts";
import { discard } from "./discard.ts";

/** Runs the chunks of a batch in sequence, since the catalogue has a single writer. */
export async function consumeBulk(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  for (const message of batch.messages) {
    const { body } = message;
    if (!isBulkChunk(body)) {
      discard(message, batch.queue);
      continue;
    }
    try {
      await runChunk(deps, body);
      await forwardEvents(deps, body.workspaceId);
      message.ack();
    } catch (error) {
      const { workspaceId, jobId, from } = body;
      log("error", "bulk chunk failed", { workspaceId, jobId, from, error: describeError(error) });
      message.retry();
    }
  }
}

function isBulkChunk(body: unknown): body is BulkChunk {
  if (typeof body !== "object" || body === null) return false;
  const { workspaceId, jobId, from } = body as Partial<BulkChunk>;
  return typeof workspaceId === "string" && typeof jobId === "string" && typeof from === "number";
}
