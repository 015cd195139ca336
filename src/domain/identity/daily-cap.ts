import { limits } from "../../contract/limits.ts";
import type { ApiKey } from "../../contract/resources/identity/keys.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { isUniqueViolation } from "../../store/database-errors.ts";
import { markKeyCapped } from "../../store/identity/keys.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import type { Caller, WorkspaceContext } from "../context/context.ts";
import { usesPublishableKey } from "../context/permissions.ts";

const { cap, notice } = limits.keyCreations;

/** How long the list of keys waits for a meter. */
const meterMilliseconds = 2000;

/**
 * Creates a code within the daily cap of the caller's publishable key; other callers have no cap. The key's meter
 * counts before the creation, so that concurrent requests can't exceed the cap. The count is taken back if the creation
 * is refused, but not if it fails otherwise, because the code may have been stored.
 * @throws plan_limit (403) at the cap, and errors of `create`
 */
export async function countAgainstDailyCap<T>(
  deps: Deps,
  context: WorkspaceContext,
  create: () => Promise<T>,
): Promise<T> {
  if (!usesPublishableKey(context)) return create();
  const now = deps.now();
  const count = await deps.meter(context.keyId).takeCreation(now, cap);
  if (count === null) {
    await markCapped(deps, context, now);
    throw dailyCapError();
  }
  try {
    const created = await create();
    if (count === notice) {
      const { workspaceId, keyId } = context;
      log("warn", "key close to its daily cap", { workspaceId, keyId, count, cap });
    }
    return created;
  } catch (error) {
    const isRefused = error instanceof ServiceError || isUniqueViolation(error, "idempotency_records.key");
    if (isRefused) await uncount(deps, context, now);
    throw error;
  }
}

/** Stores that the key is at its cap, for the notice in the dashboard. */
async function markCapped(deps: Deps, { workspaceId, keyId }: Caller, now: number): Promise<void> {
  try {
    await markKeyCapped(deps.db, { workspaceId, id: keyId }, { at: now, since: now - (now % dayLength) });
  } catch (error) {
    log("warn", "daily cap of a key not recorded", { keyId, error: describeError(error) });
  }
}

const dailyCapError = () =>
  new ServiceError(
    "plan_limit",
    `A publishable key can create ${cap} QR codes a day. Try again after midnight UTC, or use a secret key on your server.`,
    { status: 403 },
  );

async function uncount(deps: Deps, { keyId }: Caller, now: number): Promise<void> {
  try {
    await deps.meter(keyId).returnCreation(now);
  } catch (error) {
    log("warn", "refused creation stays counted", { keyId, error: describeError(error) });
  }
}

/** Returns the key, with the day's creations if it is publishable. The count is null if its meter can't be reached. */
export async function withCreationsToday<Key extends ApiKey>(deps: Deps, key: Key): Promise<Key> {
  if (key.type !== "publishable") return key;
  const read = () => deps.meter(key.id).creations(deps.now());
  try {
    return { ...key, creationsToday: { count: await withTimeout(deps, meterMilliseconds, read), cap } };
  } catch (error) {
    log("warn", "key's creations not read", { keyId: key.id, error: describeError(error) });
    return { ...key, creationsToday: { count: null, cap } };
  }
}
