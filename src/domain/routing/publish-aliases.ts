import { isRefusing } from "../../edge/routing/cache-writes.ts";
import { aliasKind } from "../../edge/routing/route-kinds.ts";
import { routing } from "../../edge/routing/timing.ts";
import { aliasKey } from "../../protocol/routes.ts";
import { listPendingAliases, listPendingDomains } from "../../store/routing/pending-publications.ts";
import { findAliases } from "../../store/routing/route-sources.ts";
import type { Deps } from "../deps.ts";
import { publishAll, publishPending, queueRepairs } from "./publish.ts";

/** How many pending aliases of a workspace a change of one code publishes. */
const pendingAtOnce = 200;

/**
 * Publishes where addresses of a workspace lead now, also those that are no aliases any more, and its domains' routes if
 * these now tell that it has aliases.
 */
export async function publishAliases(
  deps: Deps,
  workspaceId: string,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  for (const key of await listPendingDomains(deps.db, workspaceId)) await publishPending(deps, key);
  const aliases = await findAliases(deps.db, workspaceId, addresses);
  const publications = aliases.map((route, i) => ({
    key: aliasKey(workspaceId, addresses[i] ?? ""),
    route,
  }));
  for (const { key, route } of publications) aliasKind.memory(deps).remember(key, route, deps.now());
  const at = deps.now();
  const { isInFeeds, cached } = await publishAll(deps, publications);
  const isDone = isInFeeds && cached.size === publications.length;
  // The sweep renews in the feeds the changes that the route cache refuses.
  if (isInFeeds && !isDone && (await isRefusing(deps))) return;
  await queueRepairs(
    deps,
    publications.map(({ key, route: { version } }) => ({
      key,
      ...(isInFeeds && { inFeeds: { version, at } }),
    })),
    isDone ? routing.convergeSeconds : 0,
  );
}

/** Publishes aliases of a workspace whose changes were interrupted before they were published. */
export async function publishPendingAliases(deps: Deps, workspaceId: string): Promise<void> {
  const keys = await listPendingAliases(deps.db, workspaceId, pendingAtOnce);
  const { length } = aliasKey(workspaceId, "");
  await publishAliases(
    deps,
    workspaceId,
    keys.map((key) => key.slice(length)),
  );
}
