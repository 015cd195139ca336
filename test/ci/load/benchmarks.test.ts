import { describe, expect, it } from "vitest";
import { benchmarks } from "../../../bench/lib/benchmarks.ts";
import { sample } from "../../support/runner/runs.ts";

/** A Markdown table with at least one row that has figures. */
const tableWithFigures = /^\|( --- \|)+\n\|.*\d.*\|$/m;

const all = Object.entries(benchmarks);
/**
 * Every eighth in CI, and the one of hostile input, which sends it to every endpoint. The one of the API is among them,
 * which compares answers with those of a bare Worker.
 */
const inSample = sample(all, 8, 3);
const chosen = all.filter((each) => inSample.includes(each) || each[0] === "hostile");

// Smoke runs take seconds. Their figures mean nothing, but a broken benchmark fails.
describe.concurrent("benchmarks", () => {
  it.each(chosen)("%s runs and prints figures", async (_name, { run }) => {
    expect(await run({ smoke: true })).toMatch(tableWithFigures);
  });
});
