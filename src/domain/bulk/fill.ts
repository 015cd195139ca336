import { askWhetherRefusing, writeAllToCache } from "../../edge/routing/cache-writes.ts";
import { codeRoute } from "../../edge/routing/routes.ts";
import { routing } from "../../edge/routing/timing.ts";
import { chunksBySize } from "../../lib/chunks.ts";
import { describeError, log } from "../../lib/log.ts";
import type { BulkTask, RouteFill } from "../../protocol/messages.ts";
import type { Slice } from "../../store/bulk/progress.ts";
import { type JobCode, listJobCodes } from "../../store/bulk/routes.ts";
import type { JobProgress } from "../../store/bulk/run.ts";
import { completePublications } from "../../store/routing/pending-publications.ts";
import type { Deps } from "../deps.ts";
import { publishToFeeds } from "../routing/publish.ts";
import { isListed } from "../routing/repair.ts";
import { yieldToOtherRequests } from "../yielding.ts";

/** Rows per message for codes that were created, which keeps an invocation well within KV's 1,000 operations. */
const fillRows = 400;

/** Writes that share a time limit, since a timer for each would cost as much again. Then other requests get their turn. */
export const writesAtATime = 100;

/** How often a chunk's codes are read. If some still change, the message is repeated. */
const maxRounds = 3;

/**
 * Queues the messages that write the routes of a job's codes to the route cache. @returns whether the queue took them
 */
export async function enqueueFills(
  deps: Deps,
  { workspaceId, id: jobId, totalItems }: JobProgress,
): Promise<boolean> {
  const messages: MessageSendRequest<BulkTask>[] = [];
  for (let from = 0; from < totalItems; from += fillRows) {
    messages.push({ body: { task: "fill", workspaceId, jobId, from, rows: fillRows } });
  }
  return tryQueue(jobId, () => deps.bulkQueue.sendBatch(messages));
}

/**
 * Queues the message that writes the routes of changed codes and completes their publication. Otherwise, the sweep finds
 * the pending publications.
 * @param published the codes whose changes every feed took, and when that began, epoch milliseconds; null if one didn't
 */
export async function enqueueRepublication(
  deps: Deps,
  { workspaceId, jobId, from, size }: Slice,
  published: { readonly codes: readonly Pick<JobCode, "hash" | "version">[]; readonly at: number } | null,
): Promise<void> {
  const message: RouteFill = {
    ...{ task: "fill", workspaceId, jobId, from, rows: size, changedAt: deps.now() },
    ...(published !== null && {
      inFeeds: {
        versions: Object.fromEntries(published.codes.map(({ hash, version }) => [hash, version])),
        at: published.at,
      },
    }),
  };
  const delaySeconds = published === null ? 0 : routing.convergeSeconds;
  await tryQueue(jobId, () => deps.bulkQueue.send(message, { delaySeconds }));
}

/** @returns whether the queue took the messages */
async function tryQueue(jobId: string, write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    log("error", "route fills not queued; the sweep will retry it", { jobId, error: describeError(error) });
    return false;
  }
}

/**
 * Writes the current routes of a chunk's codes to the route cache: for new codes, so that their first scans needn't
 * read the catalogue; for changed ones, in case the first writes failed or raced, which also completes their
 * publication.
 *
 * A write may overtake that of a change made after its route was read. So the codes are read again at the end, and
 * those with another version are written again. When this returns, the cache holds nothing older than the catalogue
 * did, apart from codes that have been changed since the message was sent: these are left to the publication of that
 * change, so that repeated jobs don't write each route as often.
 *
 * While the route cache refuses writes, changes only reach the feeds, and the sweep completes them.
 * @throws if the route cache or a feed refuses a write, or a code keeps changing; repeat the message
 */
export async function fillRoutes(deps: Deps, fill: RouteFill): Promise<void> {
  const { workspaceId, jobId, from, rows, changedAt = Number.MAX_SAFE_INTEGER } = fill;
  const written = new Map<string, number>();
  const listCodes = async () =>
    (await listJobCodes(deps.db, workspaceId, jobId, from, rows)).filter(
      ({ hash, pendingSince }) => (pendingSince ?? 0) <= changedAt || written.has(hash),
    );
  if (await askWhetherRefusing(deps)) {
    await publishJobCodes(deps, fill, await listCodes());
    return;
  }
  for (let round = 1; round <= maxRounds; round += 1) {
    const codes = await listCodes();
    const outdated = codes.filter(({ hash, version }) => written.get(hash) !== version);
    if (outdated.length === 0) return completePending(deps, fill, codes);
    for (const some of chunksBySize(outdated, writesAtATime, () => 1)) {
      await writeAllToCache(
        deps,
        some.map((code) => ({ key: code.hash, route: codeRoute(code) })),
      );
      for (const { hash, version } of some) written.set(hash, version);
      await yieldToOtherRequests(deps);
    }
  }
  throw new Error(`codes of bulk job ${jobId} changed ${maxRounds} times while their routes were written`);
}

/** Completes the pending changes of codes whose routes are in the route cache. */
async function completePending(deps: Deps, fill: RouteFill, codes: readonly JobCode[]): Promise<void> {
  const pending = await publishJobCodes(deps, fill, codes);
  if (pending.length === 0) return;
  await completePublications(
    deps.db,
    pending.map(({ hash, version }) => ({ key: hash, version })),
  );
}

/** Publishes the pending changes of codes to the feeds, unless these list them. @returns the codes with pending changes */
async function publishJobCodes(
  deps: Deps,
  { jobId, inFeeds }: RouteFill,
  codes: readonly JobCode[],
): Promise<JobCode[]> {
  const pending = codes.filter(({ pendingSince }) => pendingSince !== null);
  const now = deps.now();
  const unlisted = pending.filter((code) => {
    const version = inFeeds?.versions[code.hash];
    return version === undefined || !isListed({ version, at: inFeeds?.at ?? 0 }, code, now);
  });
  const publications = unlisted.map((code) => ({ key: code.hash, route: codeRoute(code) }));
  if (!(await publishToFeeds(deps, publications))) {
    throw new Error(`changes of bulk job ${jobId} did not reach every feed`);
  }
  return pending;
}
