import type { Child } from "hono/jsx";
import { describe, expect, it } from "vitest";
import { BarList } from "../../../src/ui/charts/bar-list.tsx";
import { HourMap } from "../../../src/ui/charts/hour-map.tsx";
import { windowOf } from "../../../src/ui/charts/map-window.ts";
import { countScale, labelledSteps, shadeOf } from "../../../src/ui/charts/scale.ts";
import { Sparkline } from "../../../src/ui/charts/sparkline.tsx";
import { TimeSeries, type TimeSeriesProps } from "../../../src/ui/charts/time-series.tsx";
import { worldRuns, worldSize } from "../../../src/ui/charts/world-grid.ts";
import { WorldMap } from "../../../src/ui/charts/world-map.tsx";

const html = (component: Child) => String(component);

/** The numbers of an attribute in each element of a class. */
const numbers = (page: string, name: string, attribute: string): number[] =>
  [...page.matchAll(new RegExp(`<(?:rect|path)[^>]*class="${name}"[^>]*>`, "g"))].map(([element]) =>
    Number.parseFloat(new RegExp(`\\b${attribute}="([^"]+)"`).exec(element)?.[1] ?? "NaN"),
  );

/** The texts of the cells of each row, without the head. */
const rows = (page: string): string[][] =>
  [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row = ""]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "")),
    );

const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const points = (scans: readonly number[], botScans = 0) =>
  scans.map((count, index) => ({ start: `${day(index)}T00:00:00+00:00`, scans: count, botScans }));

const noMarkup = (page: string) => {
  expect(page).not.toMatch(/\sstyle=|<script|\son\w+=|NaN|Infinity|undefined/);
  return page;
};

describe("a scale", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6]],
    [45, [0, 15, 30, 45]],
    [100, [0, 30, 60, 90]],
    [434, [0, 150, 300, 450]],
    [1_234_567, [0, 400_000, 800_000, 1_200_000]],
  ])("for at most %i has whole, round ticks", (largest, ticks) => {
    expect(countScale(largest).ticks).toEqual(ticks);
  });

  it("covers every count, with at most four ticks", () => {
    for (let largest = 1; largest < 1e15; largest = Math.ceil(largest * 1.37)) {
      const { top, ticks } = countScale(largest);
      expect(top).toBeGreaterThanOrEqual(largest);
      expect(ticks.length).toBeLessThanOrEqual(4);
      expect(ticks.every((tick) => Number.isSafeInteger(tick) && tick <= top)).toBe(true);
    }
  });

  it("labels Mondays, and few steps of other series", () => {
    const starts = (count: number) => Array.from({ length: count }, (_, index) => day(index));
    // 1 January 2026 is a Thursday.
    expect(labelledSteps("day", starts(30)).map(({ index }) => index)).toEqual([4, 11, 18, 25]);
    expect(labelledSteps("day", starts(7))).toHaveLength(7);
    for (const interval of ["hour", "day", "week", "month"] as const) {
      for (const count of [0, 1, 2, 7, 8, 9, 30, 31, 92, 365, 1100]) {
        const labels = labelledSteps(interval, starts(count));
        expect(labels.length).toBeLessThanOrEqual(8);
        expect(labels.filter(({ wide }) => !wide).length).toBeLessThanOrEqual(5);
        expect(labels.every(({ index }) => index < count)).toBe(true);
      }
    }
  });

  it("has a shade of its own for nothing", () => {
    expect([0, 1, 50, 1000].map((count) => shadeOf(count, 1000))).toEqual([0, 1, 2, 5]);
    expect(shadeOf(0, 0)).toBe(0);
  });
});

/** The chart of a range that has ended. */
const chart = (props: Omit<TimeSeriesProps, "now">) => html(TimeSeries({ ...props, now: null }));

