/** The shortest of a few runs, in milliseconds: pauses of the machine make a run longer, never shorter. */
export function elapsed(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}
