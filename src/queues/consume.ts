import type { Deps } from "../domain/deps.ts";
import { consumeBulk } from "./bulk.ts";
import { consumeDeliveries } from "./deliveries.ts";
import { consumeDeadLetters } from "./dead-letters.ts";
import { consumePrints } from "./prints.ts";
import { consumeRouteRepairs } from "./route-repairs.ts";
import { consumeScans } from "./scans.ts";
import { describeError, log } from "../lib/log.ts";

/** Consumes a batch of a queue. If the consumer fails, the messages that it has not acknowledged are retried. */
export async function consume(
  batch: MessageBatch<unknown>,
  deps: Deps,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  try {
    await dispatch(batch, deps, ctx);
  } catch (error) {
    // Logged here, because the runtime would log the error with the values of its query.
    log("error", "queue batch failed", { queue: batch.queue, error: describeError(error) });
    batch.retryAll();
  }
}

async function dispatch(
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
      return consumeBulk(batch, deps, ctx);
    case "prints":
      return consumePrints(batch, deps);
    case "deliveries":
      return consumeDeliveries(batch, deps, ctx);
    case "bulk-dead":
    case "prints-dead":
    case "deliveries-dead":
    case "scans-dead":
    case "route-repairs-dead":
      return consumeDeadLetters(batch, deps);
    default:
      throw new Error(`no consumer for queue ${batch.queue}`);
  }
}
