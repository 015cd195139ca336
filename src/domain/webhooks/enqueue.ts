import type { Deps } from "../deps.ts";
import { describeError, log } from "../../lib/log.ts";

/** Tells the queue that webhooks have deliveries due. Should it refuse, the ledger's alarm tells it in a minute. */
export async function tellDue(deps: Deps, workspaceId: string, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  try {
    await deps.deliveryQueue.sendBatch(webhookIds.map((webhookId) => ({ body: { workspaceId, webhookId } })));
  } catch (error) {
    log("warn", "deliveries not queued; the ledger will tell again", {
      workspaceId,
      error: describeError(error),
    });
  }
}
