import { describeError, log } from "../../lib/log.ts";
import type { Versioned } from "../../protocol/routes.ts";
import { readRoute } from "../../store/routing/route-cache.ts";
import type { EdgeDeps } from "../deps.ts";
import { fillCache } from "./cache-writes.ts";
import { feedView } from "./feed-view.ts";
import type { RequestContext } from "./request-context.ts";
import type { RouteKind } from "./route-kinds.ts";
import { type Miss, unknownHashThrottle } from "./throttle.ts";

/** Why no record was found; see `Resolution`. */
export type Failure = "unknown" | "throttled" | "unavailable";

/** Reads one record for one request, from the isolate's memory, the route cache or the catalogue. */
export class RecordReader<T extends Versioned> {
  readonly #deps: EdgeDeps;
  readonly #kind: RouteKind<T>;
  readonly #key: string;
  readonly #context: RequestContext;
  readonly #started: number;
  /** The route cache's record: undefined until it has been read, null if it has no usable one. */
  #cached: T | null | undefined;
  /** Whether the route cache's record has another format and must be replaced with the catalogue's. */
  #isCacheUnreadable = false;
  /** The result of the last read. */
  #found: T | undefined;
  /** Whether the catalogue, which has a newer record, could not be read. */
  #isUnavailable = false;

  constructor(deps: EdgeDeps, kind: RouteKind<T>, key: string, context: RequestContext) {
    this.#deps = deps;
    this.#kind = kind;
    this.#key = key;
    this.#context = context;
    this.#started = deps.now();
  }

  /** The record read last, or else the one in memory, however old. */
  get known(): T | undefined {
    return this.#found ?? this.#cached ?? this.#memory.last(this.#key);
  }

  /** Reads the route cache once, unless memory has a record. */
  async prefetch(): Promise<void> {
    if (this.#memory.recall(this.#key, this.#deps.now(), 0) === undefined) await this.#readCache();
  }

  /** Returns a record as new as the view now demands; if there is none, an old one. */
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
    const known = earlier ?? cached ?? this.#memory.last(this.#key);
    // Something of which the view lists a version exists, or did until then.
    return known === undefined || this.#kind.isAbsence?.(known) === true ? read : known;
  }

  /** Returns a record for a scan that must be answered without a fresh view. */
  async readWithoutFeed(): Promise<T | Failure> {
    const known = this.#found ?? (await this.#readCache());
    return known ?? this.#orRemembered(await this.#readCatalogue("unknown"));
  }

  /** Returns the catalogue's record, or else the newest known one. */
  async readCatalogue(): Promise<T | Failure> {
    const known = this.#found ?? (await this.#readCache());
    const read = await this.#readCatalogue(known === null ? "unknown" : "known");
    if (typeof read !== "string") this.#found = read;
    return read === "unavailable" ? (known ?? this.#orRemembered(read)) : read;
  }

  /** Returns whether the view lists nothing newer than the last read, or the newer record can't be read. */
  isCurrent(): boolean {
    return this.#isUnavailable || (this.#found?.version ?? 0) >= this.#minVersion;
  }

  /** Returns a record from memory, however old, if neither the route cache nor the catalogue can be read. */
  #orRemembered(read: T | Failure): T | Failure {
    return read === "unavailable" ? (this.#memory.last(this.#key) ?? read) : read;
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

  /** A key that is absent after the view listed a version of it was removed by that version, or by a later one. */
  #datedAbsence(record: T | null, least: number): T | null {
    const { isAbsence } = this.#kind;
    if (record === null || record.version >= least || isAbsence?.(record) !== true) return record;
    return { ...record, version: least };
  }

  /**
   * @param existence whether the key is known to exist; look-ups of known keys are never throttled
   * @returns `unavailable` also for a throttled network with too many look-ups in progress
   */
  async #readCatalogue(existence: "known" | "unknown"): Promise<T | Failure> {
    const { db, now } = this.#deps;
    const began = now();
    const least = this.#minVersion;
    const find = async () => this.#datedAbsence(await this.#kind.find(db, this.#key), least);
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
      log("error", "catalogue record unfit to answer a scan", { key: this.#key });
      return "unavailable";
    }
    if (!isKnown || this.#isCacheUnreadable) this.#context.defer(fillCache(this.#deps, this.#key, record));
    return this.#memory.remember(this.#key, record, began);
  }
}
