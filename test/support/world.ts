import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { RouteRepair } from "../../src/protocol/messages.ts";
import type { Region } from "../../src/protocol/regions.ts";
import type { Versioned } from "../../src/protocol/routes.ts";
import type { RouteFeed } from "../../src/objects/route-feed.ts";
import { FakeClock, Service } from "./service.ts";

/** How long an edge's view of KV may lag, and how long it keeps that a key is missing. */
const kvLag = 60_000;

/** What docs/guarantee.md promises, in milliseconds: written out here, so that the code can't change it unnoticed. */
const promised = 1000;
/** How long an isolate may remember what it read from KV. */
const remembered = 30_000;

/** What can be made to fail. */
export interface Faults {
  kvPut: boolean;
  publish: ReadonlySet<Region>;
  feedRead: ReadonlySet<Region>;
  repairSend: boolean;
}

/** An edge: one isolate of the service, in a region, behind a KV cache of its own. */
export interface Edge {
  readonly region: Region;
  readonly cf: IncomingRequestCfProperties;
  service: Service;
}

const places: readonly { region: Region; continent: string; longitude: string }[] = [
  { region: "weur", continent: "EU", longitude: "6.9" },
  { region: "wnam", continent: "NA", longitude: "-122.4" },
  { region: "apac", continent: "AS", longitude: "139.7" },
];

/**
 * Edges around the real D1, KV and Durable Objects of the test, with a played clock: each binding is wrapped so
 * that it lags, fails and is watched. Time moves by `advance` alone, which also runs the repairs and the sweep.
 */
export class World {
  readonly clock = new FakeClock(Date.UTC(2026, 5, 1));
  readonly edges: readonly Edge[];
  faults: Faults = { kvPut: false, publish: new Set(), feedRead: new Set(), repairSend: false };
  /** When a version reached a region's feed, by `region/key`: the highest version, each with its time. */
  readonly published = new Map<string, { version: number; at: number }[]>();
  /** When a version was put to KV, by key. */
  readonly put = new Map<string, { version: number; at: number }[]>();
  /** Versions that a fault of this world kept from a region's feed, by `region/key`, or from KV, by key. */
  readonly #kept = new Map<string, Set<number>>();
  /** Since when a region's feed can't be read. */
  readonly unreadableSince = new Map<Region, number>();
  readonly #feedIsOn: boolean;
  #repairs: { due: number; attempts: number; body: RouteRepair }[] = [];
  #nextSweep: number;

  constructor(edges: number, options: { feed: "on" | "off" } = { feed: "on" }) {
    this.#feedIsOn = options.feed === "on";
    this.#nextSweep = this.clock.now() + 60_000;
    this.edges = places.slice(0, edges).map((place) => {
      const { region, ...cf } = place;
      return { region, cf: cf as unknown as IncomingRequestCfProperties, service: this.#start() };
    });
  }

  /** Ends an edge's isolate: what it remembered is gone, its KV cache stays. */
  restart(edge: Edge): void {
    edge.service = this.#start(edge.service.deps.routeCache);
  }

  async evictFeed(region: Region): Promise<void> {
    const stub = env.FEEDS.get(env.FEEDS.idFromName(region));
    await stub.changes(Number.MAX_SAFE_INTEGER);
    await evictDurableObject(stub);
  }

  setUnreadable(regions: readonly Region[]): void {
    this.faults = { ...this.faults, feedRead: new Set(regions) };
    for (const { region } of this.edges) {
      if (!regions.includes(region)) this.unreadableSince.delete(region);
      else if (!this.unreadableSince.has(region)) this.unreadableSince.set(region, this.clock.now());
    }
  }

  heal(): void {
    this.setUnreadable([]);
    this.faults = { kvPut: false, publish: new Set(), feedRead: new Set(), repairSend: false };
  }

  /** Moves the clock, stopping wherever a repair or the sweep is due. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    for (;;) {
      this.#repairs.sort((a, b) => a.due - b.due);
      const next = Math.min(this.#repairs[0]?.due ?? Number.POSITIVE_INFINITY, this.#nextSweep);
      if (next > end) break;
      this.clock.advance(Math.max(0, next - this.clock.now()));
      if (next === this.#nextSweep) {
        this.#nextSweep += 60_000;
        await this.#anyService().worker.scheduled(undefined, env);
      } else {
        await this.#runRepair();
      }
    }
    this.clock.advance(end - this.clock.now());
  }

  async #runRepair(): Promise<void> {
    const message = this.#repairs.shift();
    if (message === undefined) return;
    const result = await this.#anyService().consume("route-repairs", [message]);
    for (const retry of result.retryMessages) {
      const due = this.clock.now() + (retry.delaySeconds ?? 0) * 1000;
      this.#repairs.push({ ...message, due, attempts: message.attempts + 1 });
    }
  }

  #anyService(): Service {
    const edge = this.edges[0];
    if (edge === undefined) throw new Error("a world has edges");
    return edge.service;
  }

  #start(routes: KVNamespace = this.#laggingKv()): Service {
    return new Service({
      now: this.clock.now,
      routeCache: routes,
      feed: (region) => this.#watchedFeed(region),
      routeRepairQueue: {
        send: async (body: RouteRepair, options?: QueueSendOptions) => {
          if (this.faults.repairSend) throw new Error("queue is away");
          const due = this.clock.now() + (options?.delaySeconds ?? 0) * 1000;
          this.#repairs.push({ due, attempts: 1, body });
        },
      } as unknown as Queue<RouteRepair>,
    });
  }

  /** KV as one edge sees it: what it has read, missing keys included, it goes on seeing for a minute. */
  #laggingKv(): KVNamespace {
    const seen = new Map<string, { value: unknown; at: number }>();
    return {
      get: async (key: string) => {
        const cached = seen.get(key);
        if (cached !== undefined && this.clock.now() - cached.at < kvLag)
          return structuredClone(cached.value);
        const value = await env.ROUTES.get(key, { type: "json" });
        seen.set(key, { value, at: this.clock.now() });
        return value;
      },
      put: async (key: string, text: string) => {
        const { version } = JSON.parse(text) as Versioned;
        if (this.faults.kvPut) {
          this.#keep(key, version);
          throw new Error("KV PUT failed: 429");
        }
        await env.ROUTES.put(key, text);
        note(this.put, key, version, this.clock.now());
      },
    } as unknown as KVNamespace;
  }

