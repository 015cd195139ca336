import { withTimeout } from "../lib/with-timeout.ts";
import type { Deps } from "./deps.ts";

/**
 * How long work for many workspaces waits for one workspace's ledger, milliseconds. A ledger records the largest batch
 * of scans in a fraction of it.
 */
export const ledgerTimeout = 8000;

/**
 * Calls a workspace's ledger from work that serves several workspaces. The call continues after the timeout, so it must
 * be idempotent.
 * @throws if the ledger fails or doesn't respond in time
 */
export async function callLedger<T>(
  deps: Deps,
  workspaceId: string,
  call: (ledger: ReturnType<Deps["ledger"]>) => Promise<T>,
): Promise<T> {
  return withTimeout(deps, ledgerTimeout, () => call(deps.ledger(workspaceId)));
}
