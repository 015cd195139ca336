import { describe, expect, it } from "vitest";
import type { Analytics } from "../../../src/contract/resources/scans/analytics.ts";
import { withVisitorMark } from "../../../src/ui/report/visitor-mark.ts";

const report = (visitorsChangedOn: string | null, starts: readonly string[]) =>
  ({
    series: starts.map((start) => ({ start })),
    incomplete: { otherTimeZoneUntil: null, daysWithoutVisitors: 0, visitorsChangedOn },
  }) as unknown as Analytics;

const days = ["2026-10-19", "2026-10-20", "2026-10-21"].map((day) => `${day}T00:00:00+02:00`);
const stepOf = (day: string | null, starts = days) =>
  withVisitorMark([], report(day, starts)).map(({ step }) => step);

describe("the mark where a report began to count visitors in another way", () => {
  it.each([
    [null, days, []],
    ["2026-10-19", days, [0]],
    ["2026-10-20", days, [1]],
    ["2026-10-21", days, [2]],
    [
      "2026-10-20",
      ["2026-10-12T00:00:00+02:00", "2026-10-19T00:00:00+02:00", "2026-10-26T00:00:00+01:00"],
      [1],
    ],
    ["2026-10-20", ["2026-10-01T00:00:00+02:00"], [0]],
    ["2026-10-20", ["2026-10-20T00:00:00+02:00", "2026-10-20T23:00:00+02:00"], [0]],
  ] as const)("of %s is on the step with that day", (day, starts, steps) => {
    expect(stepOf(day, [...starts])).toEqual(steps);
  });

  it("is among the changes of the code", () => {
    const changes = [0, 2].map((step) => ({ step, title: "Paused", detail: "by Inês" }));
    expect(withVisitorMark(changes, report("2026-10-20", days)).map(({ title }) => title)).toEqual([
      "Paused",
      "IPv6 visitors counted anew",
      "Paused",
    ]);
  });
});
