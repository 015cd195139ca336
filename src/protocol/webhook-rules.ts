const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The limits and schedules of webhooks. All times are milliseconds. */
export const webhookRules = {
  /** Characters of a receiver's URL at most. */
  maxUrlLength: 2048,
  /** When attempts are made, counted from the first: eight at most, the last after 24 hours. */
  attemptOffsets: [
    0,
    30 * seconds,
    2 * minutes,
    10 * minutes,
    30 * minutes,
    2 * hours,
    6 * hours,
    24 * hours,
  ] as readonly number[],
  /** The time for a receiver's 2xx response, including the part of its body that is read. */
  timeout: 10 * seconds,
  /** Bytes of a response body that are read and stored. */
  storedResponseBytes: 4096,
  /** A webhook is paused after this many deliveries in a row have exhausted their attempts. */
  pauseAfter: 20,
  /** Batched delivery: how long a batch is open, and the most that one POST holds (events, bytes of JSON). */
  batch: { window: 5 * minutes, maxEvents: 500, maxBytes: 256 * 1024 },
  /** A claimed attempt that is not settled after this time may be claimed again: its claimer must have died. */
  lease: 30 * seconds,
  /**
   * Attempts in flight at once: of one webhook while its attempts succeed, and once one has failed; of all webhooks of a
   * workspace to one target host, so that each of the 50 that a plan allows can have one.
   */
  maxInFlight: { healthy: 48, suspect: 6, host: 50 },
  /** A replay is stopped after this many of its deliveries in a row have failed. */
  stopReplayAfter: 20,
  /** Attempts in one claim: a Worker can have six connections waiting for headers. */
  claimSize: 6,
  /**
   * After this many failed attempts in a row first attempts are held back for a while, which grows with each probe that
   * fails. Retries keep their schedule.
   */
  breaker: {
    threshold: 5,
    backoffs: [30 * seconds, minutes, 2 * minutes, 5 * minutes, 10 * minutes] as readonly number[],
  },
  /** A webhook that was enqueued and still has overdue deliveries is enqueued again after this time. */
  enqueueAgainAfter: minutes,
  /** How long the previous secret still signs after a rotation. */
  secretGracePeriod: 24 * hours,
  /** How long ended deliveries are kept. */
  retention: 30 * 24 * hours,
} as const;
