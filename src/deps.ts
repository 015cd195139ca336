import type { ScansMessage } from "./contract/messages.ts";
import type { KnownKey } from "./domain/keys.ts";
import { BoundedMap } from "./lib/bounded-map.ts";
import type { KeyMeter } from "./objects/key-meter.ts";
import type { WorkspaceLedger } from "./objects/workspace-ledger.ts";

/** Everything a verb may touch outside itself. Built once an isolate; tests hand in their own clock and network. */
export interface Deps {
  /** Epoch milliseconds. */
  now(): number;
  fetch: typeof fetch;
  /** The catalogue. */
  db: D1Database;
  /** The route cache. */
  routes: KVNamespace;
  ledger(workspaceId: string): DurableObjectStub<WorkspaceLedger>;
  meter(keyId: string): DurableObjectStub<KeyMeter>;
  scanQueue: Queue<ScansMessage>;
  /** Counts, per address, requests with keys that do not exist. */
  unknownKeys: RateLimit;
  /** The origin in every scanUrl, without a trailing slash. */
  scanOrigin: string;
  /** Keys the hash that stands for a visitor. */
  visitorSecret: string;
  /** What this isolate remembers. */
  memory: {
    /** By the key's digest; null for one that does not exist. */
    keys: BoundedMap<string, KnownKey>;
    /** Addresses that tried too many unknown keys, until when (epoch milliseconds). */
    barredAddresses: BoundedMap<string, number>;
  };
}

/** What tests and tools may replace. */
export type DepsOverrides = Partial<Deps>;

/** Typed dependencies from the Worker's bindings. */
export function buildDeps(env: Env, overrides: DepsOverrides = {}): Deps {
  return {
    now: () => Date.now(),
    fetch: (input, init) => fetch(input, init),
    db: env.DB,
    routes: env.ROUTES,
    ledger: (workspaceId) => env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId)),
    meter: (keyId) => env.METERS.get(env.METERS.idFromName(keyId)),
    scanQueue: env.SCANS,
    unknownKeys: env.UNKNOWN_KEYS,
    scanOrigin: env.SCAN_ORIGIN.replace(/\/+$/, ""),
    visitorSecret: env.VISITOR_SECRET,
    memory: { keys: new BoundedMap(10_000), barredAddresses: new BoundedMap(10_000) },
    ...overrides,
  };
}