describe("a time series", () => {
  it("has bars whose heights are proportional to the scans, bots on top", () => {
    const page = noMarkup(chart({ interval: "day", points: points([2, 0, 4], 1), bots: true }));
    const heights = numbers(page, "chart-scans", "height").slice(0, 2);
    expect(heights[1]).toBeCloseTo((heights[0] ?? 0) * 2, 1);
    expect(numbers(page, "chart-bots", "height").slice(0, 3)).toHaveLength(3);
    const [scans, bots] = [
      numbers(page, "chart-scans", "y")[0] ?? 0,
      numbers(page, "chart-bots", "y")[0] ?? 0,
    ];
    expect(bots + (numbers(page, "chart-bots", "height")[0] ?? 0)).toBeCloseTo(scans, 1);
  });

  it("has a table whose numbers add up, with the earlier period beside them", () => {
    const page = chart({
      interval: "day",
      points: points([12, 0, 3456], 7),
      comparison: points([5, 6]),
    });
    expect(rows(page)).toEqual([
      ["Thu, 1 Jan 2026", "12", "7", "5"],
      ["Fri, 2 Jan 2026", "0", "7", "6"],
      ["Sat, 3 Jan 2026", "3,456", "7", "–"],
    ]);
    expect(page).toContain('aria-label="3,468 scans by day, most at Sat, 3 Jan 2026: 3,456."');
  });

  it("leaves bots out where they are not asked for", () => {
    const page = chart({ interval: "day", points: points([1], 1_000_000) });
    expect(page).not.toContain("chart-bots");
    expect(page).toContain(">1</text>");
  });

  it.each([0, 1, 2, 23, 130, 131, 1100])("of %i steps is drawn", (count) => {
    const scans = Array.from({ length: count }, (_, index) => index % 7);
    const page = noMarkup(
      chart({ interval: "day", points: points(scans, 2), comparison: points(scans), bots: true }),
    );
    expect(rows(page)).toHaveLength(count);
    expect(page.match(/<text/g)?.length).toBeLessThanOrEqual(13);
  });

  it("has a dash across each step for the earlier period, at its height", () => {
    const page = chart({ interval: "day", points: points([10, 10]), comparison: points([5, 20]) });
    const [half = 0, top = 0] = numbers(page, "chart-earlier", "y");
    expect((100 - half) * 4).toBeCloseTo(100 - top, 1);
    expect(numbers(page, "chart-earlier", "height")).toEqual([2, 2]);
  });

  it("marks the step in progress, if the range has not ended", () => {
    const series = points([1, 2, 3, 0]);
    const now = Date.UTC(2026, 0, 3, 12);
    const page = html(TimeSeries({ interval: "day", points: series, now }));
    expect(page.match(/<span class="step( now)?">/g)).toEqual([
      '<span class="step">',
      '<span class="step">',
      '<span class="step now">',
      '<span class="step">',
    ]);
    expect(chart({ interval: "day", points: series })).not.toContain("step now");
  });

  it("of 92 steps with an earlier period weighs less than 45 KB", () => {
    const scans = Array.from({ length: 92 }, (_, index) => 1000 + index);
    const page = chart({ interval: "day", points: points(scans, 9), comparison: points(scans), bots: true });
    expect(page.length).toBeLessThan(45_000);
  });

  it("draws nothing, and huge numbers, within its height", () => {
    for (const scans of [[], [0, 0], [Number.MAX_SAFE_INTEGER, 1], [1]]) {
      const page = noMarkup(chart({ interval: "month", points: points(scans), bots: true }));
      for (const height of numbers(page, "chart-scans", "height")) expect(height).toBeLessThanOrEqual(100);
      for (const y of numbers(page, "chart-scans", "y")) expect(y || 0).toBeGreaterThanOrEqual(0);
    }
  });

  it("distinguishes the hour that comes twice, and shows the wall clock of the report's zone", () => {
    const starts = ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-26T00:00:00+01:00"];
    const series = starts.map((start) => ({ start, scans: 1, botScans: 0 }));
    const page = chart({ interval: "hour", points: series });
    expect(rows(page).map(([label]) => label)).toEqual([
      "Sun, 25 Oct 2026, 02:00 +02:00",
      "Sun, 25 Oct 2026, 02:00 +01:00",
      "Mon, 26 Oct 2026, 00:00 +01:00",
    ]);
    expect(page).toMatch(/>02:00<.*>02:00<.*>26 Oct</s);
  });
});

describe("a list of bars", () => {
  it("has the others in a row, and shares that add up to the whole", () => {
    const bars = [
      { label: "Germany", scans: 60 },
      { label: "<b>France</b>", scans: 30 },
    ];
    const page = noMarkup(html(BarList({ title: "Country", bars, other: { values: 3, scans: 10 } })));
    expect(rows(page)).toEqual([
      ["Germany", "60", "60.0%"],
      ["&lt;b&gt;France&lt;/b&gt;", "30", "30.0%"],
      ["3 others", "10", "10.0%"],
    ]);
    expect(numbers(page, "rule-fill", "width")).toEqual([100, 50]);
    const one = html(BarList({ title: "Country", bars, other: { values: 1, scans: 10 } }));
    expect(rows(one)[2]).toEqual(["1 other", "10", "10.0%"]);
  });

  it("shows a value without scans, and a share that is nearly nothing", () => {
    const bars = [{ label: "A", scans: 0 }];
    expect(rows(html(BarList({ title: "Country", bars, other: { values: 0, scans: 0 } })))).toEqual([
      ["A", "0", "0.0%"],
    ]);
    const uneven = [
      { label: "A", scans: 1_000_000 },
      { label: "B", scans: 1 },
    ];
    expect(
      rows(html(BarList({ title: "Country", bars: uneven, other: { values: 0, scans: 0 } })))[1],
    ).toEqual(["B", "1", "&lt;0.1%"]);
  });
});

