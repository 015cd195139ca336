import { describeError, log } from "../../lib/log.ts";
import { idFromHex, idsFrom } from "../../lib/text/ids.ts";
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

/** A page of events, which one call of the ledger takes: events, and characters of their data as JSON. */
const page = { events: 500, characters: 2_000_000 };

/** Pages that are forwarded at once. Each takes four subrequests, and an invocation has at least 1000. */
const maxPages = 100;

/**
 * Forwards a workspace's events from the outbox to its ledger, which turns them into deliveries. The sweep forwards
 * those that exceed `pages`.
 * @param pages at most
 * @returns how many pages were read
 */
export async function forwardEvents(deps: Deps, workspaceId: string, pages = maxPages): Promise<number> {
  for (let read = 1; read <= pages; read += 1) {
    const { events, more } = await readOutbox(deps.db, workspaceId, page);
    if (events.length === 0) return read;
    const webhookIds = await deps.ledger(workspaceId).emit(events, deps.now());
    await enqueueDeliveries(deps, workspaceId, webhookIds);
    await clearOutbox(
      deps.db,
      workspaceId,
      events.map(({ id }) => id),
    );
    if (!more) return read;
  }
  return pages;
}

/** Forwards a workspace's events. If the ledger fails, the sweep does it later. */
export async function tryToForwardEvents(deps: Deps, workspaceId: string): Promise<void> {
  try {
    await forwardEvents(deps, workspaceId);
  } catch (error) {
    log("error", "events not forwarded; the sweep will retry", { workspaceId, error: describeError(error) });
  }
}

/** An event older than this was not forwarded by its own request, milliseconds. */
const strandedAfter = 30_000;
/** Events that one sweep reads to find their workspaces, and pages that it forwards, with room for its other tasks. */
const sweepLimits = { events: 1000, pages: 80 };

/** Forwards events that a crash left in the outbox. The next sweep takes the rest. */
export async function forwardStrandedEvents(deps: Deps): Promise<void> {
  const before = idFromHex(idsFrom(deps.now() - strandedAfter));
  let pages = sweepLimits.pages;
  for (const workspaceId of await workspacesWithOutbox(deps.db, before, sweepLimits.events)) {
    if (pages <= 0) return;
    log("warn", "stranded events forwarded", { workspaceId });
    pages -= await forwardEvents(deps, workspaceId, pages);
  }
}
