import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import {
  clearPendingRevocation,
  type KeyId,
  revokeKey as storeRevocation,
  takePendingRevocations,
} from "../../store/identity/keys.ts";
import type { Deps } from "../deps.ts";
import { notFound, ServiceError } from "../errors.ts";
import type { WorkspaceContext } from "./caller.ts";

/** How long a meter may take to learn of a revocation. */
const meterMilliseconds = 2000;

/** Revocations completed in one sweep at most. */
export const revocationsPerSweep = 100;

/**
 * Revokes a key at once and everywhere: its meter refuses it even where an isolate still remembers it. Repeating it
 * completes a revocation that did not reach the meter; so does the sweep.
 * @throws not_found, also for a key whose revocation is complete; internal if the meter could not be reached
 */
export async function revokeKey(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ success: true }> {
  const key = { workspaceId: context.workspaceId, id };
  if (!(await storeRevocation(deps.db, key, deps.now()))) throw notFound("Key");
  if (await completeRevocation(deps, key)) return { success: true };
  throw new ServiceError(
    "internal",
    "The key is revoked, but may still be accepted for a few seconds where it was just used. Repeat the request to make sure.",
  );
}

/** Completes revocations that did not reach the key's meter. */
export async function completePendingRevocations(deps: Deps): Promise<void> {
  const keys = await takePendingRevocations(deps.db, deps.now(), revocationsPerSweep);
  await Promise.all(keys.map((key) => completeRevocation(deps, key)));
}

/** @returns whether the key's meter refuses it, and the mark is removed */
async function completeRevocation(deps: Deps, key: KeyId): Promise<boolean> {
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
