import { log } from "../../lib/log.ts";
import { type OwnedRoute, type PageRoute, pageKey, workspaceKey } from "../../protocol/routes.ts";
import type { Deps } from "../deps.ts";
import { logSometimes, refreshView } from "./feed-refresh.ts";
import { feedView } from "./feed-view.ts";
import { OwnedRecordReader, type Resolved, withSuspension } from "./owned-record-reader.ts";
import type { Failure } from "./record-reader.ts";
import type { RequestContext } from "./request-context.ts";
import { pageKind, type RouteKind, workspaceKind } from "./route-kinds.ts";
import { routing } from "./timing.ts";

/**
 * The record under a key. A network that looks up too many unknown keys is throttled. A record is unavailable when only
 * the catalogue has it and can't be read now.
 */
export type Resolution<T extends OwnedRoute> = Resolved<T> | Failure;

/** The record from the isolate's memory, if it may be relied on. Nearly every scan takes this way, without I/O. */
export function recall<T extends OwnedRoute>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  now: number,
): Resolved<T> | undefined {
  const view = feedView(deps);
  if (!view.isFresh(now)) return undefined;
  const route = kind.memory(deps).recall(key, now, view.minVersion(key));
  if (route === undefined) return undefined;
  const owner = workspaceKey(route.workspaceId);
  const workspace = workspaceKind.memory(deps).recall(owner, now, view.minVersion(owner));
  return workspace && withSuspension(route, workspace);
}

/** A hosted page, from memory if possible. */
export async function resolvePage(
  deps: Deps,
  pageId: string,
  context: RequestContext,
): Promise<Resolution<PageRoute>> {
  const key = pageKey(pageId);
  return recall(deps, pageKind, key, deps.now()) ?? resolve(deps, pageKind, key, context);
}

/**
 * The record that memory could not answer. The route cache answers unless the feed lists a newer version; in that case,
 * and when the cache has no record, the catalogue answers. Reads take time, so the view of the feed is judged when the
 * answer is chosen, and read again if it has become too old. While the feed is known to list changes that were not read,
 * the catalogue answers. Without a feed the scan is answered all the same, by a
 * record that may be as old as the route cache's lag. All this holds for the record of the workspace, too.
 */
export async function resolve<T extends OwnedRoute>(
  deps: Deps,
  kind: RouteKind<T>,
  key: string,
  context: RequestContext,
): Promise<Resolution<T>> {
  const view = feedView(deps);
  const reader = new OwnedRecordReader(deps, kind, key, context);
  for (let round = 1; ; round += 1) {
    const [isFresh] = await Promise.all([
      view.isFresh(deps.now()) || refreshView(deps, context),
      reader.prefetch(),
    ]);
    if (!isFresh) {
      if (view.isBehind) return reader.readCatalogue();
      logSometimes(deps, "scan answered without a fresh feed", { key, region: context.region });
      return reader.readWithoutFeed();
    }
    const resolution = await reader.read();
    if (typeof resolution === "string") return resolution;
    if (view.isFresh(deps.now()) && reader.isCurrent()) return resolution;
    if (round === routing.readRounds) {
      log("warn", "scan answered by reads that took too long", { key, region: context.region });
      return resolution;
    }
  }
}
