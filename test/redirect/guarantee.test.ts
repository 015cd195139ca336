import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { runs } from "../support/runner/runs.ts";
import type { FeedRelease } from "../support/world/released-feed.ts";
import { Scenario } from "../support/world/scenario.ts";
import { step, workspaceIndex } from "../support/world/scenario-steps.ts";

/**
 * The guarantee: once an update has been answered, no scan anywhere follows the old route later than a second.
 * Random scenarios change two codes and a hosted page, and suspend them and their workspace, at two to four edges, two of
 * them in one colo, and check every scan against it.
 */

/** @param feedReleases see `World` */
const scenarios = (feedReleases: readonly FeedRelease[]) =>
  fc.asyncProperty(
    fc.integer({ min: 2, max: 4 }),
    fc.array(step, { minLength: 10, maxLength: 60 }),
    async (edges, steps) => {
      const scenario = await Scenario.start(edges);
      scenario.world.feedReleases = feedReleases;
      for (const step of steps) await scenario.run(step);
      await scenario.expectConvergence();
    },
  );

afterEach(() => {
  vi.useRealTimers();
});

it("no scan follows an old route later than a second after the update was answered", async () => {
  await fc.assert(scenarios(["present"]), { numRuns: runs(3, 200), endOnFailure: true });
});

it.each([[["last"]], [["present", "last"]]] as const)(
  "nor with feeds that run the code of these releases on the present table: %s",
  async (feedReleases) => {
    await fc.assert(scenarios(feedReleases), { numRuns: runs(2, 100), endOnFailure: true });
  },
);

it.each([
  ["the feed is switched off", 0, "redirect", () => true],
  ["the feed lacks workspaces", workspaceIndex, "suspend", (key: string) => key.startsWith("workspace:")],
] as const)(
  "finds a violation when %s, which shows that the property can fail",
  async (_, resource, change, isHidden) => {
    const scan = { do: "scan", edge: 1, resource: 0 } as const;
    const run = async (hides: (key: string) => boolean) => {
      const scenario = await Scenario.start(2, hides);
      await scenario.run(scan);
      await scenario.run({ do: "change", edge: 0, resource, change });
      await scenario.run({ do: "wait", milliseconds: 1001 });
      await scenario.run(scan);
    };
    await run(() => false);
    await expect(run(isHidden)).rejects.toThrow("to include");
  },
);
