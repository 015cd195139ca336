import type { Benchmark } from "./lib/benchmark.ts";
import { readers } from "./lib/repetitive-texts.ts";
import { table } from "./lib/results.ts";

/** Quadratic reading time would make the ratio equal to this number of parts. */
const parts = 128;
const highest = 25;

/** Returns the shortest of a few runs, in milliseconds, because pauses of the machine only ever make runs longer. */
function elapsed(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** How the time to read external text grows with its length, in cases where careless code would read it repeatedly. */
export const growth: Benchmark = {
  title: "Growth",
  async run({ smoke }) {
    const length = smoke ? 4 * 1024 : 128 * 1024;
    const times = readers.map(({ name, read, repeated }) => {
      const text = (characters: number) => repeated.repeat(characters / repeated.length);
      const [short, long] = [text(length / parts), text(length)];
      const many = elapsed(() => {
        for (let i = 0; i < parts; i += 1) read(short);
      });
      const one = elapsed(() => void read(long));
      return { name, many, one, ratio: one / Math.max(many, 1) };
    });
    const slow = times.filter(({ ratio }) => ratio > highest).map(({ name }) => name);
    if (!smoke && slow.length > 0) throw new Error(`not in linear time: ${slow.join("; ")}`);
    const rows = times.map(({ name, many, one, ratio }) => [
      name,
      `${many.toFixed(2)} ms`,
      `${one.toFixed(2)} ms`,
      `${ratio.toFixed(2)} ×`,
    ]);
    return (
      `Repetitive texts, read by the functions that are given text from outside: ${parts} of 1 KiB, and one of ${parts} KiB. ` +
      `In quadratic time the ratio would be ${parts}; above ${highest} this benchmark fails.\n\n` +
      table(["reader", `${parts} × 1 KiB`, `${parts} KiB`, "ratio"], rows)
    );
  },
};
