import { describe, expect, it } from "vitest";
import { benchmarks } from "../../bench/benchmarks.ts";

/** A table with a line of figures under its head. */
const filledTable = /^\|( --- \|)+\n\|.*\d.*\|$/m;

// For seconds and with tiny sizes: what they measure then means nothing, but that they run does.
describe.concurrent("benchmarks", () => {
  it.each(Object.entries(benchmarks))("%s runs", async (_name, { run }) => {
    const section = await run({ smoke: true });
    expect(section).toMatch(filledTable);
    expect(section).not.toMatch(/NaN|Infinity|undefined/);
  });
});
