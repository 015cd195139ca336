import type { Deps } from "../domain/deps.ts";
import { deliverDue } from "../domain/webhooks/attempts.ts";
import { describeError, log } from "../lib/log.ts";
import type { DueDeliveries } from "../protocol/messages.ts";
import { readableMessages } from "./readable.ts";

/**
 * Starts a batch's deliveries without awaiting them, since one hanging receiver would delay all later messages. If a
 * run dies, its claims' leases end and the ledger's alarm enqueues the webhook again.
 */
export async function consumeDeliveries(
  batch: MessageBatch<unknown>,
  deps: Deps,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  for (const message of readableMessages(batch, isDueDeliveries)) {
    ctx.waitUntil(tryDeliver(deps, message.body, ctx));
    message.ack();
  }
}

async function tryDeliver(
  deps: Deps,
  due: DueDeliveries,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  try {
    await deliverDue(deps, due, (deliveries, failedDeliveries) =>
      deps.counter.count({ deliveries, failedDeliveries }, ctx),
    );
  } catch (error) {
    log("error", "deliveries not made; the ledger will enqueue them again", {
      workspaceId: due.workspaceId,
      webhookId: due.webhookId,
      error: describeError(error),
    });
  }
}

function isDueDeliveries(body: unknown): body is DueDeliveries {
  if (typeof body !== "object" || body === null) return false;
  const { workspaceId, webhookId } = body as Partial<DueDeliveries>;
  return typeof workspaceId === "string" && typeof webhookId === "string";
}
