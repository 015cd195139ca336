import { readKeyring } from "../lib/crypto/keyring.ts";
import { steadyClock } from "../lib/time/steady-clock.ts";
import { runtimeTimers } from "../lib/with-timeout.ts";
import { notingFailures } from "../store/database-errors.ts";
import type { EdgeDeps, EdgeSettings } from "./deps.ts";
import { routing } from "./routing/timing.ts";
import { flushMilliseconds } from "./scans/scan-buffer.ts";

/** The bindings that scans need. Both Workers have them. */
export type EdgeBindings = Pick<
  Env,
  | "DB"
  | "ROUTES"
  | "LEDGERS"
  | "FEEDS"
  | "SCANS"
  | "DELIVERIES"
  | "UNKNOWN_HASHES"
  | "SCAN_ORIGIN"
  | "APP_ORIGIN"
  | "VISITOR_SECRET"
>;

/** Builds what scans need from a Worker's bindings. @param now the clock; the runtime's by default */
export function buildEdgeDeps(env: EdgeBindings, settings: EdgeSettings, now = Date.now): EdgeDeps {
  return {
    ...runtimeTimers,
    // A view of a feed read before the clock was set back must not be relied on.
    now: steadyClock(now, routing.viewMilliseconds + 1),
    pause: (milliseconds) => scheduler.wait(milliseconds),
    db: env.DB,
    routeCache: env.ROUTES,
    ledger: (workspaceId) => notingFailures(env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId))),
    feed: (region) => notingFailures(env.FEEDS.get(env.FEEDS.idFromName(region), { locationHint: region })),
    sharedPages: {
      origin: `https://route-feeds.${new URL(settings.scanOrigin).host}`,
      open: () => caches.open("route-feeds"),
    },
    scanQueue: env.SCANS,
    scanPause: flushMilliseconds,
    deliveryQueue: env.DELIVERIES,
    unknownHashLimit: env.UNKNOWN_HASHES,
    settings,
  };
}

/** Reads the settings that scans need. @param overrides origins other than the variables' */
export function readEdgeSettings(
  env: EdgeBindings,
  overrides: Partial<Pick<EdgeSettings, "scanOrigin" | "appOrigin">> = {},
): EdgeSettings {
  const scanOrigin = overrides.scanOrigin ?? withoutSlash(env.SCAN_ORIGIN);
  return {
    scanOrigin,
    appOrigin: overrides.appOrigin ?? (withoutSlash(env.APP_ORIGIN ?? "") || scanOrigin),
    visitorSecrets: readKeyring(env, "VISITOR_SECRET"),
  };
}

const withoutSlash = (origin: string): string => origin.replace(/\/+$/, "");
