import { describe, expect, it } from "vitest";
import { benchmarks } from "../../../bench/lib/benchmarks.ts";

/** A Markdown table with at least one row that has figures. */
const tableWithFigures = /^\|( --- \|)+\n\|.*\d.*\|$/m;

// Smoke runs take seconds. Their figures mean nothing, but a broken benchmark fails.
describe.concurrent("benchmarks", () => {
  it.each(Object.entries(benchmarks))("%s runs and prints figures", async (_name, { run }) => {
    expect(await run({ smoke: true })).toMatch(tableWithFigures);
  });
});
