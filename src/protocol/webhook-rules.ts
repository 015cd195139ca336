const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The limits and schedules of webhooks. All times are milliseconds. */
export const webhookRules = {
  /** The longest URL of a receiver, in characters. */
  maxUrlLength: 2048,
  /** When attempts are made, relative to the first: at most eight, the last after 24 hours. */
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
  /** How long a receiver may take to send a 2xx response, and the part of its body that is read. */
  timeout: 10 * seconds,
  /** How many bytes of a response body are read and stored. */
  storedResponseBytes: 4096,
  /** A webhook is paused after this many consecutive deliveries have used up their attempts. */
  pauseAfter: 20,
  /** Batched delivery: how long a batch stays open, and the most that one POST holds (events, bytes of JSON). */
  batch: { window: 5 * minutes, maxEvents: 500, maxBytes: 256 * 1024 },
  /** A claimed attempt that isn't settled within this time may be claimed again, because its claimer must have died. */
  lease: 30 * seconds,
  /**
   * Attempts in flight at once: for one webhook while its attempts succeed, and after one has failed; for all webhooks
   * of a workspace with the same target host, so that each of the 50 that a plan allows can have one.
   */
  maxInFlight: { healthy: 48, suspect: 6, host: 50 },
  /** A replay is stopped after this many of its deliveries have failed consecutively. */
  stopReplayAfter: 20,
  /** Attempts in one claim: a Worker can have six connections waiting for headers. */
  claimSize: 6,
  /**
   * After this many consecutive failed attempts, first attempts are held back. Each failed probe extends the delay.
   * Retries keep their schedule.
   */
  breaker: {
    threshold: 5,
    backoffs: [30 * seconds, minutes, 2 * minutes, 5 * minutes, 10 * minutes] as readonly number[],
  },
  /** A webhook that still has overdue deliveries this long after it was enqueued is enqueued again. */
  enqueueAgainAfter: minutes,
  /** How long the previous secret still signs after a rotation. */
  secretGracePeriod: 24 * hours,
  /** How long ended deliveries are kept. */
  retention: 30 * 24 * hours,
} as const;
