/** How an attempt failed. */
export interface FailedAttempt {
  /** The HTTP status; undefined if no answer came. */
  readonly status: number | undefined;
  /** The value of `retry-after`, in seconds. */
  readonly retryAfter: number | undefined;
  /** Attempts before this one. */
  readonly before: number;
  /** Whether the request may have been done already, and doing it again changes nothing. */
  readonly repeatable: boolean;
}

/** The longest time that a request waits for its next attempt: a limit of requests lasts until the next minute. */
const longestSeconds = 60;

const firstPause = 500;
const longestPause = 8_000;

/** Answers that say that the service, or what is in front of it, is unavailable for a time. */
const isTemporary = (status: number) => [502, 503, 504].includes(status) || (status >= 520 && status <= 530);

/**
 * Returns how long to wait for the next attempt, in milliseconds; undefined if there should be none. A 429 means that
 * nothing was done, so any request may follow it. Where something may have been done, only a repeatable one may.
 * @param random 0–1: spreads clients that failed together
 */
export function pauseAfter(attempt: FailedAttempt, retries: number, random: number): number | undefined {
  const { status, retryAfter, before, repeatable } = attempt;
  if (before >= retries) return undefined;
  const mayRepeat = status === 429 || (repeatable && (status === undefined || isTemporary(status)));
  if (!mayRepeat) return undefined;
  if (retryAfter === undefined) return growing(before, firstPause, longestPause) * (0.5 + random / 2);
  // Never earlier than the service says.
  return retryAfter <= longestSeconds ? retryAfter * 1_000 + random * 250 : undefined;
}

/** Returns a pause that doubles with each one before. In milliseconds. */
export const growing = (before: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** Math.min(before, 30));

/** Waits. @throws the signal's reason when it is aborted */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}
