/** Starts timers; one of the service's dependencies. */
export interface Timers {
  /** Calls `onEnd` after this many milliseconds. @returns a function that stops the timer */
  startTimer(milliseconds: number, onEnd: () => void): () => void;
}

/** The timers of the runtime. */
export const runtimeTimers: Timers = {
  startTimer(milliseconds, onEnd) {
    const timer = setTimeout(onEnd, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Work didn't end in time. */
export class TimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`);
    this.name = "TimeoutError";
  }
}

/**
 * Returns the result of `work`, if it ends within `milliseconds`. Work that ignores the signal continues after the
 * timeout; D1, KV and Durable Object calls don't accept one.
 * @param work its signal aborts at the timeout
 * @throws TimeoutError; errors of `work`
 */
export async function withTimeout<T>(
  timers: Timers,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const stop = timers.startTimer(milliseconds, () => {
    const error = new TimeoutError(milliseconds);
    reject(error);
    controller.abort(error);
  });
  try {
    return await Promise.race([expired, work(controller.signal)]);
  } finally {
    stop();
  }
}
