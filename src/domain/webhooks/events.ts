import type { ServiceEvent } from "../../protocol/events.ts";
import type { Deps } from "../deps.ts";
import { idFromHex, idsFrom } from "../../lib/text/ids.ts";
import { log } from "../../lib/log.ts";
import { clearOutbox, readOutbox, workspacesWithOutbox } from "../../store/events.ts";
import { tellDue } from "./enqueue.ts";

/** Events that are handed on at once. */
const page = 500;

/** Hands a workspace's events from the outbox to its ledger, which turns them into deliveries. */
export async function forwardEvents(deps: Deps, workspaceId: string): Promise<void> {
  for (let events: ServiceEvent[] | undefined; events === undefined || events.length === page; ) {
    events = await readOutbox(deps.db, workspaceId, page);
    if (events.length === 0) return;
    await tellDue(deps, workspaceId, await deps.ledger(workspaceId).emit(events, deps.now()));
    await clearOutbox(
      deps.db,
      workspaceId,
      events.map(({ id }) => id),
    );
  }
}

/** How long an event may wait for its own request to hand it on, milliseconds, and events one sweep looks at. */
const patience = 30_000;
const swept = 1000;

/** Hands on what a crash left in the outbox. */
export async function forwardLeftEvents(deps: Deps): Promise<void> {
  const before = idFromHex(idsFrom(deps.now() - patience));
  for (const workspaceId of await workspacesWithOutbox(deps.db, before, swept)) {
    log("warn", "events taken up by the sweep", { workspaceId });
    await forwardEvents(deps, workspaceId);
  }
}
