import type { BulkChunk, DueDeliveries, RouteRepair, ScansMessage } from "./protocol/messages.ts";
import type { PageRoute, Route } from "./protocol/routes.ts";
import { type Region, routing } from "./protocol/routing.ts";
import { FeedView } from "./domain/routing/feed-view.ts";
import type { KnownKey } from "./domain/identity/keys.ts";
import { newProviderMemory, type ProviderMemory, type ProviderSettings } from "./domain/identity/provider.ts";
import { RouteMemory } from "./domain/routing/route-memory.ts";
import type { KnownMember } from "./domain/identity/sessions.ts";
import { MissThrottle } from "./domain/throttle.ts";
import { BoundedMap } from "./lib/bounded-map.ts";
import type { KeyMeter } from "./objects/key-meter.ts";
import type { RouteFeed } from "./objects/route-feed.ts";
import type { WorkspaceLedger } from "./objects/ledger/workspace-ledger.ts";

/** Everything a verb may touch outside itself. Built once an isolate; tests hand in their own clock and network. */
export interface Deps {
  /** Epoch milliseconds. */
  now(): number;
  fetch: typeof fetch;
  /** A signal that aborts after so many milliseconds. */
  expiry(milliseconds: number): AbortSignal;
  /** The catalogue. */
  db: D1Database;
  /** The route cache. */
  routes: KVNamespace;
  ledger(workspaceId: string): DurableObjectStub<WorkspaceLedger>;
  /** By a key's id, or by `user:` and a person's. */
  meter(name: string): DurableObjectStub<KeyMeter>;
  feed(region: Region): DurableObjectStub<RouteFeed>;
  scanQueue: Queue<ScansMessage>;
  routeRepairs: Queue<RouteRepair>;
  bulkQueue: Queue<BulkChunk>;
  deliveryQueue: Queue<DueDeliveries>;
  /** Bars addresses that try keys that do not exist. */
  unknownKeys: MissThrottle;
  /** Bars addresses that guess hashes. */
  unknownHashes: MissThrottle;
  /** Counts what an address sends with the forms of hosted pages. */
  submissionLimit: RateLimit;
  /** The origin in every scanUrl, without a trailing slash. */
  scanOrigin: string;
  /** Its host, with the port. */
  scanHost: string;
  /** Keys the hash that stands for a visitor. */
  visitorSecret: string;
  /** Seals the webhooks' secrets at rest. */
  webhookSecret: string;
  provider: ProviderSettings;
  /** Opens the operator's endpoints; empty for nobody. */
  operatorSecret: string;
  /** A publishable key for the widget's demonstration; empty outside local development. */
  embedDemoKey: string;
  /** What this isolate remembers. */
  memory: {
    /** By the key's digest; null for one that does not exist. */
    keys: BoundedMap<string, KnownKey>;
    /** When a key's use was last noted, by its id. */
    keyUses: BoundedMap<string, number>;
    /** By what they are known by here: their id, or the provider's. */
    members: BoundedMap<string, KnownMember>;
    provider: ProviderMemory;
    routes: RouteMemory<Route>;
    pages: RouteMemory<PageRoute>;
    view: FeedView;
  };
}

/** What tests and tools may replace. */
export type DepsOverrides = Partial<Deps>;

/** Typed dependencies from the Worker's bindings. */
export function buildDeps(env: Env, overrides: DepsOverrides = {}): Deps {
  const scanOrigin = env.SCAN_ORIGIN.replace(/\/+$/, "");
  return {
    now: () => Date.now(),
    fetch: (input, init) => fetch(input, init),
    expiry: (milliseconds) => AbortSignal.timeout(milliseconds),
    db: env.DB,
    routes: env.ROUTES,
    ledger: (workspaceId) => env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId)),
    meter: (name) => env.METERS.get(env.METERS.idFromName(name)),
    feed: (region) => env.FEEDS.get(env.FEEDS.idFromName(region), { locationHint: region }),
    scanQueue: env.SCANS,
    routeRepairs: env.ROUTE_REPAIRS,
    bulkQueue: env.BULK,
    deliveryQueue: env.DELIVERIES,
    unknownKeys: new MissThrottle(env.UNKNOWN_KEYS),
    unknownHashes: new MissThrottle(env.UNKNOWN_HASHES),
    submissionLimit: env.SUBMISSIONS,
    scanOrigin,
    scanHost: new URL(scanOrigin).host,
    visitorSecret: env.VISITOR_SECRET,
    webhookSecret: env.WEBHOOK_SECRET,
    provider: {
      issuer: env.OIDC_ISSUER ?? "",
      clientId: env.OIDC_CLIENT_ID ?? "",
      clientSecret: optional(env.OIDC_CLIENT_SECRET),
      sessionSecret: env.SESSION_SECRET ?? "",
    },
    operatorSecret: optional(env.OPERATOR_SECRET),
    embedDemoKey: env.EMBED_DEMO_KEY,
    memory: {
      keys: new BoundedMap(10_000),
      keyUses: new BoundedMap(10_000),
      members: new BoundedMap(10_000),
      provider: newProviderMemory(),
      routes: new RouteMemory(routing.memoryRoutes),
      pages: new RouteMemory(routing.memoryPages),
      view: new FeedView(),
    },
    ...overrides,
  };
}

/** A secret that a deployment may go without. Cloudflare keeps no empty ones, so `none` stands for that. */
const optional = (secret: string | undefined): string =>
  secret === undefined || secret === "none" ? "" : secret;
