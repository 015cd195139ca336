import { enqueueDeliveries } from "../../edge/scans/enqueue.ts";
import { ledgerTimeout } from "../../edge/scans/record.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { idAt } from "../../lib/text/ids.ts";
import type { Received } from "../../protocol/workspace-ledger.ts";
import {
  clearEvents,
  countWaitingBytes,
  endForwarding,
  isForwarded,
  leasePendingEvents,
  strandedWorkspaces,
} from "../../store/events.ts";
import { mayHaveWebhooks } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { callLedger, ifKnown } from "../ledger.ts";

/** How many rows of the outbox one call of the ledger takes. */
const pageRows = 500;

/** How much one caller forwards. */
interface ForwardLimit {
  /** Pages. Each takes four subrequests and the last one five, and an invocation has at least 1,000. */
  readonly pages: number;
  /** Characters per page, as JSON. */
  readonly characters: number;
  /** How long the ledger may take for a page, milliseconds. */
  readonly milliseconds: number;
  /** Where there are no events, history with this id or a higher one is left to those who store it. */
  readonly before?: string;
}

/** The limit of a caller that forwards the events of one workspace. */
const wholeLimit: ForwardLimit = { pages: 100, characters: 2_000_000, milliseconds: ledgerTimeout };

/** The limit of a caller that reads the history next, and shouldn't have to wait. */
const readersLimit: ForwardLimit = { pages: 2, characters: 500_000, milliseconds: 200 };

/**
 * How long a forwarder has exclusive use of a workspace, milliseconds; each page extends it. Then another can take
 * over, in case it died. Longer than the ledger may take.
 */
const leaseMilliseconds = ledgerTimeout + 7000;

/**
 * Forwards a workspace's events from the outbox to its ledger, which turns them into deliveries, and its history. In the
 * whole system, one caller at a time forwards a workspace's events. It also forwards those that others have stored; if it dies, the
 * sweep does, as with events beyond the limit.
 * @returns how many events were forwarded; 0 while another caller does it
 * @throws if the ledger fails or doesn't respond in time
 */
export const forwardEvents = async (deps: Deps, workspaceId: string, limit = wholeLimit): Promise<number> =>
  (await forwardUpTo(deps, workspaceId, limit)).events;

interface Forwarded {
  readonly events: number;
  /** Whether some is left, beyond the limit. */
  readonly isRest: boolean;
  /** Whether another caller may be forwarding: this one found nothing that it could take. */
  readonly mayBeHeld?: boolean;
}

async function forwardUpTo(deps: Deps, workspaceId: string, most: ForwardLimit): Promise<Forwarded> {
  const lease = { workspaceId, holder: crypto.randomUUID() };
  const limit = { rows: pageRows, characters: most.characters };
  let events = 0;
  try {
    for (let pages = 0; pages < most.pages; pages += 1) {
      const now = deps.now();
      const times = { now, until: now + leaseMilliseconds };
      const before = pages > 0 && events === 0 ? most.before : undefined;
      const { ids, ...received } = await leasePendingEvents(deps.db, lease, times, { ...limit, before });
      if (ids.length === 0) {
        if (before !== undefined) break;
        return { events, isRest: false, mayBeHeld: pages === 0 };
      }
      const webhookIds = await callLedger(
        deps,
        workspaceId,
        (ledger) => ifKnown(ledger.receive(received, deps.now())),
        most.milliseconds,
      );
      if (webhookIds === undefined) {
        await emitOnly(deps, workspaceId, received.events);
        break;
      }
      await enqueueDeliveries(deps, workspaceId, webhookIds);
      const ended = await clearEvents(deps.db, lease, ids);
      events += received.events.length;
      if (ended) return { events, isRest: false };
    }
  } catch (error) {
    await stopForwarding(deps, lease);
    throw error;
  }
  await stopForwarding(deps, lease);
  return { events, isRest: true };
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

/** Forwards a workspace's events and history. If that fails, the sweep does it later. */
export const tryForwardEvents = async (deps: Deps, workspaceId: string): Promise<void> =>
  void (await tryForwardUpTo(deps, workspaceId, wholeLimit));

/**
 * The least time between two times that an isolate forwards the history of a workspace without webhooks, milliseconds. Its
 * readers needn't wait for that, since they forward it first.
 */
const restMilliseconds = 1000;

/** When an isolate forwarded a workspace's history last, epoch milliseconds, and whether a request waits to do so again. */
interface Turn {
  readonly at: number;
  isWaiting: boolean;
}

const turnsOf = perIsolate(() => new BoundedMap<string, Turn>(1000));

/**
 * Forwards what a change has stored: events for webhooks at once, history alone at most once a second, by one of the
 * requests that have changes for it. If that one dies, the next one or the sweep does it.
 */
export async function forwardInTurn(deps: Deps, workspaceId: string): Promise<void> {
  const turns = turnsOf(deps);
  const last = turns.get(workspaceId);
  const rest = last === undefined ? 0 : last.at + restMilliseconds - deps.now();
  if (last !== undefined && rest > 0) {
    // None waits where there are webhooks.
    if (last.isWaiting) return;
    last.isWaiting = true;
    if (!(await hasWebhooks(deps, workspaceId))) await deps.pause(rest);
  }
  turns.set(workspaceId, { at: deps.now(), isWaiting: false });
  await forwardOwn(deps, workspaceId);
}

/** How often a caller tries again while another one forwards, which may leave its history. */
const mostTurns = 5;

/**
 * Forwards what is stored by now. Others forward history that they store afterwards, so that a job isn't slowed down by
 * the request that began it.
 */
async function forwardOwn(deps: Deps, workspaceId: string): Promise<void> {
  const before = idAt(deps.now() + 1);
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const forwarded = await tryForwardUpTo(deps, workspaceId, { ...wholeLimit, before });
    if (forwarded?.mayBeHeld !== true || (await isForwarded(deps.db, workspaceId, before))) return;
    await deps.pause(restMilliseconds);
  }
}

