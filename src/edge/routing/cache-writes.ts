import { concurrently } from "../../lib/concurrently.ts";
import { isQuotaUsedUp } from "../../lib/daily-quota.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Versioned } from "../../protocol/routes.ts";
import { writeRoute } from "../../store/routing/route-cache.ts";
import { findRefusal, noteRefusal } from "../../store/routing/route-cache-refusals.ts";
import type { RefusalCause } from "../../store/schema/operations.ts";
import type { EdgeDeps } from "../deps.ts";
import { routing } from "./timing.ts";

/**
 * Writes to the route cache. While it refuses all of the installation's writes, only the sweep tries one, once a minute
 * (`publish.ts`). Once a write fails in an isolate, the isolate asks the catalogue whether that is the case.
 */

/**
 * When this isolate last read from the catalogue that the route cache refuses writes; undefined if it knows of no
 * refusal.
 */
const refusalReads = perIsolate(() => ({ at: undefined as number | undefined }));

/** Concurrent writes to the route cache. A Worker has six connections. */
export const concurrentWrites = 6;

/** A record to publish under its key. */
export interface Publication {
  readonly key: string;
  readonly route: Versioned;
}

/** Writes a record, unless the route cache refuses all writes. @throws if the record was not written */
export const writeToCache = (deps: EdgeDeps, key: string, route: Versioned): Promise<void> =>
  unlessRefusing(deps, () => tryWrite(deps, key, route));

/** Adds a record that the route cache lacks: a new code's, or one that a scan had to look up in the catalogue. */
export async function fillCache(deps: EdgeDeps, key: string, route: Versioned): Promise<void> {
  try {
    await writeToCache(deps, key, route);
  } catch (error) {
    log("warn", "route cache not filled", { key, error: describeError(error) });
  }
}

/** Writes some records within one time limit, unless the route cache refuses all writes. @throws if one was not written */
export const writeAllToCache = (deps: EdgeDeps, records: readonly Publication[]): Promise<void> =>
  unlessRefusing(deps, () =>
    withTimeout(deps, routing.cacheWritesMilliseconds, (signal) =>
      concurrently(records, concurrentWrites, async ({ key, route }) => {
        if (!signal.aborted) await writeRoute(deps.routeCache, key, route);
      }),
    ),
  );

/** @throws without writing while the route cache refuses all writes, or if `write` failed */
async function unlessRefusing(deps: EdgeDeps, write: () => Promise<void>): Promise<void> {
  if (await isRefusing(deps)) throw new Error("the route cache refuses writes; the sweep will retry");
  try {
    await write();
  } catch (error) {
    if (refusalCause(error) === "quota") await noteQuota(deps);
    await askWhetherRefusing(deps);
    throw error;
  }
}

/** Writes a record even while the route cache refuses writes. @throws if it was not written in time */
export const tryWrite = (deps: EdgeDeps, key: string, route: Versioned): Promise<void> =>
  withTimeout(deps, routing.publishTimeoutMilliseconds, () => writeRoute(deps.routeCache, key, route));

/**
 * Returns whether the route cache refuses all writes, as far as this isolate knows. It only asks the catalogue after it
 * has learnt of a refusal.
 */
export async function isRefusing(deps: EdgeDeps): Promise<boolean> {
  const { at } = refusalReads(deps);
  if (at === undefined) return false;
  return deps.now() - at < routing.refusalMilliseconds || askWhetherRefusing(deps);
}

/** Returns whether the route cache refuses all writes, according to the catalogue. */
export async function askWhetherRefusing(deps: EdgeDeps): Promise<boolean> {
  try {
    const refusal = await findRefusal(deps.db);
    refusalReads(deps).at = refusal === null ? undefined : deps.now();
  } catch (error) {
    log("warn", "could not read whether the route cache refuses writes", { error: describeError(error) });
  }
  return refusalReads(deps).at !== undefined;
}

/** An error that names the quota affects all writes. The sweep finds out whether any other error does. */
async function noteQuota(deps: EdgeDeps): Promise<void> {
  try {
    await noteRefusal(deps.db, { cause: "quota", since: deps.now() });
  } catch (error) {
    log("warn", "route cache refusal not recorded", { error: describeError(error) });
  }
}

/** Cloudflare's error says so when the account has used up the day's writes. */
export const refusalCause = (error: unknown): RefusalCause => (isQuotaUsedUp(error) ? "quota" : "outage");