  #watchedFeed(region: Region): DurableObjectStub<RouteFeed> {
    const stub = env.FEEDS.get(env.FEEDS.idFromName(region));
    return {
      publish: async (key: string, version: number, now: number) => {
        if (this.faults.publish.has(region)) {
          this.#keep(`${region}/${key}`, version);
          throw new Error("feed is away");
        }
        await stub.publish(key, version, now);
        note(this.published, `${region}/${key}`, version, this.clock.now());
      },
      changes: async (seq: number) => {
        if (this.faults.feedRead.has(region)) throw new Error("feed is away");
        return this.#feedIsOn ? stub.changes(seq) : { seq: 0, changes: [], more: false };
      },
    } as unknown as DurableObjectStub<RouteFeed>;
  }

  #keep(where: string, version: number): void {
    this.#kept.set(where, (this.#kept.get(where) ?? new Set()).add(version));
  }

  /**
   * When a version must have arrived: before it was answered, unless a fault kept it away; then when it, or a newer
   * one, was noted there. Never is infinity.
   */
  #arrivedAt(
    notes: ReadonlyMap<string, { version: number; at: number }[]>,
    where: string,
    version: number,
    answeredAt: number,
  ): number {
    if (!this.#kept.get(where)?.has(version)) return answeredAt;
    const newer = (notes.get(where) ?? []).filter((entry) => entry.version >= version);
    return Math.max(answeredAt, Math.min(Number.POSITIVE_INFINITY, ...newer.map((entry) => entry.at)));
  }

  /**
   * Whether a scan at this edge, now, must not follow anything older than a version any more.
   * @param answeredAt when the change that made the version was answered
   */
  mustFollow(edge: Edge, key: string, version: number, answeredAt: number): boolean {
    const now = this.clock.now();
    const bound = promised;
    const out = this.unreadableSince.get(edge.region);
    const heardAt = this.#arrivedAt(this.published, `${edge.region}/${key}`, version, answeredAt);
    if (out === undefined && heardAt < now - bound) return true;
    const putAt = this.#arrivedAt(this.put, key, version, answeredAt);
    // Out for longer than a view lives: then memory is not used, and KV's lag is the bound. Else a change that
    // never reached this feed may be in an isolate's memory on top of that.
    const lag = out !== undefined && out < now - bound ? kvLag : kvLag + remembered;
    return putAt < now - lag;
  }
}

function note(
  notes: Map<string, { version: number; at: number }[]>,
  key: string,
  version: number,
  at: number,
) {
  notes.set(key, [...(notes.get(key) ?? []), { version, at }]);
}
