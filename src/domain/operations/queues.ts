import type { Deps } from "../deps.ts";

/** The queues by name. The dead-letter queue of `scans` is `scans-dead`, and so on. */
export const queuesOf = (deps: Deps): Readonly<Record<string, Queue>> => ({
  scans: deps.scanQueue,
  bulk: deps.bulkQueue,
  prints: deps.printQueue,
  deliveries: deps.deliveryQueue,
  "route-repairs": deps.routeRepairQueue,
});

/** Returns the queue whose messages a dead-letter queue receives. */
export const sourceOf = (deadLetterQueue: string): string => deadLetterQueue.replace(/-dead$/, "");
