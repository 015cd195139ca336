const gigabytes = 1e9;

/** Bounds on the data that strangers and customers can add to a ledger. docs/limits.md says what happens at each. */
export const bounds = {
  /**
   * Requests to Cloudflare's API per period, milliseconds. Two periods together stay below the 1,200 in five minutes
   * after which Cloudflare blocks the operator's whole account. From `asked` on, people's requests are refused, which
   * leaves room for the sweep's 220.
   */
  cloudflareRequests: { period: 5 * 60_000, all: 400, asked: 300 },
  /** Events in a webhook's ended deliveries. A batch counts as its number of events. */
  endedEvents: 100_000,
  /** Events in a webhook's pending deliveries. */
  pendingEvents: 100_000,
  /** Replays kept per webhook, including the running one. */
  replays: 10,
  /** Characters of a user agent that are stored. */
  userAgentLength: 400,
  /**
   * Distinct user agents, places (a country and a city) and referrers in a ledger, and new ones per day. A flood of
   * invented values only fills up a day's share, and takes weeks to fill the total. Addresses by which scans came
   * (`vias`) have no daily share: they exist only where the workspace has a domain or an alias.
   */
  entries: {
    agents: { total: 50_000, newPerDay: 2000 },
    places: { total: 100_000, newPerDay: 5000 },
    referrers: { total: 50_000, newPerDay: 1000 },
    vias: { total: 100_000, newPerDay: 100_000 },
  },
  /**
   * Scans and bytes in a queue message; queues bill per 64 KB. An isolate that dies loses the message it is filling.
   */
  scanMessage: { scans: 500, bytes: 60_000 },
  /**
   * Scans that one call of a ledger records. They are bound as a single SQL value of up to 2 MB, and block the ledger's
   * other calls for about 100 ms.
   */
  scansPerCall: 10_000,
  /** Scans that one page of a code's scan list examines. */
  listedScans: 5000,
  /** Counts of scans without a target, each of a code, reason and day, that their list reads. */
  closedCounts: 10_000,
  /** How many full pages of the scan list its CSV holds. */
  loggedPages: 40,
  /**
   * Calls of an isolate of the images Worker in progress. A drawing is not interrupted, so those that wait hold their SVG
   * alone: 0.4 MB at most. A measurement holds sixteen of them, a document a hundred small ones.
   */
  imagesWorker: { drawings: 50, documents: 16, measurements: 4, waitingMeasurements: 16 },
  /** The scans that a live connection can resume with: calls that recorded scans, and scans of each. */
  liveCalls: 128,
  liveScans: 100,
  /**
   * Scans that a live connection shows per second. Unused seconds carry over, up to two, because calls come in bursts.
   */
  liveScansPerSecond: 50,
  /** Scans that the page of a code shows as its last ones. */
  activityScans: 4,
  /**
   * How long an export counts after its lease was last renewed, milliseconds. Longer than its client may read nothing.
   */
  exportLease: 90_000,
  /** Submissions per page, and submissions that one network may send to it per day. */
  submissions: 100_000,
  submissionsPerDay: 1000,
  /**
   * Submissions that one page of their list examines, and characters of their answers. A submission has up to 200,000
   * characters, and a page is sent in one call of at most 32 MiB.
   */
  searchedSubmissions: 5000,
  searchedCharacters: 2_000_000,
  /** Codes that one page of their list examines for a filter without an index. */
  searchedCodes: 5000,
  /**
   * The most that one request for a search reads: entries of the indexes of names and of addresses, in statements of so many; then
   * codes, in statements of so many, until they have taken so many milliseconds of the catalogue. In a larger workspace
   * than `whole`, codes that an index finds are answered before others are looked for.
   */
  search: { entries: 500_000, perIndex: 250_000, codes: 25_000, time: 300, statements: 8, whole: 50_000 },
  /** Codes that a page of their list examines to find those that it sorts. */
  sortedFrom: 50_000,
  /** How long after an alert the next one of its kind is sent at the earliest, milliseconds. */
  alertMilliseconds: 60 * 60_000,
  /** Workspaces with an address for alerts that one run of the sweep looks at. */
  alertChecks: 40,
  /** Days, today included, in which scans of codes that don't answer, and visits of domains, count as late ones. */
  lately: 30,
  /** How many tags the palette searches. */
  searchedTags: 500,
  /** Submissions that one request can erase. */
  erasedSubmissions: 10_000,
  /**
   * Sizes of a ledger, whose object can hold 10 GB. From `high` on, the size is reported; from `full` on, scans are
   * counted but not stored; from `reserve` on, only counts are stored.
   */
  ledger: { high: 6 * gigabytes, full: 9 * gigabytes, reserve: 9.5 * gigabytes },
  /**
   * Raw scans in a ledger. A month's scans move to R2 once this many whole months have passed since. From `ledger.high`
   * on, scans older than `days` move as well, oldest first. Each code's newest scans stay.
   */
  rawScans: { months: 13, days: 30, newestOfCode: 500 },
  /** Codes whose totals a ledger copies to the catalogue at a time, and among how many it looks for them. */
  copiedTotals: { codes: 1000, read: 10_000 },
  /**
   * A workspace's history: entries, their bytes as JSON, and days for which they are kept. Beyond these, the oldest are
   * deleted. Entries about people, keys, webhooks and settings (`guardedKinds`) have a reserved quota. Entries that one
   * page of a filtered list examines.
   */
  history: {
    rows: 200_000,
    bytes: 200_000_000,
    guarded: { rows: 20_000, bytes: 20_000_000 },
    days: 400,
    examined: 5000,
    /** The growth within an hour beyond which a notice is shown, and for how long, milliseconds. */
    unusual: { rows: 50_000, bytes: 50_000_000, noticed: 24 * 60 * 60_000 },
  },
  /**
   * Bytes of a workspace in the outbox, where changes wait while its ledger can't be reached. From `values` on, entries
   * of the history are stored without values; from `changes` on, none is, except entries about people, keys, webhooks and
   * settings, up to `guarded`. A workspace with webhooks stores events, with their entries, up to `events`.
   */
  outbox: { values: 16_000_000, changes: 32_000_000, guarded: 40_000_000, events: 500_000_000 },
  /** Counts of what the installation does: the length of an interval and how long they are kept, milliseconds. */
  figures: { interval: 5 * 60_000, retention: 2 * 24 * 60 * 60_000 },
  /** Requests to other hosts in one invocation. On Cloudflare's Free plan, the next one fails. */
  externalRequests: 50,
  /** Messages to the operator's receiver in one check. Others are sent by the next ones. */
  alertsPerCheck: 20,
} as const;
