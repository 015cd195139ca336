import { type FeedPage, feedRetentionMilliseconds, type SharedFeedPage } from "../../protocol/route-feed.ts";
import type { Region } from "../../protocol/regions.ts";
import { perIsolate } from "../isolate-memory.ts";
import { routing } from "./timing.ts";

/** How the isolate's clock and a feed's compare. */
interface Calibration {
  /** The start of the feed object whose clock was read. */
  readonly instance: string;
  /** The isolate's clock minus the feed's; less if the read took long, never more. */
  readonly offset: number;
  readonly at: number;
}

/**
 * An isolate's view of its region's feed: which keys recently reached which version. It is plain data that requests
 * share; `feed-refresh.ts` refreshes it.
 */
class FeedView {
  /** When a read of the feed began that made this view complete, epoch milliseconds. */
  #asOf = Number.NEGATIVE_INFINITY;
  #seq = 0;
  /** Whether the feed may have more changes than were read: its last page was not the last of the feed, or unreadable. */
  #isBehind = false;
  #region: Region | undefined;
  #calibration: Calibration | undefined;
  #refreshStarted = Number.NEGATIVE_INFINITY;
  #readStarted = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  readonly #changes = new Map<string, { readonly version: number; readonly seenAt: number }>();

  /** Whether a scan may rely on this view. */
  isFresh(now: number): boolean {
    return now - this.#asOf <= routing.viewMilliseconds;
  }

  /**
   * Whether the feed lists changes that this view lacks, because they do not fit into one page and the next was not read in
   * time, or because its page has another format. A record of the route cache may be one of them.
   */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Whether a background refresh is due and none has just begun. */
  needsRefresh(now: number): boolean {
    return (
      now - this.#asOf > routing.refreshMilliseconds &&
      now - this.#refreshStarted > routing.feedTimeoutMilliseconds
    );
  }

  /** The lowest version that may be served under a key; 0 when the key has not changed recently. */
  minVersion(key: string): number {
    return this.#changes.get(key)?.version ?? 0;
  }

  /**
   * The region whose feed the isolate reads: that of its first request. Requests come from clients of several regions,
   * and every feed numbers its changes on its own.
   */
  regionFor(region: Region): Region {
    this.#region ??= region;
    return this.#region;
  }

  /** The number of the last change that the view contains. */
  get seq(): number {
    return this.#seq;
  }

  /** Notes that a background refresh begins. */
  beginRefresh(now: number): void {
    this.#refreshStarted = now;
  }

  /** Notes that a read of the feed begins. */
  beginRead(now: number): void {
    this.#refreshStarted = now;
    this.#readStarted = now;
  }

  /** Whether a read of the feed is in progress. One whose request was cancelled ends by time. */
  isBeingRead(now: number): boolean {
    return now - this.#readStarted <= routing.feedTimeoutMilliseconds;
  }

  /** Whether the feed failed, and must not be read yet. */
  isBackingOff(now: number): boolean {
    return now < this.#retryAt;
  }

  /** Notes that a read ended in time, or that it failed: each failure in a row doubles the time to the next read. */
  endRead(outcome: "read" | "failed", now: number): void {
    this.#readStarted = Number.NEGATIVE_INFINITY;
    this.#failures = outcome === "read" ? 0 : this.#failures + 1;
    const { backOffMilliseconds, maxBackOffMilliseconds } = routing;
    const delay = backOffMilliseconds * 2 ** (this.#failures - 1);
    this.#retryAt = this.#failures === 0 ? now : now + Math.min(delay, maxBackOffMilliseconds);
  }

  /** Notes that the feed answered with a page that can't be read: it may list changes that this view lacks. */
  noteUnreadable(): void {
    this.#isBehind = true;
  }

  /** Adds a page that this isolate read. @param began when the read of the page began */
  addPage(page: FeedPage, began: number): void {
    this.#calibration = { instance: page.instance, offset: began - page.at, at: began };
    this.#add(page, began, page.more ? this.#asOf : began);
    this.#isBehind = page.more;
  }

  /**
   * Adds a page that another isolate read. The feed's clock shows how much later it was read than this isolate's last
   * own page, and so how old it is by the isolate's clock: neither clock is compared with another.
   * @returns whether the view needs no refresh then
   */
  addShared(page: SharedFeedPage, now: number): boolean {
    const calibration = this.#calibration;
    if (calibration === undefined || page.instance !== calibration.instance) return false;
    if (now - calibration.at > routing.calibrationMilliseconds) return false;
    // Changes between the two would be missing.
    if (page.from > this.#seq) return false;
    this.#add(page, now, Math.min(now, page.at + calibration.offset));
    this.#isBehind = false;
    return now - this.#asOf <= routing.refreshMilliseconds;
  }

  #add({ changes, seq }: Pick<FeedPage, "changes" | "seq">, now: number, asOf: number): void {
    for (const { key, version } of changes) {
      const known = this.#changes.get(key)?.version ?? 0;
      // Deleting first moves the key to the end, so that the map stays ordered by age.
      this.#changes.delete(key);
      this.#changes.set(key, { version: Math.max(known, version), seenAt: now });
    }
    this.#seq = Math.max(this.#seq, seq);
    this.#asOf = Math.max(this.#asOf, asOf);
    this.#prune(now);
  }

  /** Drops changes that every cache has caught up with. */
  #prune(now: number): void {
    for (const [key, { seenAt }] of this.#changes) {
      if (now - seenAt <= feedRetentionMilliseconds) return;
      this.#changes.delete(key);
    }
  }
}

/** The isolate's view of its feed. */
export const feedView = perIsolate(() => new FeedView());
