/** A key and the version it has reached. */
export interface FeedChange {
  readonly key: string;
  readonly version: number;
}

/** One page of a feed. */
export interface FeedPage {
  /** Pass it to read the next page. */
  readonly seq: number;
  readonly changes: readonly FeedChange[];
  readonly more: boolean;
  /** When the feed served the page, by its own clock, epoch milliseconds. */
  readonly at: number;
  /** Identifies the object's run in memory, and so its clock. */
  readonly instance: string;
}

/** The last page of a feed as isolates of a colo share it: complete for readers that have read up to `from`. */
export interface SharedFeedPage extends Omit<FeedPage, "more"> {
  readonly from: number;
}

/** The methods of a RouteFeed object. */
export interface RouteFeedMethods {
  publish(changes: readonly FeedChange[]): void;
  changes(seq: number): FeedPage;
}

/**
 * How long a feed lists a change. It must outlast every cache that may still hold the old route: the route cache's
 * lag (60 s and more) and an isolate's memory. Ten minutes leave a margin.
 */
export const feedRetentionMilliseconds = 10 * 60_000;

/** Changes in one page of a feed. */
export const feedPageSize = 5000;
