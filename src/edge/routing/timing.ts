/** The numbers behind the guarantee that every scan follows an update within a second of its response. */
export const routing = {
  /** The oldest view of the feed that a scan may rely on. This is the bound of the guarantee. */
  viewMilliseconds: 1000,
  /** Views older than this are refreshed in the background, so that scans at a busy edge never wait for a refresh. */
  refreshMilliseconds: 500,
  /** How long a scan waits for its feed before the route cache answers alone. */
  feedTimeoutMilliseconds: 250,
  /** How long an isolate doesn't read a feed after a failed read. Each consecutive failure doubles it. */
  backOffMilliseconds: 250,
  maxBackOffMilliseconds: 8000,
  /** The longest that an isolate waits for another one in its colo to share a page before it reads the feed itself. */
  shareMilliseconds: 200,
  /** How long an isolate dates shared pages by its own last read. After that the clocks may have drifted apart. */
  calibrationMilliseconds: 30_000,
  /** How often an isolate logs that scans are answered without a fresh feed. */
  logMilliseconds: 10_000,
  /**
   * After this many rounds of reads, a scan is answered even if its view of the feed has become too old in the
   * meantime.
   */
  readRounds: 4,
  /** How long an update waits for a feed to accept its change before it leaves the change to the repairs. */
  publishTimeoutMilliseconds: 3000,
  /** How long an isolate answers from memory before it reads the route cache again. */
  memoryMilliseconds: 30_000,
  /** How many routes (aliases apart), hosted pages (which are larger), workspaces and hosts an isolate remembers. */
  memoryRoutes: 10_000,
  memoryPages: 300,
  memoryWorkspaces: 10_000,
  memoryDomains: 2000,
  /** The most bytes for each kind. Routes are about 1 KiB, pages up to some hundred. */
  memoryRouteBytes: 16 * 1024 * 1024,
  memoryPageBytes: 16 * 1024 * 1024,
  /** How long several routes are written to the route cache before the rest is left to the next repair. */
  cacheWritesMilliseconds: 10_000,
  /** When, after a change, the caches are rewritten from the catalogue, in case two writes raced. */
  convergeSeconds: 15,
  /**
   * How long after a publication its repair leaves out the feeds, which list it for ten minutes. The caches may need the
   * last two: the route cache's lag and the isolates' memory.
   */
  listedMilliseconds: 8 * 60_000,
  /** Delay and number of retries of a failed repair; after that, the sweep takes over. */
  repairRetrySeconds: 5,
  repairTries: 10,
  /** A publication that has been pending this long was interrupted, for example by a crash. The sweep completes it. */
  stalePublicationMilliseconds: 60_000,
  /**
   * While the route cache refuses writes, a sweep publishes pending changes older than this to the feeds again, which
   * keep them for ten minutes. Sweeps run once a minute but not exactly on time, so this amounts to every four minutes.
   */
  feedRenewalMilliseconds: 210_000,
  /** How many pending changes one sweep publishes to the feeds again, with one call per feed. */
  feedRenewals: 20_000,
  /** How long an isolate that knows that the route cache refuses writes waits before it asks again. */
  refusalMilliseconds: 10_000,
} as const;
