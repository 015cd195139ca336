/** The numbers behind "re-routed at once, everywhere, and fast". */
export const routing = {
  /** A scan never relies on a view of the feed older than this: the bound of the guarantee. */
  viewMilliseconds: 1000,
  /** A view older than this is refreshed beside the traffic, so that busy edges never wait for one. */
  refreshMilliseconds: 500,
  /** How long a scan waits for its feed. After that it is served from the route cache. */
  feedBudgetMilliseconds: 250,
  /** How long an update waits for a feed to take its change, before it leaves it to the repairs. */
  publishBudgetMilliseconds: 3000,
  /** How long an isolate answers from its memory before it looks into the route cache again. */
  memoryMilliseconds: 30_000,
  /** Routes that an isolate remembers, and hosted pages, which are larger. */
  memoryRoutes: 10_000,
  memoryPages: 300,
  /**
   * How long a feed lists a change. It must outlast what may still hold the old route: the route cache's lag
   * (60 s and more) and an isolate's memory. Ten minutes leave a margin.
   */
  feedMilliseconds: 10 * 60_000,
  /** Changes in one answer of a feed. */
  feedPage: 5000,
  /** When, after a change, caches are made to say what the catalogue says, should two writes have raced. */
  convergeSeconds: 15,
  /** When a repair that failed is tried again, and how often; after that it is the sweep's. */
  repairRetrySeconds: 5,
  repairTries: 10,
  /** A change that has not been settled after this long was left behind, as by a crash; the sweep takes it up. */
  unsettledMilliseconds: 60_000,
} as const;

/** Where Durable Objects can be placed: one feed each. */
export const regions = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof regions)[number];
