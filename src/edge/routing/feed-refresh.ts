import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Region } from "../../protocol/regions.ts";
import { isFeedPage, type SharedFeedPage } from "../../protocol/route-feed.ts";
import { readSharedPage, writeSharedPage } from "../../store/routing/shared-feed-pages.ts";
import type { EdgeDeps } from "../deps.ts";
import { feedView } from "./feed-view.ts";
import type { RequestContext } from "./request-context.ts";
import { routing } from "./timing.ts";

type Context = Pick<RequestContext, "region" | "defer">;

const pollMilliseconds = 5;

/**
 * Refreshes, after the response, a view that scans may still rely on: from a page that another isolate of the colo
 * shared, or from the feed. Isolates that are due at the same time wait for different periods, so that few of them read
 * the feed.
 */
export async function refreshInBackground(deps: EdgeDeps, context: Context): Promise<void> {
  const view = feedView(deps);
  view.beginRefresh(deps.now());
  if (await addSharedPage(deps, context.region)) return;
  await deps.pause(routing.shareMilliseconds * Math.random() ** (1 / 8));
  if (await addSharedPage(deps, context.region)) return;
  const now = deps.now();
  if (!view.isBackingOff(now) && !view.isBeingRead(now)) await readFeed(deps, context);
}

/**
 * Refreshes a view that scans may no longer rely on. One request reads the feed while the others wait for it. During
 * the feed's back-off, a page that another isolate shared may still do.
 * @returns whether a scan may rely on the view
 */
export async function refreshView(deps: EdgeDeps, context: Context): Promise<boolean> {
  const view = feedView(deps);
  while (view.isBeingRead(deps.now())) {
    await deps.pause(pollMilliseconds);
    if (view.isFresh(deps.now())) return true;
  }
  if (!view.isBackingOff(deps.now())) await readFeed(deps, context);
  else await addSharedPage(deps, context.region);
  return view.isFresh(deps.now());
}

/** Reads the feed within the time that a scan may wait. A failure is logged and delays the next read. */
async function readFeed(deps: EdgeDeps, context: Context): Promise<void> {
  const view = feedView(deps);
  const region = view.regionFor(context.region);
  view.beginRead(deps.now());
  const { seq } = view;
  try {
    await withTimeout(deps, routing.feedTimeoutMilliseconds, (signal) =>
      readPages(deps, region, context, signal),
    );
    view.endRead("read", deps.now());
  } catch (error) {
    // If the time ran out after some pages, the feed works, and the next scan reads on from there.
    view.endRead(view.seq > seq ? "read" : "failed", deps.now());
    log("warn", "feed not read", { region, error: describeError(error) });
  }
}

/** Reads all changes since the last read. Pages read before a failure or timeout are not read again. */
async function readPages(
  deps: EdgeDeps,
  region: Region,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const view = feedView(deps);
  const feed = deps.feed(region);
  for (let more = true; more && !signal.aborted; ) {
    const began = deps.now();
    const from = view.seq;
    const page: unknown = await feed.changes(from);
    if (!isFeedPage(page)) {
      view.noteUnreadable();
      throw new Error("the feed's page has an unknown format");
    }
    view.addPage(page, began);
    more = page.more;
    if (!more) context.defer(sharePage(deps, region, { ...page, from }));
  }
}

/** Adds the page that an isolate of this colo shared last. @returns whether that makes a refresh unnecessary */
async function addSharedPage(deps: EdgeDeps, contextRegion: Region): Promise<boolean> {
  const view = feedView(deps);
  try {
    const region = view.regionFor(contextRegion);
    const read = () => readSharedPage(deps.sharedPages, region);
    const page = await withTimeout(deps, routing.feedTimeoutMilliseconds, read);
    return page !== undefined && view.addShared(page, deps.now());
  } catch (error) {
    logSometimes(deps, "shared feed page not read", { error: describeError(error) });
    return false;
  }
}

async function sharePage(deps: EdgeDeps, region: Region, page: SharedFeedPage): Promise<void> {
  try {
    await writeSharedPage(deps.sharedPages, region, page);
  } catch (error) {
    logSometimes(deps, "feed page not shared", { region, error: describeError(error) });
  }
}

/** When each message was last logged, and how many have been left out since. */
const logged = perIsolate(() => new Map<string, { at: number; omitted: number }>());

/** Logs a warning that every scan of a busy isolate would repeat: once per interval, with the number left out. */
export function logSometimes(
  deps: EdgeDeps,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  const now = deps.now();
  const last = logged(deps).get(message);
  if (last !== undefined && now - last.at < routing.logMilliseconds) {
    last.omitted += 1;
    return;
  }
  logged(deps).set(message, { at: now, omitted: 0 });
  log("warn", message, { ...fields, omitted: last?.omitted ?? 0 });
}
