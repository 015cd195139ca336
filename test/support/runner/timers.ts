import type { Deps } from "../../../src/domain/deps.ts";

/** Timers that end when the signal aborts, or immediately if it already has. */
export const endingWith =
  (signal: AbortSignal): Deps["startTimer"] =>
  (_, onEnd) => {
    if (signal.aborted) onEnd();
    else signal.addEventListener("abort", onEnd, { once: true });
    return () => signal.removeEventListener("abort", onEnd);
  };
