import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { runs } from "../support/runner/runs.ts";
import { Scenario } from "../support/world/scenario.ts";
import { step } from "../support/world/scenario-steps.ts";

/**
 * The guarantee: once an update has been answered, no scan anywhere follows the old route later than a second.
 * Random scenarios change two codes and a hosted page, and suspend them and their workspace, at two to four edges, two of
 * them in one colo, and check every scan against it.
 */

const scenarios = fc.asyncProperty(
  fc.integer({ min: 2, max: 4 }),
  fc.array(step, { minLength: 10, maxLength: 60 }),
  async (edges, steps) => {
    const scenario = await Scenario.start(edges);
    for (const step of steps) await scenario.run(step);
    await scenario.expectConvergence();
  },
);

afterEach(() => {
  vi.useRealTimers();
});

it("no scan follows an old route later than a second after the update was answered", async () => {
  await fc.assert(scenarios, { numRuns: runs(3, 200), endOnFailure: true });
});

it.each([
  ["the feed is switched off", () => true],
  ["the feed lacks workspaces", (key: string) => key.startsWith("workspace:")],
])("finds a violation when %s, which shows that the property can fail", async (_, isHidden) => {
  const broken = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
    const scenario = await Scenario.start(2, isHidden);
    for (const step of steps) await scenario.run(step);
  });
  // A seed that finds one at once. Should the steps change, another scenario does.
  const result = await fc.check(broken, { numRuns: 200, endOnFailure: true, seed: 8 });
  expect(result.failed).toBe(true);
  expect(result.counterexample).not.toBeNull();
});
