import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../../../src/contract/resources/history/history.ts";
import type { Analytics } from "../../../src/contract/resources/scans/analytics.ts";
import { changeMarks } from "../../../src/dashboard/analytics/change-marks.ts";

const dayLength = 86_400_000;
const first = Date.UTC(2026, 4, 1);
const dayOf = (day: number) => new Date(first + day * dayLength).toISOString();

/** A report on days from 1 May 2026 with as many scans as the function says. */
function reportOf(days: number, scansOn: (day: number) => number): Analytics {
  const series = Array.from({ length: days }, (_, day) => ({ start: dayOf(day), scans: scansOn(day) }));
  const span = { from: dayOf(0).slice(0, 10), to: dayOf(days - 1).slice(0, 10) };
  return { interval: "day", timeZone: "UTC", series, ...span } as unknown as Analytics;
}

/** A change at noon on a day, with these fields. */
const changeOn = (day: number, changes: object, actor = "Inês"): HistoryEntry =>
  ({
    at: new Date(first + (day + 0.5) * dayLength).toISOString(),
    action: "code.updated",
    actor: { kind: "person", id: "1", name: actor },
    changes,
  }) as unknown as HistoryEntry;

const moved = { data: { before: {}, after: {} } };
const paused = { status: { before: "active", after: "paused" } };
const end = (days: number) => first + days * dayLength;

describe("a chart of scans marks", () => {
  it("what changed, by whom, with the scans a day on seven whole days before and after", () => {
    const report = reportOf(30, (day) => (day < 10 ? 12 : day === 10 ? 500 : 17));
    expect(changeMarks([changeOn(10, moved)], report, end(30))).toEqual([
      {
        step: 10,
        title: "Destination changed",
        detail: "by Inês · 12 → 17 scans a day, over 7 days each",
      },
    ]);
  });

  it.each([
    ["before it", 6, 30, 30],
    ["after it", 23, 30, 30],
    ["after it until today, which isn't over", 22, 30, 29.5],
  ])("no figures if there are fewer than seven whole days %s", (_, day, days, now) => {
    const [mark] = changeMarks(
      [changeOn(day, moved)],
      reportOf(days, () => 5),
      end(now),
    );
    expect(mark?.detail).toBe("by Inês");
  });

  it("figures where there are just seven", () => {
    for (const [day, now] of [
      [7, 30],
      [22, 30],
    ] as const) {
      const [mark] = changeMarks(
        [changeOn(day, moved)],
        reportOf(30, () => 5),
        end(now),
      );
      expect(mark?.detail).toContain("5 → 5 scans a day");
    }
  });

  it("only what affects scans, and only what happened on its days", () => {
    const entries = [
      changeOn(40, moved),
      changeOn(3, { name: { before: null, after: "Menu" }, tags: { before: [], after: ["a"] } }),
      changeOn(-1, moved),
    ];
    expect(
      changeMarks(
        entries,
        reportOf(30, () => 1),
        end(60),
      ),
    ).toEqual([]);
  });

  it("several changes of a day as one", () => {
    const entries = [changeOn(5, paused, "Rui"), changeOn(5, moved)];
    expect(
      changeMarks(
        entries,
        reportOf(30, () => 1),
        end(30),
      ),
    ).toMatchObject([{ step: 5, title: "Destination changed, paused", detail: "by Inês, Rui" }]);
  });

  it("at most twenty, joining neighbours, so that none is missing", () => {
    const entries = Array.from({ length: 90 }, (_, i) => changeOn(89 - i, i % 2 === 0 ? moved : paused));
    const marks = changeMarks(
      entries,
      reportOf(90, () => 1),
      end(90),
    );
    expect(marks.length).toBeLessThanOrEqual(20);
    expect(marks.length).toBeGreaterThan(10);
    expect(marks.map(({ step }) => step)).toEqual(marks.map((_, i) => i * 8));
    expect(marks[0]).toMatchObject({ title: "Paused, destination changed", detail: "by Inês" });
  });
});
