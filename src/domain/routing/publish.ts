import { chunksBySize } from "../../lib/chunks.ts";
import { concurrently } from "../../lib/concurrently.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { regions } from "../../protocol/regions.ts";
import type { Versioned } from "../../protocol/routes.ts";
import {
  completePublication,
  isPublicationPending,
  takeStalePublications,
} from "../../store/pending-publications.ts";
import { writeRoute } from "../../store/route-cache.ts";
import type { Deps } from "../deps.ts";
import { type RouteKind, routeKindOf } from "./route-kinds.ts";
import { routing } from "./timing.ts";

/**
 * Publishes a changed record to every region's feed and to the route cache, before the change is answered. What fails
 * is repaired later, and writes that raced are made to converge; the catalogue lists the publication as pending until
 * both are done.
 */
export async function publishChange<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  route: T,
): Promise<void> {
  kind.memory(deps).remember(key, route, deps.now());
  const published = await publishEverywhere(deps, key, route);
  await queueRepair(deps, key, published ? routing.convergeSeconds : 0);
}

/**
 * Publishes a record that this request did not change, if an earlier change of it is pending: the request of that
 * change may have been interrupted between storing and publishing it.
 */
export async function publishIfPending<T extends Versioned>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  route: T,
): Promise<void> {
  if (await isPublicationPending(deps.db, key)) await publishChange(deps, kind, key, route);
}

/** Publishes what the catalogue holds under a key, if a change of it is pending. */
export async function publishPending(deps: Deps, key: string): Promise<void> {
  if (!(await isPublicationPending(deps.db, key))) return;
  const kind = routeKindOf(key);
  const route = await kind.find(deps.db, key);
  if (route !== null) await publishChange(deps, kind, key, route);
}

/** @returns whether the queue took the repair; if not, the sweep will find the publication pending */
async function queueRepair(deps: Deps, key: string, delaySeconds: number): Promise<boolean> {
  try {
    await deps.routeRepairQueue.send({ key }, { delaySeconds });
    return true;
  } catch (error) {
    log("error", "route repair not queued", { key, error: describeError(error) });
    return false;
  }
}

/** Adds a record that the route cache lacks: a new code's, or one that a scan had to look up in the catalogue. */
export async function fillCache(deps: Deps, key: string, route: Versioned): Promise<void> {
  try {
    await writeRoute(deps.routeCache, key, route);
  } catch (error) {
    log("warn", "route cache not filled", { key, error: describeError(error) });
  }
}

/** Publishes what the catalogue holds under a key. @returns whether every feed and the route cache took it */
export async function repairRoute(deps: Deps, key: string): Promise<boolean> {
  const route = await routeKindOf(key).find(deps.db, key);
  if (route === null) return true;
  if (!(await publishEverywhere(deps, key, route))) return false;
  await completePublication(deps.db, key, route.version);
  return true;
}

/** Writes to the route cache under way at a time: a Worker has six connections. */
export const concurrentWrites = 6;

/** Publications that one sweep queues. */
const sweepLimit = 500;
/** Publications that one sweep completes itself. Each takes twelve subrequests, and an invocation has at least 1000. */
const directLimit = 30;
/** Messages in one call of a queue at most. */
const messagesPerBatch = 100;

/** Completes publications that were interrupted, by the queue if it takes them. The next sweep takes the rest. */
export async function repairStalePublications(deps: Deps): Promise<void> {
  const now = deps.now();
  const before = now - routing.stalePublicationMilliseconds;
  const keys = await takeStalePublications(deps.db, before, now, sweepLimit);
  const refused: string[] = [];
  for (const chunk of chunksBySize(keys, messagesPerBatch, () => 1)) {
    try {
      await deps.routeRepairQueue.sendBatch(chunk.map((key) => ({ body: { key } })));
    } catch (error) {
      log("error", "route repairs not queued", { keys: chunk.length, error: describeError(error) });
      refused.push(...chunk);
    }
  }
  for (const key of refused.slice(0, directLimit)) await repairRoute(deps, key);
}

/** A record to publish under its key. */
export interface Publication {
  readonly key: string;
  readonly route: Versioned;
}

/**
 * Publishes many changed records at once: each feed gets all of them in one call, and then the route cache one after the
 * other, for a limited time. What fails is logged.
 * @returns whether every feed and the route cache took all of them
 */
export async function publishAll(deps: Deps, publications: readonly Publication[]): Promise<boolean> {
  const inFeeds = await publishToFeeds(deps, publications);
  const end = deps.now() + routing.cacheWritesMilliseconds;
  let written = 0;
  await concurrently(publications, concurrentWrites, async (publication) => {
    if (deps.now() < end && (await publishToCache(deps, publication))) written += 1;
  });
  return inFeeds && written === publications.length;
}

/** Publishes records to every region's feed, in one call each. @returns whether all feeds took them */
export async function publishToFeeds(deps: Deps, publications: readonly Publication[]): Promise<boolean> {
  const changes = publications.map(({ key, route }) => ({ key, version: route.version }));
  const [first] = publications;
  const results = await Promise.all(
    regions.map((region) =>
      attempt(deps, { key: first?.key, keys: changes.length, target: region }, async () =>
        deps.feed(region).publish(changes),
      ),
    ),
  );
  return results.every((published) => published);
}

const publishToCache = (deps: Deps, { key, route }: Publication): Promise<boolean> =>
  attempt(deps, { key, target: "route cache" }, () => writeRoute(deps.routeCache, key, route));

/** @returns whether every feed and the route cache took the record */
async function publishEverywhere(deps: Deps, key: string, route: Versioned): Promise<boolean> {
  const results = await Promise.all([
    publishToCache(deps, { key, route }),
    publishToFeeds(deps, [{ key, route }]),
  ]);
  return results.every((published) => published);
}

async function attempt(
  deps: Deps,
  fields: Readonly<Record<string, unknown>>,
  write: () => Promise<void>,
): Promise<boolean> {
  try {
    await withTimeout(deps, routing.publishTimeoutMilliseconds, write);
    return true;
  } catch (error) {
    log("error", "route not published", { ...fields, error: describeError(error) });
    return false;
  }
}