describe("the hours of the week", () => {
  it("are 168 fields and the same numbers in a table", () => {
    const scans = Array.from({ length: 168 }, (_, index) => index);
    const page = noMarkup(html(HourMap({ scans })));
    expect(page.match(/M\d+ \d+h/g)).toHaveLength(168);
    const sum = rows(page).flatMap(([, ...cells]) => cells.map(Number));
    expect(sum.reduce((total, count) => total + count, 0)).toBe((167 * 168) / 2);
    expect(page).toContain("Most on Sunday at 23:00: 167.");
  });

  it("may be without scans", () => {
    expect(noMarkup(html(HourMap({ scans: [] })))).toContain("Scans by hour of the week: none.");
  });
});

describe("a sparkline", () => {
  it("has a column for each step, a foot where there is nothing, and sums the steps of long series", () => {
    const page = noMarkup(html(Sparkline({ values: [0, 2, 4] })));
    expect(page).toContain('width="11"');
    expect(page).toContain('d="M0 28h3v-1h-3z"');
    expect(page).toContain('d="M4 28h3v-14h-3zM8 28h3v-28h-3z"');
    const long = html(Sparkline({ values: Array.from({ length: 92 }, () => 1) }));
    expect(long.match(/M\d+ 28/g)).toHaveLength(23);
  });
});

describe("the world map", () => {
  it("has every country, small ones too, in under 20 KB", () => {
    for (const country of ["DE", "US", "SG", "MT", "XK", "TW", "FJ", "RU", "GL"]) {
      expect(worldRuns.get(country)).toMatch(/^([0-9a-z]{6})+$/);
    }
    expect(JSON.stringify([...worldRuns]).length).toBeLessThan(20_000);
  });

  it("shades countries, and ignores codes that are none", () => {
    const countries = [
      { country: "DE", scans: 100 },
      { country: "FR", scans: 1 },
      { country: "T1", scans: 5 },
      { country: "constructor", scans: 5 },
    ];
    const page = noMarkup(html(WorldMap({ countries })));
    expect(page).toContain("<title>Germany: 100 scans, 90.1%</title>");
    expect(page.match(/class="heat-[1-5]"/g)).toHaveLength(2);
    expect(page).toContain("Most: Germany (100 scans)");
    expect(noMarkup(html(WorldMap({ countries: [] })))).toContain("no scans with a known country");
  });

  it("draws every country that has scans, the smallest too, and stays small", () => {
    const countries = [...worldRuns.keys()].map((country) => ({ country, scans: 10 }));
    const page = noMarkup(html(WorldMap({ countries })));
    expect(page.length).toBeLessThan(40_000);
    expect(page).toContain("<title>Singapore: ");
  });

  it("shows the smallest part of the world that has 95% of the scans, and never less than an eighth", () => {
    const run = (x: number, y: number, length = 1) => ({ runs: [{ x, y, length }], scans: 0 });
    const world = { width: 320, height: 140 };
    const alone = windowOf(world, [{ ...run(100, 50), scans: 10 }]);
    expect(alone).toMatchObject({ width: 40 });
    expect(alone.x).toBeLessThanOrEqual(100);
    expect(alone.x + alone.width).toBeGreaterThan(100);
    const [near, far] = [
      { ...run(100, 50), scans: 96 },
      { ...run(300, 50), scans: 4 },
    ];
    expect(windowOf(world, [near, far]).width).toBe(40);
    expect(windowOf(world, [near, { ...far, scans: 20 }]).width).toBeGreaterThan(200);
    expect(windowOf(world, [])).toEqual({ x: 0, y: 0, ...world });
    for (const [x, y] of [
      [0, 0],
      [319, 139],
    ] as const) {
      const corner = windowOf(world, [{ ...run(x, y), scans: 1 }]);
      expect(corner.x).toBeGreaterThanOrEqual(0);
      expect(corner.x + corner.width).toBeLessThanOrEqual(worldSize.width);
      expect(corner.y + corner.height).toBeLessThanOrEqual(world.height);
    }
  });

  it("leaves out a far country with a few of the scans, but not one that makes the map little larger", () => {
    const world = { width: 320, height: 140 };
    const country = (x: number, scans: number) => ({ runs: [{ x, y: 50, length: 4 }], scans });
    expect(windowOf(world, [country(150, 92), country(20, 8)]).width).toBe(40);
    const beside = windowOf(world, [country(150, 92), country(120, 8)]);
    expect(beside.x).toBeLessThanOrEqual(120);
    expect(beside.x + beside.width).toBeGreaterThanOrEqual(154);
  });

  it("keeps the shape of its place, as far as the world reaches", () => {
    const world = { width: 320, height: 140 };
    const row = (x: number, length: number) => [{ runs: [{ x, y: 70, length }], scans: 1 }];
    for (const length of [1, 30, 100]) {
      const { width, height } = windowOf(world, row(100, length));
      expect([length, width / height]).toEqual([length, expect.closeTo(1.25, 1)]);
    }
    expect(windowOf(world, row(0, 320))).toEqual({ x: 0, y: 0, ...world });
  });
});
