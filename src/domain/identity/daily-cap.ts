import { limits } from "../../contract/limits.ts";
import type { ApiKey } from "../../contract/resources/identity/keys.ts";
import { visitorKey } from "../../edge/scans/visitor-key.ts";
import { hmac } from "../../lib/crypto/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { networksOf } from "../../lib/web/network.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { isUniqueViolation } from "../../store/database-errors.ts";
import { markKeyCapped } from "../../store/identity/keys.ts";
import { creationsToday, findWorkspace } from "../../store/workspaces/workspaces.ts";
import type { Caller, WorkspaceContext } from "../context/context.ts";
import { usesPublishableKey } from "../context/permissions.ts";
import { planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { requireFound, ServiceError } from "../errors.ts";

const { cap, notice, network: networkCap, share } = limits.keyCreations;

/** How long the list of keys waits for a meter. */
const meterMilliseconds = 2000;

/**
 * Creates a code within the limits of the caller's publishable key: a cap a day, a lower one per network, and a share
 * of what the plan allows, so that strangers leave room for members. Other callers have no such limits. Meters count
 * before the creation, so that concurrent requests can't exceed a cap. The counts are taken back if the creation is
 * refused, but not if it fails otherwise, because the code may have been stored.
 * @throws plan_limit: 403 at a cap, 402 at the share; errors of `create`
 */
export async function countAgainstDailyCap<T>(
  deps: Deps,
  context: WorkspaceContext,
  create: () => Promise<T>,
): Promise<T> {
  if (!usesPublishableKey(context)) return create();
  await requireShareLeft(deps, context);
  const now = deps.now();
  const counts = [...(await countsOfNetworks(deps, context)), { meter: context.keyId, most: cap }];
  for (const [i, { meter, most }] of counts.entries()) {
    const count = await deps.meter(meter).takeCreation(now, most);
    if (count === null) {
      await uncount(deps, context, counts.slice(0, i), now);
      if (meter !== context.keyId) throw networkCapError();
      await markCapped(deps, context, now);
      throw dailyCapError();
    }
    if (meter === context.keyId && count === notice) {
      const { workspaceId, keyId } = context;
      log("warn", "key close to its daily cap", { workspaceId, keyId, count, cap });
    }
  }
  try {
    return await create();
  } catch (error) {
    const isRefused = error instanceof ServiceError || isUniqueViolation(error, "idempotency_records.key");
    if (isRefused) await uncount(deps, context, counts, now);
    throw error;
  }
}

/** A count of creations of the day, and the most it may reach. */
interface DailyCount {
  /** The name of its meter. */
  readonly meter: string;
  readonly most: number;
}

/** Returns the counts of the client's networks with the key. The names of their meters don't reveal the networks. */
async function countsOfNetworks(deps: Deps, { keyId, clientAddress }: Caller): Promise<DailyCount[]> {
  if (clientAddress === "") return [];
  const secret = await visitorKey(deps);
  return Promise.all(
    networksOf(clientAddress).map(async ({ network, times }) => ({
      meter: `creations:${new Uint8Array(await hmac(secret, `${keyId} ${network}`)).toHex()}`,
      most: times * networkCap,
    })),
  );
}

/** @throws plan_limit once the workspace has used the share of its plan that publishable keys can fill */
async function requireShareLeft(deps: Deps, context: Caller): Promise<void> {
  const row = requireFound(await findWorkspace(deps.db, context.workspaceId), "Workspace");
  const { liveCodes, creationsPerDay } = planOf(context);
  const used: readonly (readonly [number, number | null])[] = [
    [row.liveCodes, liveCodes],
    [creationsToday(row, deps.now()), creationsPerDay],
    [row.storedBytes + row.jobBytes, row.storageLimit],
  ];
  if (used.every(([count, most]) => most === null || count < share * most)) return;
  throw new ServiceError(
    "plan_limit",
    `Publishable keys can use ${100 * share} % of what the plan allows. The rest is for the workspace's members and servers.`,
  );
}

/** Stores that the key is at its cap, for the notice in the dashboard. */
async function markCapped(deps: Deps, { workspaceId, keyId }: Caller, now: number): Promise<void> {
  try {
    await markKeyCapped(deps.db, { workspaceId, id: keyId }, { at: now, since: now - (now % dayLength) });
  } catch (error) {
    log("warn", "daily cap of a key not recorded", { keyId, error: describeError(error) });
  }
}

const refused = (message: string) => new ServiceError("plan_limit", message, { status: 403 });

const networkCapError = () =>
  refused(
    `Your network can create ${networkCap} QR codes a day with this key. Try again after midnight UTC.`,
  );

const dailyCapError = () =>
  refused(
    `A publishable key can create ${cap} QR codes a day. Try again after midnight UTC, or use a secret key on your server.`,
  );

async function uncount(
  deps: Deps,
  { keyId }: Caller,
  counts: readonly DailyCount[],
  now: number,
): Promise<void> {
  try {
    await Promise.all(counts.map(({ meter }) => deps.meter(meter).returnCreation(now)));
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
