import type { Keyring } from "../lib/crypto/keyring.ts";
import type { Timers } from "../lib/with-timeout.ts";
import type { DueDeliveries, ScansMessage } from "../protocol/messages.ts";
import type { Region } from "../protocol/regions.ts";
import type { Remote } from "../protocol/remote.ts";
import type { RouteFeedMethods } from "../protocol/route-feed.ts";
import type { RemoteLedger } from "../protocol/workspace-ledger.ts";
import type { SharedPages } from "../store/routing/shared-feed-pages.ts";

/** The configuration that scans need. */
export interface EdgeSettings {
  /**
   * The origin of scans, images, hosted pages and the widget's script, without a trailing slash. Every scanUrl begins
   * with it.
   */
  readonly scanOrigin: string;
  /** The origin of the dashboard and the API, without a trailing slash; the same by default. */
  readonly appOrigin: string;
  /** The keys of the hash that pseudonymises visitors. */
  readonly visitorSecrets: Keyring;
}

/** Everything external that scans need. Built once per isolate; tests replace the clock and the network. */
export interface EdgeDeps extends Timers {
  /** Epoch milliseconds. Never goes back. */
  now(): number;
  /** Resolves after this many milliseconds. */
  pause(milliseconds: number): Promise<void>;
  /** The catalogue. */
  db: D1Database;
  /** The route cache. */
  routeCache: KVNamespace;
  ledger(workspaceId: string): RemoteLedger;
  feed(region: Region): Remote<RouteFeedMethods>;
  /** The colo's cache of feed pages. */
  sharedPages: SharedPages;
  scanQueue: Queue<ScansMessage>;
  /** How long a scan waits for others to share its message, milliseconds. */
  readonly scanPause: number;
  deliveryQueue: Queue<DueDeliveries>;
  /** Counts lookups of unknown hashes, per network. */
  unknownHashLimit: RateLimit;
  readonly settings: EdgeSettings;
}
