import {
  askWhetherRefusing,
  type Publication,
  refusalCause,
  tryWrite,
} from "../../edge/routing/cache-writes.ts";
import { codeKind, routeKindOf } from "../../edge/routing/route-kinds.ts";
import { codeRoute } from "../../edge/routing/routes.ts";
import { routing } from "../../edge/routing/timing.ts";
import { describeError, log } from "../../lib/log.ts";
import type { RouteRepair } from "../../protocol/messages.ts";
import type { Versioned } from "../../protocol/routes.ts";
import {
  completePublications,
  oldestPublication,
  releasePublications,
  takeStalePublications,
} from "../../store/routing/pending-publications.ts";
import {
  endRefusal,
  findRefusal,
  noteRefusal,
  type Refusal,
} from "../../store/routing/route-cache-refusals.ts";
import { type CodeSource, findCodesByHash } from "../../store/routing/route-sources.ts";
import type { Deps } from "../deps.ts";
import { publishAll, publishToFeeds, queueRepairs } from "./publish.ts";

/** How far the repair of a key got: feeds and route cache, feeds only, or not even all feeds. */
export type Repair = "published" | "uncached" | "failed";

/**
 * Publishes the catalogue's records of keys to the route cache and, unless the feeds list them, with one call per feed.
 * Completes those that every feed and the route cache took.
 */
export async function repairRoutes(
  deps: Deps,
  due: readonly RouteRepair[],
): Promise<ReadonlyMap<string, Repair>> {
  const byKey = Map.groupBy(due, ({ key }) => key);
  const repairs = new Map<string, Repair>();
  const publications: Publication[] = [];
  const codeKeys = [...byKey.keys()].filter((key) => routeKindOf(key) === codeKind);
  // All codes are read at once: a bulk update leaves many.
  const codes = findCodesByHash(deps.db, codeKeys);
  await Promise.all(
    Array.from(byKey.keys(), async (key) => {
      try {
        const kind = routeKindOf(key);
        const route = kind === codeKind ? routeOf((await codes).get(key)) : await kind.find(deps.db, key);
        if (route === null) repairs.set(key, "published");
        else publications.push({ key, route });
      } catch (error) {
        repairs.set(key, "failed");
        log("error", "route not repaired", { key, error: describeError(error) });
      }
    }),
  );
  if (publications.length === 0) return repairs;
  const now = deps.now();
  const unlisted = publications.filter(
    ({ key, route }) => !byKey.get(key)?.some(({ inFeeds }) => isListed(inFeeds, route, now)),
  );
  const { isInFeeds, cached } = await publishAll(deps, publications, unlisted);
  const failed = new Set(isInFeeds ? [] : unlisted);
  for (const publication of publications) {
    const { key } = publication;
    repairs.set(key, failed.has(publication) ? "failed" : cached.has(key) ? "published" : "uncached");
  }
  const published = publications.filter(({ key }) => repairs.get(key) === "published");
  if (published.length === 0) return repairs;
  await completePublications(
    deps.db,
    published.map(({ key, route }) => ({ key, version: route.version })),
  );
  return repairs;
}

/**
 * Returns whether every feed lists a record's version, and will until all caches have it. A time to come was told by
 * another clock, so nothing follows from it.
 */
export function isListed(inFeeds: RouteRepair["inFeeds"], { version }: Versioned, now: number): boolean {
  if (inFeeds?.version !== version) return false;
  const age = now - inFeeds.at;
  return age >= 0 && age <= routing.listedMilliseconds;
}

const routeOf = (code: CodeSource | undefined) => (code === undefined ? null : codeRoute(code));

/** How many publications one sweep queues. */
const sweepLimit = 500;
/**
 * How many publications one sweep completes itself. Each takes three subrequests, and an invocation has at least 1,000.
 */
const directLimit = 30;

/**
 * Completes interrupted publications, through the queue if it accepts them. The next sweep continues with the rest.
 * While the route cache refuses writes, they only reach the feeds again.
 */
export async function repairStalePublications(deps: Deps): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const refusal = await findRefusal(db);
  if (refusal !== null && !(await takesWritesAgain(deps, refusal))) return keepInFeeds(deps);
  // Everything that waited for the route cache is repaired as soon as it accepts writes.
  const before = refusal === null ? now - routing.stalePublicationMilliseconds : Number.MAX_SAFE_INTEGER;
  const [first, ...others] = await takeStalePublications(db, before, now, sweepLimit);
  if (first === undefined) return;
  if ((await repairRoutes(deps, [{ key: first.key }])).get(first.key) === "uncached") {
    // The publication has been pending for a minute, so its first write failed as well.
    if (!(await askWhetherRefusing(deps))) await noteRefusal(db, { cause: "outage", since: now });
    await publishVersions(deps, others);
    return;
  }
  const repairs = others.map(({ key }) => ({ key }));
  await repairRoutes(deps, (await queueRepairs(deps, repairs)).slice(0, directLimit));
}

/** While the route cache refuses writes, the installation tries only this one write a minute. */
async function takesWritesAgain(deps: Deps, { cause, since }: Refusal): Promise<boolean> {
  const { db } = deps;
  const key = await oldestPublication(db);
  const route = key === null ? null : await routeKindOf(key).find(db, key);
  try {
    if (key !== null && route !== null) await tryWrite(deps, key, route);
  } catch (error) {
    const newCause = refusalCause(error);
    if (newCause !== cause) await noteRefusal(db, { cause: newCause, since });
    const fields = { cause: newCause, since: new Date(since).toISOString(), error: describeError(error) };
    log("error", "route cache refuses writes", fields);
    return false;
  }
  await endRefusal(db);
  await askWhetherRefusing(deps);
  log("warn", "route cache takes writes again", { cause, since: new Date(since).toISOString() });
  return true;
}

/**
 * Publishes pending changes to the feeds again before these drop them: new changes after a minute, in case their
 * request died, the others every four minutes.
 */
async function keepInFeeds(deps: Deps): Promise<void> {
  const { stalePublicationMilliseconds: stale, feedRenewalMilliseconds, feedRenewals } = routing;
  const now = deps.now();
  const due = now + feedRenewalMilliseconds - stale;
  const publications = await takeStalePublications(deps.db, now - stale, due, feedRenewals);
  if (!(await publishVersions(deps, publications))) await releasePublications(deps.db, due, now - stale);
}

const publishVersions = (
  deps: Deps,
  publications: readonly { readonly key: string; readonly version: number }[],
): Promise<boolean> =>
  publishToFeeds(
    deps,
    publications.map(({ key, version }) => ({ key, route: { version } })),
  );
