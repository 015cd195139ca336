import type { Keyring } from "../lib/crypto/keyring.ts";
import type { Timers } from "../lib/with-timeout.ts";
import type { ImagesMethods } from "../protocol/images.ts";
import type { KeyMeterMethods } from "../protocol/key-meter.ts";
import type {
  BulkTask,
  DueDeliveries,
  DuePrints,
  PrintSlice,
  RouteRepair,
  ScansMessage,
} from "../protocol/messages.ts";
import type { Region } from "../protocol/regions.ts";
import type { Remote } from "../protocol/remote.ts";
import type { RouteFeedMethods } from "../protocol/route-feed.ts";
import type { RemoteLedger } from "../protocol/workspace-ledger.ts";
import type { SharedDrawings } from "../store/images/shared-drawings.ts";
import type { SharedPages } from "../store/routing/shared-feed-pages.ts";
import type { Counter } from "./counter.ts";

/** The identity provider's settings; any of them may be empty. */
interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Empty for a public client, which only uses PKCE. */
  readonly clientSecrets: Keyring;
  /** Encrypt the cookies. */
  readonly sessionSecrets: Keyring;
}

/** The zone at Cloudflare whose custom hostnames are hosts of customers. */
export interface CustomHostnameSettings {
  readonly zoneId: string;
  /** An API token with the one permission "SSL and Certificates: Edit" on this zone. A secret. */
  readonly token: string;
  /** The host to which customers point their own. */
  readonly target: string;
  /** How many custom hostnames this installation may have. */
  readonly max: number;
}

/** How this installation is configured. */
export interface Settings {
  /** The names of bindings that the service needs and this deployment lacks. */
  readonly missingBindings: readonly string[];
  /**
   * The origin of scans, images, hosted pages and the widget's script, without a trailing slash. Every scanUrl begins
   * with it.
   */
  readonly scanOrigin: string;
  /** The origin of the dashboard and the API, without a trailing slash; the same by default. */
  readonly appOrigin: string;
  /** Where the scan origin's root redirects; empty to show a welcome page. */
  readonly homeUrl: string;
  /** Where a workspace's plan can be changed, for links in the dashboard; empty if there is no such page. */
  readonly upgradeUrl: string;
  /** The hosts of both origins, with their ports. */
  readonly ownHosts: readonly string[];
  /** The keys of the hash that pseudonymises visitors. */
  readonly visitorSecrets: Keyring;
  /** Encrypt the webhooks' secrets at rest. */
  readonly webhookSecrets: Keyring;
  /** A service that is asked whether hosts are allowed as destinations; empty for none. */
  readonly reputationUrl: string;
  readonly provider: ProviderSettings;
  /** Whether people can sign in with passkeys. */
  readonly passkeys: boolean;
  /** Who may join with a passkey: `closed`, only people with a link of the operator, or `open`, everyone. */
  readonly signUp: string;
  /** Whether owners of a workspace may create others while sign-up is closed. */
  readonly ownersCreateWorkspaces: boolean;
  /** The plan of new workspaces; empty for free. */
  readonly defaultPlan: string;
  /** Authenticate the operator; empty for no operator access. */
  readonly operatorSecrets: Keyring;
  /** Where operator alerts are sent, such as a Slack webhook. Empty for none. A secret. */
  readonly alertUrl: string;
  /** How many requests a day the plan at Cloudflare allows; null for no limit. */
  readonly dailyRequests: number | null;
  /** Null where customers can't use hosts of their own zones. */
  readonly customHostnames: CustomHostnameSettings | null;
  /** The address of the DNS resolver, which answers over HTTPS in JSON. */
  readonly dnsResolver: string;
  /** Where an example company can be opened; empty outside local development. */
  readonly exampleUrl: string;
  /** The publishable key of the widget's demo page; empty outside local development. */
  readonly embedDemoKey: string;
}

/** Everything external that the domain uses. Built once per isolate; tests replace the clock and the network. */
export interface Deps extends Timers {
  /** Epoch milliseconds. Never goes back. */
  now(): number;
  fetch: typeof fetch;
  /** Resolves after this many milliseconds. */
  pause(milliseconds: number): Promise<void>;
  /** The catalogue. */
  db: D1Database;
  /** The route cache. */
  routeCache: KVNamespace;
  /** The bucket of files that are too large for the catalogue or a ledger: logos, archived scans, prints; undefined if none is bound. */
  files: R2Bucket | undefined;
  /** The images Worker, for drawings that this Worker can't make; undefined if it isn't installed. */
  images: Remote<ImagesMethods> | undefined;
  ledger(workspaceId: string): RemoteLedger;
  /** By a key's id, by `user:` and a user's id, or by `workspace:` and a workspace's. */
  meter(name: string): Remote<KeyMeterMethods>;
  feed(region: Region): Remote<RouteFeedMethods>;
  /** The colo's cache of feed pages. */
  sharedPages: SharedPages;
  /** The colo's cache of drawings and measurements. */
  drawings: SharedDrawings;
  scanQueue: Queue<ScansMessage>;
  /** How long a scan waits for others to share its message, milliseconds. */
  readonly scanPause: number;
  bulkQueue: Queue<BulkTask>;
  printQueue: Queue<DuePrints>;
  /** How much of a print job one message draws. */
  readonly printSlice: PrintSlice;
  deliveryQueue: Queue<DueDeliveries>;
  routeRepairQueue: Queue<RouteRepair>;
  /** Counts requests with unknown keys, per network. */
  unknownKeyLimit: RateLimit;
  /** Counts lookups of unknown hashes, per network. */
  unknownHashLimit: RateLimit;
  /** Counts form submissions, per network. */
  submissionLimit: RateLimit;
  /** Counts abuse reports, per network. */
  abuseReportLimit: RateLimit;
  /** Counts measurements of scannability, per person or key. */
  measurementLimit: RateLimit;
  /** Counts attempts to sign in or join with a passkey, per network. */
  signInLimit: RateLimit;
  /** Counts public images that must be drawn, per network. */
  drawingLimit: RateLimit;
  /** Counts what this isolate does, for the operator. */
  counter: Counter;
  readonly settings: Settings;
}
