import { ledgerTimeout } from "../edge/scans/record.ts";
import { isQuotaUsedUp } from "../lib/daily-quota.ts";
import { describeError, log } from "../lib/log.ts";
import { TimeoutError, withTimeout } from "../lib/with-timeout.ts";
import { isFailureOfObject } from "../store/database-errors.ts";
import type { Deps } from "./deps.ts";

/**
 * Calls a workspace's ledger from work that serves several workspaces. The call continues after the timeout, so it must
 * be idempotent.
 * @throws if the ledger fails or doesn't respond in time
 */
export async function callLedger<T>(
  deps: Deps,
  workspaceId: string,
  call: (ledger: ReturnType<Deps["ledger"]>) => Promise<T>,
  milliseconds = ledgerTimeout,
): Promise<T> {
  return withTimeout(deps, milliseconds, () => call(deps.ledger(workspaceId)));
}

/** How long a page waits for figures that it can do without, milliseconds. */
const figuresTimeout = 3000;

/**
 * Returns figures of a ledger for a page that can be shown without them; null if the ledger fails or doesn't respond in
 * time.
 * @throws other errors of `read`
 */
export async function ifAvailable<T>(deps: Deps, read: () => Promise<T>): Promise<T | null> {
  try {
    return await withTimeout(deps, figuresTimeout, read);
  } catch (error) {
    if (!(error instanceof TimeoutError) && !isFailureOfObject(error) && !isQuotaUsedUp(error)) throw error;
    log("warn", "figures not read", { error: describeError(error) });
    return null;
  }
}

/**
 * Calls a method that the release before lacks, whose code an object may run for some minutes after an update.
 * @returns undefined if the object doesn't have it
 */
export async function ifKnown<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && error.message.includes("does not implement")) return undefined;
    throw error;
  }
}
