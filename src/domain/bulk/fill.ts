import { describeError, log } from "../../lib/log.ts";
import type { BulkTask, JobRun, RouteFill } from "../../protocol/messages.ts";
import { listCreatedCodes } from "../../store/bulk-routes.ts";
import { writeRoute } from "../../store/route-cache.ts";
import type { Deps } from "../deps.ts";
import { codeRoute } from "../routing/routes.ts";

/** Rows of a message, so that an invocation stays well within KV's 1000 operations. */
const fillRows = 400;

/** Writes under way at a time: a Worker has six connections. */
const concurrentWrites = 6;

/** Reads of a chunk's codes after which one that keeps changing is left to a repetition of the message. */
const maxRounds = 3;

/** Queues the messages that fill the route cache with a job's codes. @returns whether the queue took them */
export async function enqueueFills(
  deps: Deps,
  { workspaceId, jobId }: JobRun,
  rows: number,
): Promise<boolean> {
  const messages: MessageSendRequest<BulkTask>[] = [];
  for (let from = 0; from < rows; from += fillRows) {
    messages.push({ body: { task: "fill", workspaceId, jobId, from } });
  }
  try {
    await deps.bulkQueue.sendBatch(messages);
    return true;
  } catch (error) {
    log("error", "route fills not queued; the sweep will retry it", { jobId, error: describeError(error) });
    return false;
  }
}

/**
 * Writes the current routes of a chunk's codes to the route cache, so that their first scans need not read the catalogue.
 * A write may overtake that of a change made since its route was read. So the codes are read again at the end, and those
 * with another version written again: whenever this returns, the cache holds nothing older than the catalogue did.
 * @throws when the route cache refuses a write, or a code keeps changing: repeat the message
 */
export async function fillRoutes(deps: Deps, { workspaceId, jobId, from }: RouteFill): Promise<void> {
  const written = new Map<string, number>();
  for (let round = 1; round <= maxRounds; round += 1) {
    const codes = await listCreatedCodes(deps.db, workspaceId, jobId, from, fillRows);
    const outdated = codes.filter(({ hash, version }) => written.get(hash) !== version);
    if (outdated.length === 0) return;
    // Writers share the iterator, so that each takes the next code as soon as it is free.
    const next = outdated.values();
    const write = async () => {
      for (const code of next) {
        await writeRoute(deps.routeCache, code.hash, codeRoute(code));
        written.set(code.hash, code.version);
      }
    };
    await Promise.all(Array.from({ length: concurrentWrites }, write));
  }
  throw new Error(`codes of bulk job ${jobId} changed ${maxRounds} times while their routes were written`);
}
