import { describeError, log } from "../../lib/log.ts";
import type { EdgeDeps } from "../deps.ts";

/** Enqueues webhooks with deliveries due. If the queue fails, the ledger's alarm enqueues them a minute later. */
export async function enqueueDeliveries(
  deps: EdgeDeps,
  workspaceId: string,
  webhookIds: readonly string[],
): Promise<void> {
  if (webhookIds.length === 0) return;
  try {
    await deps.deliveryQueue.sendBatch(webhookIds.map((webhookId) => ({ body: { workspaceId, webhookId } })));
  } catch (error) {
    log("warn", "deliveries not enqueued; the ledger will enqueue them again", {
      workspaceId,
      error: describeError(error),
    });
  }
}
