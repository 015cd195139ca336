import type { LedgerOpening, LedgerOpeningQuery } from "../../contract/resources/operations/operations.ts";
import { describeError, log } from "../../lib/log.ts";
import { listWorkspaceIds } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { forwardEvents } from "../events/forwarding.ts";
import { callLedger } from "../ledger.ts";
import { parseCursor, toPage } from "../paging.ts";

/** Workspaces per request, so that it needs few of an invocation's subrequests. */
const workspacesPerRequest = 20;

const list = "ledgers";

/**
 * Has ledgers bring their tables up to date, workspace after workspace, and forwards what waits for them, so that an
 * older version finds nothing unknown. Safe to repeat.
 * @throws invalid_input for a cursor of another list
 */
export async function openLedgers(deps: Deps, { cursor }: LedgerOpeningQuery): Promise<LedgerOpening> {
  const rows = await listWorkspaceIds(deps.db, parseCursor(cursor, list), workspacesPerRequest + 1);
  const { items, nextCursor } = toPage(rows, workspacesPerRequest, list);
  const opened = await Promise.all(items.map(({ id }) => open(deps, id)));
  const failed = items.flatMap(({ id }, i) => (opened[i] === true ? [] : [id]));
  return { opened: items.length - failed.length, failed, nextCursor };
}

/** @returns false if the workspace's ledger fails */
async function open(deps: Deps, workspaceId: string): Promise<boolean> {
  try {
    // It does that when it starts, before any call.
    await callLedger(deps, workspaceId, (ledger) => ledger.storage());
    await forwardEvents(deps, workspaceId);
    return true;
  } catch (error) {
    log("warn", "ledger not opened", { workspaceId, error: describeError(error) });
    return false;
  }
}
