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
  await fc.assert(scenarios, { numRuns: runs(3, 200), endOnFailure: true });
});

const scan = (address: number) => ({ do: "scan", edge: 1, address }) as const;
const changed = { edge: 0, calls: undefined } as const;

it.each([
  [
    "aliases",
    "alias:",
    [
      { do: "alias", code: 0, alias: 0, ...changed },
      scan(2),
      { do: "move", code: 1, alias: 0, ...changed },
      { do: "wait", milliseconds: 1001 },
      scan(2),
    ],
  ],
  [
    "domains",
    "domain:",
    [scan(0), { do: "domain", to: "suspended", ...changed }, { do: "wait", milliseconds: 1001 }, scan(0)],
  ],
] as const)(
  "finds a violation when the feed lacks %s, which shows that the property can fail",
  async (_, prefix, all) => {
    const run = async (isHidden: (key: string) => boolean) => {
      const scenario = await AddressScenario.start(2, isHidden);
      for (const step of all) await scenario.run(step);
    };
    await run(() => false);
    await expect(run((key) => key.startsWith(prefix))).rejects.toThrow("to include");
  },
);
