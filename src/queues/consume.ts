import type { Deps } from "../domain/deps.ts";
import { describeError, log } from "../lib/log.ts";
import { consumeBulk } from "./bulk.ts";
import { consumeDeadLetters } from "./dead-letters.ts";
import { consumeDeliveries } from "./deliveries.ts";
import { consumePrints } from "./prints.ts";
import { consumeRouteRepairs } from "./route-repairs.ts";
import { consumeScans } from "./scans.ts";

type Consumer = (
  batch: MessageBatch<unknown>,
  deps: Deps,
  ctx: Pick<ExecutionContext, "waitUntil">,
) => Promise<void>;

/** The consumers of the queues in wrangler.toml. */
const consumers: Readonly<Record<string, Consumer>> = {
  scans: consumeScans,
  "route-repairs": consumeRouteRepairs,
  bulk: consumeBulk,
  prints: consumePrints,
  deliveries: consumeDeliveries,
};

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

/** Finds the consumer by the end of the queue's name: an installation's queues have a prefix, such as qr-scans. */
async function dispatch(
  batch: MessageBatch<unknown>,
  deps: Deps,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  for (const [name, consumer] of Object.entries(consumers)) {
    const isOrEndsWith = (queue: string) => batch.queue === queue || batch.queue.endsWith(`-${queue}`);
    if (isOrEndsWith(name)) return consumer(batch, deps, ctx);
    if (isOrEndsWith(`${name}-dead`)) return consumeDeadLetters(batch, `${name}-dead`, deps);
  }
  throw new Error(`no consumer for queue ${batch.queue}`);
}
