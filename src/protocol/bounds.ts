/** Bounds on what strangers and customers can make grow in a ledger. docs/limits.md says what happens at each. */
export const bounds = {
  /** Events in the ended deliveries of a webhook: a batch counts as its events. */
  endedEvents: 100_000,
} as const;
