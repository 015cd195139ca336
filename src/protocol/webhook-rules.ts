const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The numbers of webhooks (spec section 6, and rulings), as data. All times are milliseconds. */
export const webhookRules = {
  /** Characters of a receiver's address. */
  url: 2048,
  /** When attempts are made, counted from the first: eight at most, the last after 24 hours. */
  attempts: [
    0,
    30 * seconds,
    2 * minutes,
    10 * minutes,
    30 * minutes,
    2 * hours,
    6 * hours,
    24 * hours,
  ] as readonly number[],
  /** A receiver must have answered 2xx within this, the part of the body that is read included. */
  timeout: 10 * seconds,
  /** Bytes of a receiver's answer that are read and kept. */
  keptResponse: 4096,
  /** A webhook is paused after this many deliveries in a row have exhausted their attempts. */
  pauseAfter: 20,
  /** Batched delivery: how long events are gathered, and what one POST holds at most (events, bytes of JSON). */
  batch: { window: 5 * minutes, events: 500, bytes: 256 * 1024 },
  /** A claimed attempt that is not settled by then may be claimed again: its claimer must be dead. */
  lease: 30 * seconds,
  /** Attempts of one webhook that are under way at once: while it answers, and once it has timed out. */
  underWay: { healthy: 48, suspect: 6 },
  /** Attempts that one claim hands out: a Worker has six connections that wait for headers. */
  claim: 6,
  /** A receiver that has timed out this often in a row is not tried for a while, longer each time. */
  breaker: {
    after: 5,
    pauses: [30 * seconds, minutes, 2 * minutes, 5 * minutes, 10 * minutes] as readonly number[],
  },
  /** Work that was handed to the queue and is still due after this is handed to it again. */
  redrive: minutes,
  /** How long the replaced secret still signs. */
  secretGrace: 24 * hours,
  /** Ended deliveries are kept this long. */
  kept: 30 * 24 * hours,
} as const;
