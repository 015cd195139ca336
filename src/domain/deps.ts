import type { EdgeDeps, EdgeSettings } from "../edge/deps.ts";
import type { Keyring } from "../lib/crypto/keyring.ts";
import type { ImagesMethods } from "../protocol/images.ts";
import type { KeyMeterMethods } from "../protocol/key-meter.ts";
import type { BulkTask, DuePrints, PrintSlice, RouteRepair } from "../protocol/messages.ts";
import type { Remote } from "../protocol/remote.ts";
import type { SharedDrawings } from "../store/images/shared-drawings.ts";
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
export interface Settings extends EdgeSettings {
  /** The names of bindings that the service needs and this deployment lacks. */
  readonly missingBindings: readonly string[];
  /** Where the scan origin's root redirects; empty to show a welcome page. */
  readonly homeUrl: string;
  /** The name that people know the service by; empty for its own. */
  readonly brandName: string;
  /** Where a workspace's plan can be changed, for links in the dashboard; empty if there is no such page. */
  readonly upgradeUrl: string;
  /** The hosts of both origins, with their ports. */
  readonly ownHosts: readonly string[];
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
  /** Allows backups to be read and restored, while it is set; empty for none. A secret. */
  readonly backupSecret: string;
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
export interface Deps extends EdgeDeps {
  fetch: typeof fetch;
  /** The bucket of files that are too large for the catalogue or a ledger: logos, archived scans, prints; undefined if none is bound. */
  files: R2Bucket | undefined;
  /** The images Worker, for drawings that this Worker can't make; undefined if it isn't installed. */
  images: Remote<ImagesMethods> | undefined;
  /** By a key's id, by `user:` and a user's id, or by `workspace:` and a workspace's. */
  meter(name: string): Remote<KeyMeterMethods>;
  /** The colo's cache of drawings and measurements. */
  drawings: SharedDrawings;
  bulkQueue: Queue<BulkTask>;
  printQueue: Queue<DuePrints>;
  /** How much of a print job one message draws. */
  readonly printSlice: PrintSlice;
  routeRepairQueue: Queue<RouteRepair>;
  /** Counts requests with unknown keys, per network. */
  unknownKeyLimit: RateLimit;
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
