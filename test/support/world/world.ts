import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import type { RouteFeed } from "../../../src/objects/route-feed.ts";
import type { BulkTask } from "../../../src/protocol/messages.ts";
import type { Region } from "../../../src/protocol/regions.ts";
import type { FeedChange } from "../../../src/protocol/route-feed.ts";
import type { Versioned } from "../../../src/protocol/routes.ts";
import { Arrivals } from "../scans/recent-scans.ts";
import { FakeClock, Service } from "../service.ts";
import { MortalIsolate } from "./mortal-isolate.ts";
import { WorldQueues } from "./queues.ts";
import { type FeedRelease, releasedFeed } from "./released-feed.ts";

/** How long an edge's KV cache may return an old value, or a missing key, in milliseconds. */
const kvLag = 60_000;

/** The bound in docs/guarantee.md, in milliseconds. Not imported, so that a changed constant can't weaken the test. */
const guaranteedDelay = 1000;
/** How long an isolate may use a route that it read from KV, in milliseconds. */
const isolateCacheTtl = 30_000;
/** How long a feed keeps a change after its last publication, in milliseconds. */
const feedRetention = 600_000;
/** The longest that an isolate may avoid a failed feed, in milliseconds. */
const longestBackOff = 8000;

/** The operations that fail, everywhere or in the listed regions. */
export interface Faults {
  kvPut: boolean;
  publish: ReadonlySet<Region>;
  feedRead: ReadonlySet<Region>;
  /** An overloaded feed answers only every third read. */
  feedOverload: ReadonlySet<Region>;
  repairSend: boolean;
}

/**
 * An edge: one isolate of the service, in a region, behind its own KV cache. The edges of a region are in one colo, so
 * they share feed pages.
 */
export interface Edge {
  readonly region: Region;
  readonly cf: IncomingRequestCfProperties;
  readonly clockError: number;
  service: Service;
}

/** @property clockError how much the clocks of the edge's isolates are fast, milliseconds */
const edgeLocations: readonly { region: Region; clockError: number; continent: string; longitude: string }[] =
  [
    { region: "weur", clockError: 0, continent: "EU", longitude: "6.9" },
    { region: "weur", clockError: 4000, continent: "EU", longitude: "6.9" },
    { region: "wnam", clockError: 2500, continent: "NA", longitude: "-122.4" },
    { region: "apac", clockError: -7000, continent: "AS", longitude: "139.7" },
  ];

const noFaults: Faults = {
  kvPut: false,
  publish: new Set(),
  feedRead: new Set(),
  feedOverload: new Set(),
  repairSend: false,
};

/**
 * Edges on the test's real D1, KV and Durable Objects, with a fake clock. The bindings are wrapped so that they lag,
 * fail and are recorded. `advance` moves the clock, and runs route repairs, bulk messages and the sweep when due; slow
 * reads move it, too. The Durable Objects use the same clock, so a test must restore the real one at its end.
 */
