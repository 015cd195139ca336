import type { Deps } from "../domain/deps.ts";
import { type Repair, repairRoutes } from "../domain/routing/repair.ts";
import { askWhetherRefusing } from "../edge/routing/cache-writes.ts";
import { routing } from "../edge/routing/timing.ts";
import { describeError, log } from "../lib/log.ts";
import type { RouteRepair } from "../protocol/messages.ts";
import { readableMessages } from "./readable.ts";

/** Repairs a batch's routes together. Only messages whose repair failed are retried. */
export async function consumeRouteRepairs(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  const messages = readableMessages(batch, isRouteRepair);
  const repairs = await repair(
    deps,
    messages.map(({ body }) => body),
  );
  // If only the route cache lacks a key, because it refuses all writes, the sweep takes care of it.
  const isLeft = [...repairs.values()].includes("uncached") && (await askWhetherRefusing(deps));
  for (const message of messages) {
    const repaired = repairs.get(message.body.key);
    if (repaired === "published" || (repaired === "uncached" && isLeft)) message.ack();
    // The publication is still pending in the catalogue, so the sweep will enqueue it again.
    else if (message.attempts >= routing.repairTries) message.ack();
    else message.retry({ delaySeconds: routing.repairRetrySeconds });
  }
}

async function repair(deps: Deps, repairs: readonly RouteRepair[]): Promise<ReadonlyMap<string, Repair>> {
  try {
    return await repairRoutes(deps, repairs);
  } catch (error) {
    const keys = repairs.map(({ key }) => key);
    log("error", "routes not repaired", { keys, error: describeError(error) });
    return new Map();
  }
}

function isRouteRepair(body: unknown): body is RouteRepair {
  return typeof body === "object" && body !== null && "key" in body && typeof body.key === "string";
}
