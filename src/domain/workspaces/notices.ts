import { describeError, log } from "../../lib/log.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { LedgerNotices } from "../../protocol/workspace-ledger.ts";
import type { WaitingKey } from "../../store/waiting.ts";
import { findNoticed, type NoticedRows, shownLists } from "../../store/workspaces/notices.ts";
import type { Member, WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { countWaiting, type WaitingThing, waitingInLedger } from "./waiting.ts";

export { shownLists };

/** Problems of a workspace and news of the person that every page of the dashboard shows. Each list has only its first entries. */
export type WorkspaceNotices = Omit<NoticedRows, "waiting"> &
  Omit<LedgerNotices, "waiting"> & {
    /** Things that wait for a person. The limits of the plan are not among it. */
    readonly waiting: readonly WaitingThing[];
  };

/** Entries of each list. */
export const noticesListed = 3;

/** How many days before a key expires the notice appears. */
const expiryNoticeDays = 7;

/** How many days a passkey that was added is news. */
const passkeyNewsDays = 7;

/** How long a page waits for its notices. */
const milliseconds = 2000;

/** Returns the workspace's problems that its ledger knows about, and its time zone. */
export async function ledgerNotices(deps: Deps, { workspaceId }: WorkspaceContext): Promise<LedgerNotices> {
  return deps.ledger(workspaceId).notices(noticesListed);
}

/**
 * Returns the workspace's problems, with one call of the catalogue, a second one if what waits has changed, and one of
 * the ledger. Null if either doesn't respond.
 */
export async function workspaceNotices(
  deps: Deps,
  context: Member,
  reading: Promise<LedgerNotices>,
): Promise<WorkspaceNotices | null> {
  const { workspaceId, sessionId, userId } = context;
  const { scanOrigin } = deps.settings;
  const now = deps.now();
  try {
    return await withTimeout(deps, milliseconds, async () => {
      const [rows, ledger] = await Promise.all([
        findNoticed(deps.db, workspaceId, sessionId ?? "", {
          since: now - (now % dayLength),
          now,
          soon: now + expiryNoticeDays * dayLength,
          news: now - passkeyNewsDays * dayLength,
          userId,
          limit: noticesListed,
          scanOrigin,
        }),
        reading,
      ]);
      const stored: readonly WaitingKey[] = rows.waiting ?? (await countWaiting(deps, workspaceId));
      return { ...rows, ...ledger, waiting: [...stored, ...waitingInLedger(ledger)] };
    });
  } catch (error) {
    log("warn", "notices not read", { workspaceId, error: describeError(error) });
    return null;
  }
}
