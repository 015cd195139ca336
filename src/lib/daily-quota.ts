const day = 24 * 60 * 60 * 1000;

/**
 * Returns whether Cloudflare refused because the account has used up a daily quota of its plan. The errors of D1, KV,
 * queues and Durable Objects have no code in common.
 */
export function isQuotaUsedUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /\bfree tier\b|\blimit\b.*\bfor (the day|today)\b/i.test(error.message) || isQuotaUsedUp(error.cause)
  );
}

/** Returns the whole seconds until daily quotas reset, at midnight UTC. */
export const secondsUntilTomorrow = (now: number): number => Math.ceil((day - (now % day)) / 1000);
