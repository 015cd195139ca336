/** The numbers behind the guarantee: an update is followed everywhere within a second of its response. */
export const routing = {
  /** The oldest view of the feed that a scan may rely on: the bound of the guarantee. */
  viewMilliseconds: 1000,
  /** An older view is refreshed in the background, so that scans at a busy edge never wait for one. */
  refreshMilliseconds: 500,
  /** How long a scan waits for its feed before the route cache alone answers it. */
  feedTimeoutMilliseconds: 250,
  /** How long an isolate leaves a feed alone after a read failed. It doubles with each failure in a row. */
  backOffMilliseconds: 250,
  maxBackOffMilliseconds: 8000,
  /** The longest time that an isolate waits for another one of its colo to share a page, before it reads the feed. */
  shareMilliseconds: 200,
  /** How long an isolate judges shared pages by its last own read: clocks may run apart. */
  calibrationMilliseconds: 30_000,
  /** How often an isolate logs that scans are answered without a fresh feed. */
  logMilliseconds: 10_000,
  /** Rounds of reads after which a scan is answered even if its view of the feed has become too old in the meantime. */
  readRounds: 4,
  /** How long an update waits for a feed to take its change before it leaves the change to the repairs. */
  publishTimeoutMilliseconds: 3000,
  /** How long an isolate answers from its memory before it reads the route cache again. */
  memoryMilliseconds: 30_000,
  /** Routes an isolate remembers, hosted pages, which are larger, and workspaces. */
  memoryRoutes: 10_000,
  memoryPages: 300,
  memoryWorkspaces: 10_000,
  /** How long a bulk update writes the routes of a slice to the route cache before it leaves the rest to the repair. */
  cacheWritesMilliseconds: 10_000,
  /** When, after a change, the caches are written again from the catalogue, in case two writes raced. */
  convergeSeconds: 15,
  /** Delay and number of retries of a failed repair; afterwards the sweep takes over. */
  repairRetrySeconds: 5,
  repairTries: 10,
  /** A publication still pending after this long was interrupted, for example by a crash; the sweep completes it. */
  stalePublicationMilliseconds: 60_000,
  /**
   * While the route cache refuses writes: the age from which the next sweep publishes a pending change to the feeds again,
   * which keep it for ten minutes. Sweeps run each minute, so that this is every four minutes, though they are not on the dot.
   */
  feedRenewalMilliseconds: 210_000,
  /** Pending changes that one sweep publishes to the feeds again, in one call of each. */
  feedRenewals: 20_000,
  /** How long an isolate that has learnt that the route cache refuses writes leaves it alone without asking again. */
  refusalMilliseconds: 10_000,
} as const;
