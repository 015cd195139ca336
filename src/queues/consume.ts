import type { Deps } from "../domain/deps.ts";
import { consumeBulk } from "./bulk.ts";
import { consumeDeliveries } from "./deliveries.ts";
import { consumeDeadLetters } from "./dead-letters.ts";
import { consumeRouteRepairs } from "./route-repairs.ts";
import { consumeScans } from "./scans.ts";

/** Dispatches a batch to its queue's consumer. */
export async function consume(
  batch: MessageBatch<unknown>,
  deps: Deps,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  switch (batch.queue) {
    case "scans":
      return consumeScans(batch, deps);
    case "route-repairs":
      return consumeRouteRepairs(batch, deps);
    case "bulk":
      return consumeBulk(batch, deps);
    case "deliveries":
      return consumeDeliveries(batch, deps, ctx);
    case "bulk-dead":
    case "deliveries-dead":
    case "scans-dead":
    case "route-repairs-dead":
      return consumeDeadLetters(batch, deps);
    default:
      throw new Error(`no consumer for queue ${batch.queue}`);
  }
}
