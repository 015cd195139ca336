import type { RouteRepair } from "../protocol/messages.ts";
import { routing } from "../domain/routing/timing.ts";
import type { Deps } from "../domain/deps.ts";
import { repairRoute } from "../domain/routing/publish.ts";
import { describeError, log } from "../lib/log.ts";
import { discard } from "./discard.ts";

/** Repairs the routes of a batch independently. Only a message whose repair failed is retried. */
export async function consumeRouteRepairs(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  await Promise.all(batch.messages.map((message) => consumeOne(message, batch.queue, deps)));
}

async function consumeOne(message: Message<unknown>, queue: string, deps: Deps): Promise<void> {
  const { body } = message;
  if (!isRouteRepair(body)) return discard(message, queue);
  try {
    if (await repairRoute(deps, body.key)) return message.ack();
  } catch (error) {
    log("error", "route not repaired", { key: body.key, error: describeError(error) });
  }
  // The publication is still pending in the catalogue, so the sweep will enqueue it again.
  if (message.attempts >= routing.repairTries) return message.ack();
  message.retry({ delaySeconds: routing.repairRetrySeconds });
}

function isRouteRepair(body: unknown): body is RouteRepair {
  return typeof body === "object" && body !== null && "key" in body && typeof body.key === "string";
}
