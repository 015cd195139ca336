import { log } from "../../lib/log.ts";
import { idFromHex, idsFrom } from "../../lib/text/ids.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import { clearOutbox, readOutbox, workspacesWithOutbox } from "../../store/events.ts";
import type { Deps } from "../deps.ts";
import { perIsolate } from "../isolate-memory.ts";
import { enqueueDeliveries } from "./enqueue.ts";

/** Workspaces with events that this isolate has stored in the outbox and not forwarded. */
const unforwarded = perIsolate(() => new Set<string>());

/** Notes that an event was stored in the outbox, for the end of the request to forward it. */
export function markUnforwarded(deps: Deps, workspaceId: string): void {
  unforwarded(deps).add(workspaceId);
}

/** Whether the workspace has events to forward. The caller must forward them; the next call answers false. */
export const takeUnforwarded = (deps: Deps, workspaceId: string): boolean =>
  unforwarded(deps).delete(workspaceId);

/** Events forwarded in one call of the ledger. */
const pageSize = 500;

/** Forwards a workspace's events from the outbox to its ledger, which turns them into deliveries. */
export async function forwardEvents(deps: Deps, workspaceId: string): Promise<void> {
  let events: ServiceEvent[];
  do {
    events = await readOutbox(deps.db, workspaceId, pageSize);
    if (events.length === 0) return;
    const webhookIds = await deps.ledger(workspaceId).emit(events, deps.now());
    await enqueueDeliveries(deps, workspaceId, webhookIds);
    await clearOutbox(
      deps.db,
      workspaceId,
      events.map(({ id }) => id),
    );
  } while (events.length === pageSize);
}

/** An event older than this was not forwarded by its own request, milliseconds. */
const strandedAfter = 30_000;
/** Events that one sweep reads to find their workspaces. */
const sweepSize = 1000;

/** Forwards events that a crash left in the outbox. */
export async function forwardStrandedEvents(deps: Deps): Promise<void> {
  const before = idFromHex(idsFrom(deps.now() - strandedAfter));
  for (const workspaceId of await workspacesWithOutbox(deps.db, before, sweepSize)) {
    log("warn", "stranded events forwarded", { workspaceId });
    await forwardEvents(deps, workspaceId);
  }
}
