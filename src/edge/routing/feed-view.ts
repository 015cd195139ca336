import { perIsolate } from "../../lib/isolate-memory.ts";
import type { Region } from "../../protocol/regions.ts";
import { type FeedPage, feedRetentionMilliseconds, type SharedFeedPage } from "../../protocol/route-feed.ts";
import { routing } from "./timing.ts";

/** The relation between the isolate's clock and a feed's. */
interface Calibration {
  /** The run of the feed object whose clock was read. */
  readonly instance: string;
  /** The isolate's clock minus the feed's. A slow read makes it too small, never too large. */
  readonly offset: number;
  readonly at: number;
}

/**
 * An isolate's view of its region's feed: which keys recently reached which version. Plain data shared by requests;
 * `feed-refresh.ts` refreshes it.
 */
class FeedView {
  /** When the feed read that completed this view began, epoch milliseconds. */
  #asOf = Number.NEGATIVE_INFINITY;
  #seq = 0;
  /**
   * Whether the feed may have changes that were not read: the last page read was not the feed's last, or was
   * unreadable.
   */
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
   * Whether the feed lists changes that this view lacks, because the next page was not read in time or has an unknown
   * format. Any record of the route cache may then be out of date.
   */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Returns whether a background refresh is due and none has just begun. */
  needsRefresh(now: number): boolean {
    return (
      now - this.#asOf > routing.refreshMilliseconds &&
      now - this.#refreshStarted > routing.feedTimeoutMilliseconds
    );
  }

  /** Returns the lowest version that may be served under a key; 0 if the key has not changed recently. */
  minVersion(key: string): number {
    return this.#changes.get(key)?.version ?? 0;
  }

  /**
   * Returns the region whose feed the isolate reads: that of its first request. Later requests may come from other
   * regions, but each feed numbers its changes separately.
   */
  regionFor(region: Region): Region {
    this.#region ??= region;
    return this.#region;
  }

  /** The number of the last change that the view contains. */
  get seq(): number {
    return this.#seq;
  }

  /** Records the start of a background refresh. */
  beginRefresh(now: number): void {
    this.#refreshStarted = now;
  }

  /** Records the start of a feed read. */
  beginRead(now: number): void {
    this.#refreshStarted = now;
    this.#readStarted = now;
  }

  /** Returns whether a feed read is in progress. A read whose request was cancelled counts until it times out. */
  isBeingRead(now: number): boolean {
    return now - this.#readStarted <= routing.feedTimeoutMilliseconds;
  }

  /** Returns whether the feed failed so recently that it must not be read yet. */
  isBackingOff(now: number): boolean {
    return now < this.#retryAt;
  }

  /** Records that a read ended in time or failed. Each consecutive failure doubles the delay before the next read. */
  endRead(outcome: "read" | "failed", now: number): void {
    this.#readStarted = Number.NEGATIVE_INFINITY;
    this.#failures = outcome === "read" ? 0 : this.#failures + 1;
    const { backOffMilliseconds, maxBackOffMilliseconds } = routing;
    const delay = backOffMilliseconds * 2 ** (this.#failures - 1);
    this.#retryAt = this.#failures === 0 ? now : now + Math.min(delay, maxBackOffMilliseconds);
  }

  /** Makes the next scan read the feed, because this isolate knows of a change. */
  expire(): void {
    this.#asOf = Number.NEGATIVE_INFINITY;
  }

  /** Records that the feed sent an unreadable page, so it may list changes that this view lacks. */
  noteUnreadable(): void {
    this.#isBehind = true;
  }

  /** Adds a page that this isolate read. @param began when the read began */
  addPage(page: FeedPage, began: number): void {
    this.#calibration = { instance: page.instance, offset: began - page.at, at: began };
    this.#add(page, began, page.more ? this.#asOf : began);
    this.#isBehind = page.more;
  }

  /**
   * Adds a page that another isolate read. Its age follows from the feed's clock: how much later it was served than
   * this isolate's last own page. So the clocks of two machines are never compared.
   * @returns whether that makes a refresh unnecessary
   */
  addShared(page: SharedFeedPage, now: number): boolean {
    const calibration = this.#calibration;
    if (calibration === undefined || page.instance !== calibration.instance) return false;
    if (now - calibration.at > routing.calibrationMilliseconds) return false;
    // The changes in between would be missing.
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
