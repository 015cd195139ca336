import {
  concurrentWrites,
  isRefusing,
  type Publication,
  writeToCache,
} from "../../edge/routing/cache-writes.ts";
import { type RouteKind, routeKindOf } from "../../edge/routing/route-kinds.ts";
import { routing } from "../../edge/routing/timing.ts";
import { chunksBySize } from "../../lib/chunks.ts";
import { concurrently } from "../../lib/concurrently.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { RouteRepair } from "../../protocol/messages.ts";
import { regions } from "../../protocol/regions.ts";
import type { Versioned } from "../../protocol/routes.ts";
import { findPendingVersion } from "../../store/routing/pending-publications.ts";
import type { Deps } from "../deps.ts";

/**
 * Publishes a changed record to every region's feed and to the route cache, before the change is answered. Failures are
 * repaired later, and racing writes are made to converge. The catalogue lists the publication as pending until then.
 */
export async function publishChange<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  route: T,
): Promise<void> {
  kind.memory(deps).remember(key, route, deps.now());
  const at = deps.now();
  const { isInFeeds, cached } = await publishAll(deps, [{ key, route }]);
  const isCached = cached.has(key);
  // The sweep renews in the feeds the changes that the route cache refuses.
  if (isInFeeds && !isCached && (await isRefusing(deps))) return;
  const repair = { key, ...(isInFeeds && { inFeeds: { version: route.version, at } }) };
  await queueRepair(deps, repair, isInFeeds && isCached ? routing.convergeSeconds : 0);
}

/** Publishes the catalogue's record of a key that has a pending change. */
export async function publishPending(deps: Deps, key: string): Promise<void> {
  if ((await findPendingVersion(deps.db, key)) === null) return;
  const kind = routeKindOf(key);
  const route = await kind.find(deps.db, key);
  if (route !== null) await publishChange(deps, kind, key, route);
}

/** Queues a repair. If the queue refuses it, the sweep finds the pending publication. */
async function queueRepair(deps: Deps, repair: RouteRepair, delaySeconds: number): Promise<void> {
  try {
    await deps.routeRepairQueue.send(repair, { delaySeconds });
  } catch (error) {
    log("error", "route repair not queued", { key: repair.key, error: describeError(error) });
  }
}

/** Queues several repairs. @returns those that the queue refused */
export async function queueRepairs(
  deps: Deps,
  repairs: readonly RouteRepair[],
  delaySeconds: number = 0,
): Promise<RouteRepair[]> {
  const refused: RouteRepair[] = [];
  for (const some of chunksBySize(repairs, messagesPerBatch, () => 1)) {
    try {
      await deps.routeRepairQueue.sendBatch(
        some.map((body) => ({ body })),
        { delaySeconds },
      );
    } catch (error) {
      log("error", "route repairs not queued", { keys: some.length, error: describeError(error) });
      refused.push(...some);
    }
  }
  return refused;
}

/** Cloudflare Queues accepts 100 messages per call. */
const messagesPerBatch = 100;

/** The outcome of publications: whether all feeds took all that they were given, and which keys the route cache took. */
export interface Published {
  readonly isInFeeds: boolean;
  readonly cached: ReadonlySet<string>;
}

/**
 * Publishes changed records, to each feed in one call and to the route cache one after the other, for a limited time.
 * Failures are logged.
 * @param forFeeds the records that the feeds may lack
 */
export async function publishAll(
  deps: Deps,
  publications: readonly Publication[],
  forFeeds: readonly Publication[] = publications,
): Promise<Published> {
  const [isInFeeds, cached] = await Promise.all([
    publishToFeeds(deps, forFeeds),
    publishToCache(deps, publications),
  ]);
  return { isInFeeds, cached };
}

/** Publishes records to every region's feed, with one call each. @returns whether all feeds took them */
export async function publishToFeeds(deps: Deps, publications: readonly Publication[]): Promise<boolean> {
  if (publications.length === 0) return true;
  const changes = publications.map(({ key, route }) => ({ key, version: route.version }));
  const [first] = publications;
  const results = await Promise.all(
    regions.map((region) =>
      tryPublish({ key: first?.key, keys: changes.length, target: region }, () =>
        withTimeout(deps, routing.publishTimeoutMilliseconds, async () => deps.feed(region).publish(changes)),
      ),
    ),
  );
  return results.every((published) => published);
}

/** @returns the keys that the route cache took */
async function publishToCache(deps: Deps, publications: readonly Publication[]): Promise<Set<string>> {
  const cached = new Set<string>();
  const end = deps.now() + routing.cacheWritesMilliseconds;
  await concurrently(publications, concurrentWrites, async ({ key, route }) => {
    const write = () => writeToCache(deps, key, route);
    if (deps.now() < end && (await tryPublish({ key, target: "route cache" }, write))) cached.add(key);
  });
  return cached;
}

async function tryPublish(
  fields: Readonly<Record<string, unknown>>,
  write: () => Promise<void>,
): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    log("error", "route not published", { ...fields, error: describeError(error) });
    return false;
  }
}
