const gigabytes = 1e9;

/** Bounds on what strangers and customers can make grow in a ledger. docs/limits.md says what happens at each. */
export const bounds = {
  /** Events in the ended deliveries of a webhook: a batch counts as its events. */
  endedEvents: 100_000,
  /** The same of its pending deliveries. */
  pendingEvents: 100_000,
  /** Characters of a user agent that are stored. */
  userAgentLength: 400,
  /** Different user agents, places (a country and a city) and referrers in a ledger. */
  userAgents: 50_000,
  places: 100_000,
  referrers: 50_000,
  /** Scans that a page of the list of a code's scans examines. */
  listedScans: 5000,
  /** What a live connection can resume with: calls that recorded scans, and scans of each. */
  liveCalls: 128,
  liveScans: 32,
  /** Submissions of a page, and those that one network may send to it in a day. */
  submissions: 100_000,
  submissionsPerDay: 1000,
  /**
   * Bytes of a ledger, whose object may have 10 GB: from `high` on it is reported, from `full` on scans are counted
   * without being stored, and from `reserve` on it takes nothing but counts.
   */
  ledger: { high: 6 * gigabytes, full: 9 * gigabytes, reserve: 9.5 * gigabytes },
} as const;
