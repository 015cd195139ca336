import type { Route } from "../contract/routes.ts";
import type { Deps } from "../deps.ts";
import { describeError, log } from "../lib/log.ts";
import { findRoute, readRoute, writeRoute } from "../store/routes.ts";

/** Where a hash leads, or null when no code ever had it. The route cache answers; the catalogue fills it on a miss. */
export async function resolve(
  deps: Deps,
  hash: string,
  defer: (work: Promise<unknown>) => void,
): Promise<Route | null> {
  const cached = await readRoute(deps.routes, hash);
  if (cached !== null) return cached;
  const route = await findRoute(deps.db, hash);
  if (route !== null) defer(publish(deps, hash, route));
  return route;
}

/** Tells the edges where a hash leads from now on. */
export async function publish(deps: Deps, hash: string, route: Route): Promise<void> {
  try {
    await writeRoute(deps.routes, hash, route);
  } catch (error) {
    log("error", "route cache not written", { hash, error: describeError(error) });
  }
}
