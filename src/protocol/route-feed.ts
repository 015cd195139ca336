/** A key and the version it has reached. */
export interface FeedChange {
  readonly key: string;
  readonly version: number;
}

/** The format of the pages below. Raise it with every change of their shape; pages of other formats are ignored. */
export const feedPageFormat = 1;

/** One page of a feed. */
export interface FeedPage {
  readonly format: typeof feedPageFormat;
  /** Pass it to read the next page. */
  readonly seq: number;
  readonly changes: readonly FeedChange[];
  readonly more: boolean;
  /** When the feed served the page, by its own clock, epoch milliseconds. */
  readonly at: number;
  /** Identifies the object's run in memory, and so its clock. */
  readonly instance: string;
}

/** A feed's last page as the isolates of a colo share it: complete for readers that have read up to `from`. */
export interface SharedFeedPage extends Omit<FeedPage, "more"> {
  readonly from: number;
}

/**
 * Returns whether a feed object's response is a page of this format. For a moment, the object may run an older or newer
 * release.
 */
export function isFeedPage(value: unknown): value is FeedPage {
  return isPage(value) && typeof value.more === "boolean";
}

/** Returns whether a value from the colo's cache is a shared page of this format. */
export function isSharedFeedPage(value: unknown): value is SharedFeedPage {
  return isPage(value) && typeof value.from === "number";
}

function isPage(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const { format, seq, at, instance, changes } = value as Partial<FeedPage>;
  return (
    format === feedPageFormat &&
    typeof seq === "number" &&
    typeof at === "number" &&
    typeof instance === "string" &&
    Array.isArray(changes) &&
    changes.every((change) => typeof change?.key === "string" && typeof change.version === "number")
  );
}

/** The methods of a RouteFeed object. */
export interface RouteFeedMethods {
  publish(changes: readonly FeedChange[]): void;
  changes(seq: number): FeedPage;
}

/**
 * How long a feed lists a change. It must outlast every cache that may still hold the old route: the route cache's lag
 * (60 s or more) and an isolate's memory. Ten minutes leave a margin.
 */
export const feedRetentionMilliseconds = 10 * 60_000;

/** Changes in one page of a feed. */
export const feedPageSize = 5000;
