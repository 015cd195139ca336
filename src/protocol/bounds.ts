const gigabytes = 1e9;

/** Bounds on what strangers and customers can make grow in a ledger. docs/limits.md says what happens at each. */
export const bounds = {
  /** Events in the ended deliveries of a webhook: a batch counts as its events. */
  endedEvents: 100_000,
  /** The same of its pending deliveries. */
  pendingEvents: 100_000,
  /** Replays of a webhook that are kept, the running one included. */
  replays: 10,
  /** Characters of a user agent that are stored. */
  userAgentLength: 400,
  /**
   * Different user agents, places (a country and a city) and referrers in a ledger, and new ones a day: a flood of
   * invented ones uses up a day, and what it leaves behind takes weeks to fill the whole.
   */
  entries: {
    agents: { total: 50_000, newPerDay: 2000 },
    places: { total: 100_000, newPerDay: 5000 },
    referrers: { total: 50_000, newPerDay: 1000 },
  },
  /**
   * Scans in a message of the queue, and its bytes: a queue bills each 64 KB as a unit. An isolate that dies loses the scans of
   * the message that it is filling.
   */
  scanMessage: { scans: 500, bytes: 60_000 },
  /**
   * Scans that one call of a ledger records. The ledger has them as one value of its database, which takes 2 MB, and holds up
   * its other calls for some 100 ms.
   */
  scansPerCall: 10_000,
  /** Scans that a page of the list of a code's scans examines. */
  listedScans: 5000,
  /** Pages of that list in a file of it, each of as many scans as a page can have. */
  loggedPages: 40,
  /**
   * Calls of an isolate of the images Worker in progress. A drawing is not interrupted, so those that wait hold their SVG
   * alone: 0.4 MB at most. A measurement holds sixteen of them.
   */
  imagesWorker: { drawings: 50, measurements: 4 },
  /** The scans that a live connection can resume with: calls that recorded scans, and scans of each. */
  liveCalls: 128,
  liveScans: 100,
  /** Scans that a live connection shows a second. Those of the last two seconds count, since calls come in bursts. */
  liveScansPerSecond: 50,
  /** How long an export counts whose lease is not renewed, milliseconds: longer than its client may read nothing. */
  exportLease: 90_000,
  /** Submissions of a page, and those that one network may send to it in a day. */
  submissions: 100_000,
  submissionsPerDay: 1000,
  /**
   * Submissions that a page of their list examines, and the characters of their answers. One has up to 200 000, and a page
   * is sent in one call, which takes 32 MiB.
   */
  searchedSubmissions: 5000,
  searchedCharacters: 2_000_000,
  /** Codes that a page of their list examines for a filter that no index has, such as a word. */
  searchedCodes: 5000,
  /** Tags among which the palette looks for words. */
  searchedTags: 500,
  /** Submissions that one request erases. */
  erasedSubmissions: 10_000,
  /**
   * Bytes of a ledger, whose object may have 10 GB: from `high` on it is reported, from `full` on scans are counted
   * without being stored, and from `reserve` on it takes nothing but counts.
   */
  ledger: { high: 6 * gigabytes, full: 9 * gigabytes, reserve: 9.5 * gigabytes },
  /**
   * Raw scans in a ledger. A month's move to R2 once this many whole months have passed since it; those older than `days`
   * do from `ledger.high` on, the oldest first. The newest of each code stay.
   */
  rawScans: { months: 13, days: 30, newestOfCode: 500 },
} as const;
