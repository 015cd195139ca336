import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { runs } from "../support/runner/runs.ts";
import { AddressScenario, addressStep } from "../support/world/address-scenario.ts";

/** The guarantee by host and path: scans follow domains and aliases that are added, moved and removed within a second. */

const steps = fc.array(addressStep, { minLength: 10, maxLength: 60 });

afterEach(() => {
  vi.useRealTimers();
});

it("no scan at a domain follows an old route later than a second after the change was answered", async () => {
  const scenarios = fc.asyncProperty(fc.integer({ min: 2, max: 4 }), steps, async (edges, all) => {
    const scenario = await AddressScenario.start(edges);
    for (const step of all) await scenario.run(step);
    await scenario.expectConvergence();
  });
  await fc.assert(scenarios, { numRuns: runs(5, 200), endOnFailure: true });
});

it.each([
  ["aliases", "alias:", 169],
  ["domains", "domain:", 4],
])(
  "finds a violation when the feed lacks %s, which shows that the property can fail",
  async (_, prefix, seed) => {
    const broken = fc.asyncProperty(steps, async (all) => {
      const scenario = await AddressScenario.start(2, (key) => key.startsWith(prefix));
      for (const step of all) await scenario.run(step);
    });
    // A seed that finds one at once. Should the steps change, another scenario does.
    const result = await fc.check(broken, { numRuns: 200, endOnFailure: true, seed });
    expect(result.failed).toBe(true);
    expect(result.counterexample).not.toBeNull();
  },
);
