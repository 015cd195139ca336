import type { Webhook } from "../../contract/resources/webhooks/webhooks.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import {
  clearPendingRevocation,
  type KeyId,
  listKeys,
  listPredecessors,
  revokeKey as storeRevocation,
  takePendingRevocations,
} from "../../store/identity/keys.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { notFound, ServiceError } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { listWebhooksOfKeys, pauseWebhooksOfKeys } from "../webhooks/keys.ts";

/** How long to wait for a meter to record a revocation. */
const meterMilliseconds = 2000;

/** How many revocations one sweep completes. */
export const revocationsPerSweep = 100;

/** Returns the active webhooks that a key, or one that it was rotated from, created or redirected. */
export async function listWebhooksOfKey(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<Webhook[]> {
  requirePermission(context, "keys");
  return listWebhooksOfKeys(deps, context, await listPredecessors(deps.db, context.workspaceId, id));
}

/**
 * Revokes a key immediately and everywhere: its meter refuses it even where an isolate has it cached. Repeating the
 * request, or the sweep, completes a revocation that did not reach the meter.
 * @param pausesWebhooks also pauses the webhooks that it created or redirected
 * @throws not_found, also if the revocation is complete; internal if the meter or the webhooks could not be reached
 */
export async function revokeKey(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  pausesWebhooks = false,
): Promise<{ success: true }> {
  requirePermission(context, "keys");
  const key = { workspaceId: context.workspaceId, id };
  const known = (await listKeys(deps.db, context.workspaceId)).find((each) => each.id === id);
  const entry = known && newEntry(deps, context, "key.revoked", { ...known, changes: {} });
  if (!(await storeRevocation(deps.db, key, deps.now(), entry))) throw notFound("Key");
  const isComplete = await completeRevocation(deps, key);
  if (pausesWebhooks) await pauseWebhooksOfKey(deps, context, id);
  if (isComplete) return { success: true };
  throw new ServiceError(
    "internal",
    "The key is revoked, but locations that have just used it may accept it for a few more seconds. Repeat the request to make sure.",
  );
}

/** @throws internal if that failed, since the key is revoked by then */
async function pauseWebhooksOfKey(deps: Deps, context: WorkspaceContext, id: string): Promise<void> {
  try {
    const ids = await listPredecessors(deps.db, context.workspaceId, id);
    await pauseWebhooksOfKeys(deps, context, ids);
  } catch (error) {
    log("error", "webhooks of a revoked key not paused", { keyId: id, error: describeError(error) });
    throw new ServiceError(
      "internal",
      "The key is revoked, but its webhooks could not all be paused. Pause them under Developer, Webhooks.",
    );
  }
}

/** Completes revocations that did not reach the key's meter. */
export async function completePendingRevocations(deps: Deps): Promise<void> {
  const keys = await takePendingRevocations(deps.db, deps.now(), revocationsPerSweep);
  await Promise.all(keys.map((key) => completeRevocation(deps, key)));
}

/** @returns whether the key's meter refuses it and the mark is removed */
export async function completeRevocation(deps: Deps, key: KeyId): Promise<boolean> {
  try {
    await withTimeout(deps, meterMilliseconds, () => deps.meter(key.id).revoke());
    await clearPendingRevocation(deps.db, key);
    return true;
  } catch (error) {
    log("error", "key's meter not reached; the sweep will retry", {
      keyId: key.id,
      error: describeError(error),
    });
    return false;
  }
}
