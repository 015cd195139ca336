import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Versioned } from "../../protocol/routes.ts";
import { writeRoute } from "../../store/routing/route-cache.ts";
import { findRefusal, noteRefusal, type RefusalCause } from "../../store/routing/route-cache-refusals.ts";
import type { Deps } from "../deps.ts";
import { perIsolate } from "../isolate-memory.ts";
import { routing } from "./timing.ts";

/**
 * Writes to the route cache. While it refuses the writes of the whole installation, the sweep alone tries one a minute
 * (`publish.ts`). An isolate learns of that from the catalogue, once a write of its own was refused.
 */

/** When this isolate read last that the route cache refuses writes; undefined while it knows of no refusal. */
const refusalReads = perIsolate(() => ({ at: undefined as number | undefined }));

/** Writes a record, unless the route cache refuses all writes. @throws if it was not written */
export async function writeToCache(deps: Deps, key: string, route: Versioned): Promise<void> {
  if (await isRefusing(deps)) throw new Error("the route cache refuses writes; the sweep tries again");
  try {
    await tryWrite(deps, key, route);
  } catch (error) {
    if (refusalCause(error) === "quota") await noteQuota(deps);
    await askWhetherRefusing(deps);
    throw error;
  }
}

/** Writes a record, also while the route cache refuses writes. @throws if it was not written in time */
export const tryWrite = (deps: Deps, key: string, route: Versioned): Promise<void> =>
  withTimeout(deps, routing.publishTimeoutMilliseconds, () => writeRoute(deps.routeCache, key, route));

/** Whether the route cache refuses all writes, as far as this isolate knows. While it knows of no refusal, this asks nobody. */
export async function isRefusing(deps: Deps): Promise<boolean> {
  const { at } = refusalReads(deps);
  if (at === undefined) return false;
  return deps.now() - at < routing.refusalMilliseconds || askWhetherRefusing(deps);
}

/** Whether the route cache refuses all writes, by the catalogue. */
export async function askWhetherRefusing(deps: Deps): Promise<boolean> {
  try {
    const refusal = await findRefusal(deps.db);
    refusalReads(deps).at = refusal === null ? undefined : deps.now();
  } catch (error) {
    log("warn", "not known whether the route cache refuses writes", { error: describeError(error) });
  }
  return refusalReads(deps).at !== undefined;
}

/** An error that names the quota is enough; of others, the sweep judges whether they are more than one write's. */
async function noteQuota(deps: Deps): Promise<void> {
  try {
    await noteRefusal(deps.db, { cause: "quota", since: deps.now() });
  } catch (error) {
    log("warn", "refusal of the route cache not noted", { error: describeError(error) });
  }
}

/** Cloudflare's errors say so when the account has used up the day's writes. */
export const refusalCause = (error: unknown): RefusalCause =>
  /\blimit\b.*\bfor (the day|today)\b/i.test(String(error)) ? "quota" : "outage";
