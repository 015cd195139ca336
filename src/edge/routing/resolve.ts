import { log } from "../../lib/log.ts";
import {
  type OwnedRoute,
  type PageRoute,
  pageKey,
  type Versioned,
  workspaceKey,
} from "../../protocol/routes.ts";
import type { EdgeDeps } from "../deps.ts";
import { logSometimes, refreshView } from "./feed-refresh.ts";
import { feedView } from "./feed-view.ts";
import { OwnedRecordReader, type Resolved, withSuspension } from "./owned-record-reader.ts";
import { type Failure, RecordReader } from "./record-reader.ts";
import type { RequestContext } from "./request-context.ts";
import { pageKind, type RouteKind, workspaceKind } from "./route-kinds.ts";
import { routing } from "./timing.ts";

/**
 * The result of looking up a key. `throttled`: the network looks up too many unknown keys. `unavailable`: the record is
 * only in the catalogue, which can't be read now.
 */
export type Resolution<T extends OwnedRoute> = Resolved<T> | Failure;

/**
 * Returns the record from the isolate's memory, if it is recent enough. Nearly every scan is answered this way, without
 * I/O.
 */
export function recall<T extends OwnedRoute>(
  deps: EdgeDeps,
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
  deps: EdgeDeps,
  pageId: string,
  context: RequestContext,
): Promise<Resolution<PageRoute>> {
  const key = pageKey(pageId);
  return recall(deps, pageKind, key, deps.now()) ?? resolve(deps, pageKind, key, context);
}

/**
 * Looks up a record that memory can't answer. The route cache answers, unless it has no record or the feed lists a
 * newer version; then the catalogue does. Since reads take time, the view is checked when the answer is chosen and
 * refreshed if it has become too old. While the feed has changes that were not read, the catalogue answers. If the feed
 * can't be read, the scan is still answered, with a record that may be as old as the route cache's lag. The workspace's
 * record follows the same rules.
 */
export const resolve = <T extends OwnedRoute>(
  deps: EdgeDeps,
  kind: RouteKind<T>,
  key: string,
  context: RequestContext,
): Promise<Resolution<T>> => readFresh(deps, new OwnedRecordReader(deps, kind, key, context), key, context);

/** The same as `recall` for a record that has no workspace of its own. */
export function recallRecord<T extends Versioned>(
  deps: EdgeDeps,
  kind: RouteKind<T>,
  key: string,
  now: number,
): T | undefined {
  const view = feedView(deps);
  return view.isFresh(now) ? kind.memory(deps).recall(key, now, view.minVersion(key)) : undefined;
}

/** The same as `resolve` for a record that has no workspace of its own. */
export const resolveRecord = <T extends Versioned>(
  deps: EdgeDeps,
  kind: RouteKind<T>,
  key: string,
  context: RequestContext,
): Promise<T | Failure> => readFresh(deps, new RecordReader(deps, kind, key, context), key, context);

/** The reader of a record for one request; see `RecordReader`. */
interface Reader<Found> {
  prefetch(): Promise<void>;
  read(): Promise<Found | Failure>;
  readWithoutFeed(): Promise<Found | Failure>;
  readCatalogue(): Promise<Found | Failure>;
  isCurrent(): boolean;
}

async function readFresh<Found extends object>(
  deps: EdgeDeps,
  reader: Reader<Found>,
  key: string,
  context: RequestContext,
): Promise<Found | Failure> {
  const view = feedView(deps);
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
      log("warn", "scan answered after reads that took too long", { key, region: context.region });
      return resolution;
    }
  }
}

/** Returns whether a workspace is suspended or closed, as far as it can be read. */
export async function isWorkspaceSuspended(
  deps: EdgeDeps,
  workspaceId: string,
  context: RequestContext,
): Promise<boolean> {
  const key = workspaceKey(workspaceId);
  const workspace =
    recallRecord(deps, workspaceKind, key, deps.now()) ??
    (await resolveRecord(deps, workspaceKind, key, context));
  return typeof workspace === "object" && workspace.suspended !== undefined;
}