export class World {
  readonly clock = new FakeClock(Date.UTC(2026, 5, 1));
  readonly edges: readonly Edge[];
  /** How long each read of a feed takes, milliseconds. */
  feedReadTime = 0;
  /** The releases whose code a feed object runs, one after the other: it changes when the object is evicted. */
  feedReleases: readonly FeedRelease[] = ["present"];
  /** Runs once, between the next read of KV and the arrival of its value. */
  duringKvRead: (() => Promise<void>) | undefined;
  faults: Faults = noFaults;
  /** Calls that publish to feeds and to KV, including refused ones. */
  readonly calls = { publish: 0, put: 0 };
  /** Versions that reached a region's feed, by `region/key`. */
  readonly #published = new Arrivals();
  /** Versions that were put to KV, by key. */
  readonly #put = new Arrivals();
  /** When all reads of a region's feed started to fail. */
  readonly unreadableSince = new Map<Region, number>();
  /** When a read of a region's feed last failed. */
  readonly #failedReadAt = new Map<Region, number>();
  /** How much the clock of a region's feed is fast, milliseconds. Machines' clocks may differ. */
  readonly #feedClockErrors = new Map<Region, number>();
  /** Feed pages shared by the edges of a region. They never expire, as if the cache's clock stood still. */
  readonly #sharedPages = new Map<string, string>();
  /** The regions whose feed this world has used. Each promise ends when what it held before has been aged. */
  readonly #agedFeeds = new Map<Region, Promise<void>>();
  #feedReads = 0;
  #feedEvictions = 0;
  /** Returns whether the feeds omit a key's changes. */
  readonly #isHidden: (key: string) => boolean;
  #started = 0;
  readonly #queues = new WorldQueues({
    now: () => this.clock.now(),
    refusesRepairs: () => this.faults.repairSend,
  });
  #nextSweep: number;

  /** @param isHidden returns whether the feeds omit a key's changes, so that the guarantee can't hold for it */
  constructor(edges: number, isHidden: (key: string) => boolean = () => false) {
    this.#isHidden = isHidden;
    this.#nextSweep = this.clock.now() + 60_000;
    vi.useFakeTimers({ toFake: ["Date"], now: this.clock.now() });
    this.edges = edgeLocations.slice(0, edges).map((location) => {
      const { region, clockError, ...place } = location;
      const cf = place as unknown as IncomingRequestCfProperties;
      return { region, cf, clockError, service: this.#startService(clockError) };
    });
  }

  /** Replaces an edge's isolate, which loses its memory but keeps its KV cache. */
  restart(edge: Edge): void {
    edge.service = this.#startService(edge.clockError, edge.service.deps.routeCache);
  }

  /** Starts another isolate at an edge, which dies after a number of calls of its bindings. */
  mortalIsolate(edge: Edge, calls: number): MortalIsolate {
    return new MortalIsolate(edge.service.deps, calls);
  }

  /** Moves only the clock. */
  tick(milliseconds: number): void {
    this.clock.advance(milliseconds);
    vi.setSystemTime(this.clock.now());
  }

  /** Evicts a region's feed object from memory. */
  async evictFeed(region: Region): Promise<void> {
    const stub = env.FEEDS.get(env.FEEDS.idFromName(region));
    await stub.changes(Number.MAX_SAFE_INTEGER);
    await evictDurableObject(stub);
    this.#feedEvictions += 1;
    this.#feedClockErrors.set(region, ((this.#feedClockErrors.get(region) ?? 0) * 2 + 9000) % 50_000);
  }

  /** Makes reads of these regions' feeds fail, and all others succeed. */
  setUnreadable(regions: readonly Region[]): void {
    this.faults = { ...this.faults, feedRead: new Set(regions) };
    for (const { region } of this.edges) {
      if (!regions.includes(region)) this.unreadableSince.delete(region);
      else if (!this.unreadableSince.has(region)) this.unreadableSince.set(region, this.clock.now());
    }
  }

  /** Ends all faults. */
  clearFaults(): void {
    this.setUnreadable([]);
    this.faults = noFaults;
  }

  /** Moves the clock, and runs each repair and sweep when it is due. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    for (;;) {
      const next = Math.min(this.#queues.nextDue(), this.#nextSweep);
      if (next > end) break;
      this.tick(Math.max(0, next - this.clock.now()));
      if (next === this.#nextSweep) {
        this.#nextSweep += 60_000;
        await this.#firstService().worker.scheduled(undefined, env);
      } else {
        await this.#queues.deliverNext(this.#firstService());
      }
    }
    this.tick(Math.max(0, end - this.clock.now()));
  }

  /** Takes the messages with which bulk jobs continue from their queue. */
  takeBulkRuns(): { body: BulkTask }[] {
    return this.#queues.takeBulkRuns();
  }

  #firstService(): Service {
    const edge = this.edges[0];
    if (edge === undefined) throw new Error("a world has at least one edge");
    return edge.service;
  }

  /** Every other one has the edge Worker in front. */
  #startService(clockError: number, routes: KVNamespace = this.#laggingKv()): Service {
    this.#started += 1;
    const deps: DepsOverrides = {
      now: () => this.clock.now() + clockError,
      routeCache: routes,
      pause: async (milliseconds) => this.tick(Math.round(milliseconds)),
      feed: (region) => this.#recordedFeed(region),
      sharedPages: { origin: "https://route-feeds.example", open: async () => this.#coloCache() },
      routeRepairQueue: this.#queues.producer("route-repairs"),
      bulkQueue: this.#queues.producer("bulk"),
    };
    return new Service(deps, { edge: this.#started % 2 === 0 });
  }

  /** Returns KV behind an edge's cache, which keeps each value read, and each missing key, for a minute. */
  #laggingKv(): KVNamespace {
    const cache = new Map<string, { value: unknown; at: number }>();
    return {
      get: async (key: string) => {
        const cached = cache.get(key);
        if (cached !== undefined && this.clock.now() - cached.at < kvLag)
          return structuredClone(cached.value);
        const value = await env.ROUTES.get(key, { type: "json" });
        cache.set(key, { value, at: this.clock.now() });
        const during = this.duringKvRead;
        this.duringKvRead = undefined;
        await during?.();
        return structuredClone(value);
      },
      put: async (key: string, text: string) => {
        this.calls.put += 1;
        const { version } = JSON.parse(text) as Versioned;
        if (this.faults.kvPut) {
          this.#put.withhold(key, version);
          throw new Error("KV PUT failed: 429");
        }
        await env.ROUTES.put(key, text);
        this.#put.record(key, version, this.clock.now());
      },
    } as unknown as KVNamespace;
  }

  #coloCache(): Pick<Cache, "match" | "put"> {
    return {
      match: async (key) => {
        const text = this.#sharedPages.get(String(key));
        return text === undefined ? undefined : new Response(text);
      },
      put: async (key, response) => void this.#sharedPages.set(String(key), await response.text()),
    };
  }

  /**
   * Ages what other tests published to a region's feed, before this world's first use of it. Their clocks were ahead of
   * this world's, and a feed drops nothing while it holds an older row with a later time.
   */
  #ageFeed(region: Region): Promise<void> {
    const aged =
      this.#agedFeeds.get(region) ??
      runInDurableObject(env.FEEDS.get(env.FEEDS.idFromName(region)), (_, { storage }) => {
        storage.sql.exec("UPDATE changed_routes SET at = 0");
      });
    this.#agedFeeds.set(region, aged);
    return aged;
  }

  #recordedFeed(region: Region): DurableObjectStub<RouteFeed> {
    const stub = env.FEEDS.get(env.FEEDS.idFromName(region));
    const feed = async () => {
      await this.#ageFeed(region);
      const release = this.feedReleases[this.#feedEvictions % this.feedReleases.length];
      return releasedFeed(stub, release ?? "present");
    };
    return {
      publish: async (changes: readonly FeedChange[]) => {
        this.calls.publish += 1;
        const isRefused = this.faults.publish.has(region);
        for (const { key, version } of changes) {
          if (isRefused) this.#published.withhold(`${region}/${key}`, version);
        }
        if (isRefused) throw new Error("feed is unavailable");
        // No isolate reads the feeds of other regions.
        if (this.edges.some((edge) => edge.region === region)) await (await feed()).publish(changes);
        for (const { key, version } of changes) {
          this.#published.record(`${region}/${key}`, version, this.clock.now());
        }
      },
      changes: async (seq: number) => {
        this.#feedReads += 1;
        const { feedRead, feedOverload } = this.faults;
        if (feedRead.has(region) || (feedOverload.has(region) && this.#feedReads % 3 !== 0)) {
          this.#failedReadAt.set(region, this.clock.now());
          throw new Error("feed is unavailable");
        }
        this.tick(this.feedReadTime / 2);
        const page = await (await feed()).changes(seq);
        this.tick(this.feedReadTime / 2);
        const at = page.at + (this.#feedClockErrors.get(region) ?? 0);
        return { ...page, at, changes: page.changes.filter(({ key }) => !this.#isHidden(key)) };
      },
    } as unknown as DurableObjectStub<RouteFeed>;
  }

  /**
   * Returns whether a scan at this edge must follow this version or a newer one.
   * @param answeredAt when the change that made the version was answered
   * @param now when the scan was answered
   */
  mustFollow(edge: Edge, key: string, version: number, answeredAt: number, now: number): boolean {
    const unreadableSince = this.unreadableSince.get(edge.region);
    const location = `${edge.region}/${key}`;
    const publishedAt = this.#published.arrivedAt(location, version, answeredAt);
    const failedReadAt = this.#failedReadAt.get(edge.region) ?? Number.NEGATIVE_INFINITY;
    const isReadable = failedReadAt < now - longestBackOff;
    // By the time a feed drops a version, KV has it, unless all writes to KV have failed.
    const isKept = this.#published.lastAt(location, version) > now - feedRetention;
    if (isReadable && isKept && publishedAt < now - guaranteedDelay) return true;
    const putAt = this.#put.arrivedAt(key, version, answeredAt);
    // While a feed is unreadable for longer than the bound, isolates don't use their memory, so only KV's lag counts.
    // Otherwise an isolate may also hold a route whose change never reached the feed.
    const lag =
      unreadableSince !== undefined && unreadableSince < now - guaranteedDelay
        ? kvLag
        : kvLag + isolateCacheTtl;
    return putAt < now - lag;
  }
}
