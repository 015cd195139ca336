import { expect, it } from "vitest";
import { TimeoutError, withTimeout } from "../../src/lib/with-timeout.ts";

/** Timers that end when the test ends them. */
function manualTimers() {
  const running = new Set<() => void>();
  return {
    running,
    startTimer: (_: number, onEnd: () => void) => {
      running.add(onEnd);
      return () => running.delete(onEnd);
    },
    end: () => {
      for (const onEnd of running) onEnd();
    },
  };
}

it("passes on the result and the failure of the work, and stops the timer", async () => {
  const timers = manualTimers();
  expect(await withTimeout(timers, 10, () => Promise.resolve(7))).toBe(7);
  await expect(withTimeout(timers, 10, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  const missing = undefined as unknown as { read(): Promise<void> };
  await expect(withTimeout(timers, 10, () => missing.read())).rejects.toThrow(TypeError);
  expect(timers.running.size).toBe(0);
});

it("rejects and aborts the work's signal when the time is over", async () => {
  const timers = manualTimers();
  const signals: AbortSignal[] = [];
  const result = withTimeout(timers, 10, (signal) => {
    signals.push(signal);
    // The work's own failure must not be left unhandled.
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  });
  timers.end();
  await expect(result).rejects.toThrow(new TimeoutError(10));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(timers.running.size).toBe(0);
});

it("does not abort the signal of work that has ended", async () => {
  const timers = manualTimers();
  const signal = await withTimeout(timers, 10, (own) => Promise.resolve(own));
  timers.end();
  expect(signal.aborted).toBe(false);
});
