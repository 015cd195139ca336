import { describeError, log } from "../../lib/log.ts";
import { idAt } from "../../lib/text/ids.ts";
import type { Received } from "../../protocol/workspace-ledger.ts";
import { clearEvents, endForwarding, strandedWorkspaces, leasePendingEvents } from "../../store/events.ts";
import type { Deps } from "../deps.ts";
import { perIsolate } from "../isolate-memory.ts";
import { callLedger, ifKnown, ledgerTimeout } from "../ledger.ts";
import { enqueueDeliveries } from "./enqueue.ts";

/** Workspaces with events that this isolate has stored in the outbox but not forwarded. */
const unforwarded = perIsolate(() => new Set<string>());

/** Records that an event is in the outbox, to be forwarded at the end of the request. */
export function markPendingEvents(deps: Deps, workspaceId: string): void {
  unforwarded(deps).add(workspaceId);
}

/** Returns whether the workspace has events to forward, and resets that. The caller must forward them. */
export const takePendingEvents = (deps: Deps, workspaceId: string): boolean =>
  unforwarded(deps).delete(workspaceId);

/** How many rows of the outbox one call of the ledger takes. */
const pageRows = 500;

/** How much one caller forwards. */
interface Share {
  /** Pages. Each takes four subrequests, and an invocation has at least 1,000. */
  readonly pages: number;
  /** Characters per page, as JSON. */
  readonly characters: number;
}

/** The share of a caller that forwards the events of one workspace. */
const wholeShare: Share = { pages: 100, characters: 2_000_000 };

/**
 * How long a forwarder has exclusive use of a workspace, milliseconds; each page extends it. Then another can take
 * over, in case it died. Longer than the ledger may take.
 */
const leaseMilliseconds = ledgerTimeout + 7000;

/**
 * Forwards a workspace's events from the outbox to its ledger, which turns them into deliveries, and its history. In the
 * whole system, one caller at a time forwards a workspace's events. It also forwards those that others have stored; if it dies, the
 * sweep does, as with events beyond the share.
 * @returns how many events were forwarded; 0 while another caller does it
 * @throws if the ledger fails or doesn't respond in time
 */
export async function forwardEvents(deps: Deps, workspaceId: string, share = wholeShare): Promise<number> {
  const lease = { workspaceId, holder: crypto.randomUUID() };
  const limit = { rows: pageRows, characters: share.characters };
  let forwarded = 0;
  try {
    for (let pages = 0; pages < share.pages; pages += 1) {
      const now = deps.now();
      const times = { now, until: now + leaseMilliseconds };
      const { ids, ...received } = await leasePendingEvents(deps.db, lease, times, limit);
      if (ids.length === 0) return forwarded;
      const webhookIds = await callLedger(deps, workspaceId, (ledger) =>
        ifKnown(ledger.receive(received, deps.now())),
      );
      if (webhookIds === undefined) {
        await emitOnly(deps, workspaceId, received.events);
        break;
      }
      await enqueueDeliveries(deps, workspaceId, webhookIds);
      const ended = await clearEvents(deps.db, lease, ids);
      forwarded += received.events.length;
      if (ended) return forwarded;
    }
  } catch (error) {
    await stopForwarding(deps, lease);
    throw error;
  }
  await stopForwarding(deps, lease);
  return forwarded;
}

/** Has a ledger of 1.0.0 deliver events. They stay in the outbox with the history, which it doesn't know, for its successor. */
async function emitOnly(deps: Deps, workspaceId: string, events: Received["events"]): Promise<void> {
  const webhookIds = await callLedger(deps, workspaceId, (ledger) => ledger.emit(events, deps.now()));
  await enqueueDeliveries(deps, workspaceId, webhookIds);
}

/** Leaves a workspace's events to the next caller. If that can't be stored, the lease expires. */
async function stopForwarding(deps: Deps, lease: Parameters<typeof endForwarding>[1]): Promise<void> {
  try {
    await endForwarding(deps.db, lease, deps.now());
  } catch (error) {
    const { workspaceId } = lease;
    log("warn", "forwarding of events not ended", { workspaceId, error: describeError(error) });
  }
}

/** Forwards a workspace's events. If that fails, the sweep does it later. @returns how many were forwarded */
export async function tryForwardEvents(deps: Deps, workspaceId: string, share = wholeShare): Promise<number> {
  try {
    return await forwardEvents(deps, workspaceId, share);
  } catch (error) {
    log("error", "events not forwarded; the sweep will retry", { workspaceId, error: describeError(error) });
    return 0;
  }
}

/** An event older than this, in milliseconds, was not forwarded by its own request. History alone waits for the sweep. */
const strandedAfter = 30_000;

/**
 * The most that one sweep forwards, shared equally among its workspaces: pages, so that its other tasks have
 * subrequests left, and characters in memory at a time.
 */
const sweepTotal: Share = { pages: 80, characters: 8_000_000 };

/**
 * Forwards history, and events that a crash left in the outbox, for all workspaces in parallel, so that a failing or hanging ledger
 * doesn't delay the others. The next sweep continues with the rest.
 */
export async function forwardStrandedEvents(deps: Deps): Promise<void> {
  const now = deps.now();
  const before = idAt(now - strandedAfter);
  const workspaceIds = await strandedWorkspaces(deps.db, before, now, sweepTotal.pages);
  const share = {
    pages: Math.floor(sweepTotal.pages / workspaceIds.length),
    characters: Math.min(wholeShare.characters, sweepTotal.characters / workspaceIds.length),
  };
  await Promise.all(
    workspaceIds.map(async (workspaceId) => {
      const events = await tryForwardEvents(deps, workspaceId, share);
      if (events > 0) log("warn", "stranded events forwarded", { workspaceId, events });
    }),
  );
}
