import { feedRetentionMilliseconds } from "../../protocol/route-feed.ts";
import type { Region } from "../../protocol/regions.ts";
import type { Deps } from "../deps.ts";
import { perIsolate } from "../isolate-memory.ts";
import { routing } from "./timing.ts";

/**
 * An isolate's view of its region's feed: which keys recently reached which version. It is plain data that requests
 * share; a request that needs a fresher view reads the feed itself.
 */
class FeedView {
  /** When the read began that made this view complete, epoch milliseconds. */
  #asOf = Number.NEGATIVE_INFINITY;
  #seq = 0;
  #refreshingSince = Number.NEGATIVE_INFINITY;
  readonly #changes = new Map<string, { readonly version: number; readonly seenAt: number }>();

  /** Whether a scan may rely on this view. */
  isFresh(now: number): boolean {
    return now - this.#asOf <= routing.viewMilliseconds;
  }

  /** Whether a background refresh is due and none is running. */
  needsRefresh(now: number): boolean {
    return (
      now - this.#asOf > routing.refreshMilliseconds &&
      now - this.#refreshingSince > routing.feedTimeoutMilliseconds
    );
  }

  /** The lowest version that may be served under a key; 0 when the key has not changed recently. */
  minVersion(key: string): number {
    return this.#changes.get(key)?.version ?? 0;
  }

  /**
   * Reads new changes. The view's age counts from the start of the read.
   * @throws when the feed fails
   */
  async refresh(deps: Deps, region: Region): Promise<void> {
    const began = deps.now();
    this.#refreshingSince = began;
    const feed = deps.feed(region);
    let seq = this.#seq;
    let more = true;
    while (more) {
      const page = await feed.changes(seq);
      for (const { key, version } of page.changes) this.#add(key, version, began);
      seq = page.seq;
      more = page.more;
    }
    this.#seq = Math.max(this.#seq, seq);
    this.#asOf = Math.max(this.#asOf, began);
    this.#prune(began);
  }

  #add(key: string, version: number, seenAt: number): void {
    const known = this.#changes.get(key)?.version ?? 0;
    // Deleting first moves the key to the end, so that the map stays ordered by age.
    this.#changes.delete(key);
    this.#changes.set(key, { version: Math.max(known, version), seenAt });
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
