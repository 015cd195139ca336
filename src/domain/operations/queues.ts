import type { Deps } from "../deps.ts";

/** The queues by name. The dead-letter queue of `scans` is `scans-dead`, and so on. */
export const queuesOf = (deps: Deps): Readonly<Record<string, Queue>> => ({
  scans: deps.scanQueue,
  bulk: deps.bulkQueue,
  prints: deps.printQueue,
  deliveries: deps.deliveryQueue,
  "route-repairs": deps.routeRepairQueue,
});

/** How long a new message may wait on its queue. Retried ones may be older. */
const backlogMilliseconds = 15 * 60_000;

/** The messages that wait on a queue. */
interface Backlog {
  readonly count: number;
  /** How long the oldest of them has waited, in milliseconds. */
  readonly waiting: number;
  readonly isLate: boolean;
}

/** Asks a queue for its messages. @throws if it doesn't answer */
export async function backlogOf({ now }: Deps, queue: Queue): Promise<Backlog> {
  const { backlogCount: count, oldestMessageTimestamp: oldest } = await queue.metrics();
  const waiting = now() - (oldest?.getTime() ?? now());
  return { count, waiting, isLate: count > 0 && waiting >= backlogMilliseconds };
}

/** Returns the queue whose messages a dead-letter queue receives. */
export const sourceOf = (deadLetterQueue: string): string => deadLetterQueue.replace(/-dead$/, "");
