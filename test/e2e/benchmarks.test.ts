import { describe, expect, it } from "vitest";
import { benchmarks } from "../../bench/benchmarks.ts";

/** A table with a line of figures under its head. */
const filledTable = /^\|( --- \|)+\n\|.*\d.*\|$/m;

// With tiny sizes, for seconds: the figures then mean nothing, but a benchmark that is broken fails.
describe.concurrent("benchmarks", () => {
  it.each(Object.entries(benchmarks))("%s runs", async (_name, { run }) => {
    expect(await run({ smoke: true })).toMatch(filledTable);
  });
});