/** Supposes that it has some where that can't be read. */
const hasWebhooks = (deps: Deps, workspaceId: string): Promise<boolean> =>
  mayHaveWebhooks(deps.db, workspaceId).catch(() => true);

/** @returns undefined if that failed */
async function tryForwardUpTo(
  deps: Deps,
  workspaceId: string,
  limit: ForwardLimit,
): Promise<Forwarded | undefined> {
  try {
    return await forwardUpTo(deps, workspaceId, limit);
  } catch (error) {
    log("error", "events not forwarded; the sweep will retry", { workspaceId, error: describeError(error) });
    return undefined;
  }
}

/** How often a reader looks whether another caller has forwarded the history, and the pause in between, milliseconds. */
const looks = { most: 10, pause: 20 };

/**
 * Forwards a workspace's history before it is read, so that readers only need the ledger.
 * @returns whether all that was recorded before has arrived; false if it is too much, another caller takes too long, or
 * the ledger fails
 */
export async function forwardHistory(deps: Deps, workspaceId: string): Promise<boolean> {
  const before = idAt(deps.now() + 1);
  for (let look = 0; look < looks.most; look += 1) {
    if (await isForwarded(deps.db, workspaceId, before)) return true;
    if (look > 0) await deps.pause(looks.pause);
    const forwarded = await tryForwardUpTo(deps, workspaceId, readersLimit);
    if (forwarded === undefined || forwarded.isRest) break;
  }
  return isForwarded(deps.db, workspaceId, before);
}

/** A row older than this, in milliseconds, was not forwarded by its own request. */
const strandedAfter = 30_000;

/**
 * The bounds of one sweep: its time, milliseconds; pages in all, so that its other tasks have subrequests left;
 * workspaces at a time, most of which may have a ledger that hangs; and characters of a page, for the memory of all.
 */
const sweepTotal = { milliseconds: 20_000, pages: 120, atOnce: 40, characters: 200_000 };

/**
 * Forwards what a crash, a failing ledger or a change without a request left in the outbox: the oldest first, a page of
 * each workspace by turns, until the time is used up. The next sweep continues with those that have waited longest.
 */
export async function forwardStrandedEvents(deps: Deps): Promise<void> {
  const now = deps.now();
  const waiting = await strandedWorkspaces(deps.db, idAt(now - strandedAfter), now, sweepTotal.pages);
  const ends = now + sweepTotal.milliseconds;
  const limit = { pages: 1, characters: sweepTotal.characters, milliseconds: ledgerTimeout };
  const stranded = new Map<string, number>();
  let pages = 0;
  const forwardByTurns = async () => {
    while (pages < sweepTotal.pages && deps.now() < ends) {
      const workspaceId = waiting.shift();
      if (workspaceId === undefined) return;
      pages += 1;
      const { events = 0, isRest } = (await tryForwardUpTo(deps, workspaceId, limit)) ?? {};
      if (events > 0) stranded.set(workspaceId, (stranded.get(workspaceId) ?? 0) + events);
      if (isRest) waiting.push(workspaceId);
    }
  };
  await Promise.all(Array.from({ length: sweepTotal.atOnce }, forwardByTurns));
  for (const [workspaceId, events] of stranded) {
    log("warn", "stranded events forwarded", { workspaceId, events });
  }
}

/**
 * Counts what waits, by which changes are stored without values or refused. The count is up to 90 s old: a trigger that
 * counted each row would write one more whenever a change comes or goes.
 */
export const countWaiting = (deps: Deps): Promise<void> =>
  countWaitingBytes(deps.db, idAt(deps.now() - strandedAfter));
