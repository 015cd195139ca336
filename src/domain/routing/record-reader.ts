import { describeError, log } from "../../lib/log.ts";
import type { Versioned } from "../../protocol/routes.ts";
import { readRoute } from "../../store/routing/route-cache.ts";
import type { Deps } from "../deps.ts";
import { type Miss, unknownHashThrottle } from "../throttle.ts";
import { feedView } from "./feed-view.ts";
import { fillCache } from "./publish.ts";
import type { RequestContext } from "./request-context.ts";
import type { RouteKind } from "./route-kinds.ts";

/** Why there is no record; see `Resolution`. */
export type Failure = "unknown" | "throttled" | "unavailable";

/** Reads one record for one request, from the isolate's memory, the route cache or the catalogue. */
export class RecordReader<T extends Versioned> {
  readonly #deps: Deps;
  readonly #kind: RouteKind<T>;
  readonly #key: string;
  readonly #context: RequestContext;
  readonly #started: number;
  /** The route cache's record: undefined until it has been read, null if it has none that can be used. */
  #cached: T | null | undefined;
  /** Whether the route cache has a record of another format: the catalogue's is written in its place. */
  #isCacheUnreadable = false;
  /** The result of the last read. */
  #found: T | undefined;
  /** Whether the catalogue, which has something newer, could not be read. */
  #isUnavailable = false;

  constructor(deps: Deps, kind: RouteKind<T>, key: string, context: RequestContext) {
    this.#deps = deps;
    this.#kind = kind;
    this.#key = key;
    this.#context = context;
    this.#started = deps.now();
  }

  /** The record that was read last, or that memory has or had. It may be old. */
  get known(): T | undefined {
    return this.#found ?? this.#cached ?? this.#memory.last(this.#key);
  }

  /** Reads the route cache, once, unless memory has a record. */
  async prefetch(): Promise<void> {
    if (this.#memory.recall(this.#key, this.#deps.now(), 0) === undefined) await this.#readCache();
  }

  /** A record that is as new as the view demands now. An old one is better than none. */
  async read(): Promise<T | Failure> {
    const earlier = this.#found;
    this.#isUnavailable = false;
    this.#found = this.#memory.recall(this.#key, this.#deps.now(), this.#minVersion);
    if (this.#found !== undefined) return this.#found;
    const cached = await this.#readCache();
    if (cached !== null && cached.version >= this.#minVersion) {
      this.#found = this.#memory.remember(this.#key, cached, this.#started);
      return this.#found;
    }
    const isKnown = cached !== null || earlier !== undefined || this.#minVersion > 0;
    const read = await this.#readCatalogue(isKnown ? "known" : "unknown");
    if (typeof read !== "string") this.#found = read;
    if (read !== "unavailable") return read;
    this.#isUnavailable = true;
    return earlier ?? cached ?? read;
  }

  /** A record for a scan that must be answered without a fresh view. */
  async readWithoutFeed(): Promise<T | Failure> {
    return this.#found ?? (await this.#readCache()) ?? this.#readCatalogue("unknown");
  }

  /** The catalogue's record, or else the newest that is known. */
  async readCatalogue(): Promise<T | Failure> {
    const known = this.#found ?? (await this.#readCache());
    const read = await this.#readCatalogue(known === null ? "unknown" : "known");
    if (typeof read !== "string") this.#found = read;
    return read === "unavailable" ? (known ?? read) : read;
  }

  /** Whether the view lists nothing newer than what was read last, or what it lists can't be read. */
  isCurrent(): boolean {
    return this.#isUnavailable || (this.#found?.version ?? 0) >= this.#minVersion;
  }

  get #memory() {
    return this.#kind.memory(this.#deps);
  }

  get #minVersion(): number {
    return feedView(this.#deps).minVersion(this.#key);
  }

  async #readCache(): Promise<T | null> {
    if (this.#cached === undefined) this.#cached = await this.#readCacheNow();
    return this.#cached;
  }

  async #readCacheNow(): Promise<T | null> {
    try {
      const { absent = null, isRecord } = this.#kind;
      const record = await readRoute<T>(this.#deps.routeCache, this.#key, isRecord);
      this.#isCacheUnreadable = record === "unreadable";
      return record === "unreadable" ? null : (record ?? absent);
    } catch (error) {
      log("error", "route cache not read", { key: this.#key, error: describeError(error) });
      return null;
    }
  }

  /**
   * @param existence whether the key is known to exist; the look-up of a known one is never throttled
   * @returns `unavailable` also for a network that is throttled and has too many look-ups in progress
   */
  async #readCatalogue(existence: "known" | "unknown"): Promise<T | Failure> {
    const { db, now } = this.#deps;
    const began = now();
    const find = () => this.#kind.find(db, this.#key);
    const isKnown = existence === "known" || this.#kind.absent !== undefined || this.#isCacheUnreadable;
    let record: T | Miss;
    try {
      record = isKnown
        ? ((await find()) ?? "unknown")
        : await unknownHashThrottle(this.#deps).lookUp(this.#context.clientAddress, find);
    } catch (error) {
      log("error", "catalogue not read for a scan", { key: this.#key, error: describeError(error) });
      return "unavailable";
    }
    if (record === "busy") return "unavailable";
    if (record === "unknown" || record === "throttled") return record;
    if (!this.#kind.isRecord(record)) {
      log("error", "the catalogue's record can't answer a scan", { key: this.#key });
      return "unavailable";
    }
    if (!isKnown || this.#isCacheUnreadable) this.#context.defer(fillCache(this.#deps, this.#key, record));
    return this.#memory.remember(this.#key, record, began);
  }
}
