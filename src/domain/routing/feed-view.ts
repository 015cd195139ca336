import type { FeedPage } from "../../protocol/routes.ts";
import { type Region, routing } from "../../protocol/routing.ts";
import type { Deps } from "../../composition.ts";

/**
 * What an isolate knows of its region's feed: which keys reached which version lately. Plain data that
 * requests share; each request that needs it fresher reads the feed itself.
 */
export class FeedView {
  /** When the read began that this view has all changes of, epoch milliseconds. */
  #asOf = Number.NEGATIVE_INFINITY;
  #seq = 0;
  #refreshingSince = Number.NEGATIVE_INFINITY;
  readonly #changes = new Map<string, { readonly version: number; readonly seenAt: number }>();

  /** Whether a scan may rely on it. */
  isFresh(now: number): boolean {
    return now - this.#asOf <= routing.viewMilliseconds;
  }

  /** Whether it is time to refresh it beside the traffic, and nobody is at it. */
  wantsRefresh(now: number): boolean {
    return (
      now - this.#asOf > routing.refreshMilliseconds &&
      now - this.#refreshingSince > routing.feedBudgetMilliseconds
    );
  }

  /** The least version that may be served under a key; 0 when it has not changed lately. */
  floor(key: string): number {
    return this.#changes.get(key)?.version ?? 0;
  }

  /**
   * Reads what is new. The view's age counts from when the reading began.
   * @throws when the feed fails
   */
  async refresh(deps: Deps, region: Region): Promise<void> {
    const began = deps.now();
    this.#refreshingSince = began;
    const feed = deps.feed(region);
    let seq = this.#seq;
    for (let more = true; more; ) {
      const page = await feed.changes(seq);
      for (const [key, version] of page.changes as FeedPage["changes"]) this.#note(key, version, began);
      seq = page.seq;
      more = page.more;
    }
    this.#seq = Math.max(this.#seq, seq);
    this.#asOf = Math.max(this.#asOf, began);
    this.#prune(began);
  }

  #note(key: string, version: number, seenAt: number): void {
    const known = this.#changes.get(key)?.version ?? 0;
    // Set anew, so that the map stays in order of age.
    this.#changes.delete(key);
    this.#changes.set(key, { version: Math.max(known, version), seenAt });
  }

  /** Forgets what every cache has long caught up with. */
  #prune(now: number): void {
    for (const [key, { seenAt }] of this.#changes) {
      if (now - seenAt <= routing.feedMilliseconds) return;
      this.#changes.delete(key);
    }
  }
}
