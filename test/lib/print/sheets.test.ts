import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutMarks } from "../../../src/lib/print/cut-marks.ts";
import {
  type Area,
  calibrated,
  labelAt,
  labelsOn,
  paginate,
  roll,
  type Sheet,
  sheetFormats,
  sheetProblem,
  uncalibrated,
} from "../../../src/lib/print/sheets.ts";
import { runs } from "../../support/runner/runs.ts";

const numRuns = runs(200, 5000);

/** Millimetres in hundredths, as people enter them: far from the tolerance for rounding errors. */
const length = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((hundredths) => hundredths / 100);

/** Sheets of any measures, many of which are impossible. */
const sheets: fc.Arbitrary<Sheet> = fc.record({
  page: fc.record({ width: length(20, 400), height: length(20, 500) }),
  label: fc.record({ width: length(5, 120), height: length(5, 120) }),
  columns: fc.integer({ min: 1, max: 6 }),
  rows: fc.integer({ min: 1, max: 14 }),
  pitch: fc.record({ x: length(4, 130), y: length(4, 130) }),
  origin: fc.record({ x: length(-2, 30), y: length(-2, 30) }),
});

const areasOf = (sheet: Sheet): Area[] =>
  Array.from({ length: labelsOn(sheet) }, (_, place) => labelAt(sheet, place));

const overlap = (one: Area, other: Area) =>
  one.x + one.width > other.x + 0.002 &&
  other.x + other.width > one.x + 0.002 &&
  one.y + one.height > other.y + 0.002 &&
  other.y + other.height > one.y + 0.002;

const leaves = ({ x, y, width, height }: Area, { page }: Sheet) =>
  x < -0.002 || y < -0.002 || x + width > page.width + 0.002 || y + height > page.height + 0.002;

const hasFault = (sheet: Sheet): boolean => {
  const areas = areasOf(sheet);
  return (
    areas.some((area) => leaves(area, sheet)) ||
    areas.some((one, index) => areas.slice(index + 1).some((other) => overlap(one, other)))
  );
};

describe("a sheet of labels", () => {
  it("is refused exactly if labels overlap or leave the page", () => {
    fc.assert(
      fc.property(sheets, (sheet) => {
        expect(sheetProblem(sheet) !== undefined).toBe(hasFault(sheet));
      }),
      { numRuns },
    );
  });

  it.each(Object.entries(sheetFormats))("%s is one that can be", (_, { sheet }) => {
    expect(sheetProblem(sheet)).toBeUndefined();
    expect(hasFault(sheet)).toBe(false);
  });

  it("has the measures that its makers state, to a tenth of a millimetre", () => {
    const last = (name: keyof typeof sheetFormats) => {
      const { sheet } = sheetFormats[name];
      const { x, y, width, height } = labelAt(sheet, labelsOn(sheet) - 1);
      return [x, y, x + width, y + height].map((value) => Math.round(value * 10) / 10);
    };
    expect(last("L7160")).toEqual([139.3, 243.8, 202.8, 281.9]);
    expect(last("L7163")).toEqual([106.3, 243.8, 205.4, 281.9]);
    expect(last("L7651")).toEqual([167.1, 265.3, 205.2, 286.5]);
    expect(last("5160")).toEqual([144.5, 241.3, 211.1, 266.7]);
  });

  it("puts each label on a place of its own, from the start on", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.integer({ min: 1, max: 200 }), (start, count) => {
        const { sheet } = sheetFormats.L7160;
        const pages = paginate(
          sheet,
          start,
          Array.from({ length: count }, (_, index) => index),
        );
        expect(pages.flat().map(({ label }) => label)).toEqual([...Array(count).keys()]);
        expect(pages[0]?.[0]?.area).toEqual(labelAt(sheet, start));
        expect(pages).toHaveLength(Math.ceil((start + count) / 21));
        for (const page of pages) {
          const places = page.map(({ area }) => `${area.x},${area.y}`);
          expect(new Set(places).size).toBe(places.length);
        }
      }),
      { numRuns },
    );
  });

  it("is moved by a calibration: all by the offset, each by the pitch", () => {
    const { sheet } = sheetFormats.L7160;
    const moved = calibrated(sheet, { offset: { x: 1, y: -0.5 }, pitch: { x: 0.1, y: 0.2 } });
    const [before, after] = [labelAt(sheet, 20), labelAt(moved, 20)];
    expect(after.x - before.x).toBeCloseTo(1 + 2 * 0.1);
    expect(after.y - before.y).toBeCloseTo(-0.5 + 6 * 0.2);
    expect(calibrated(sheet, uncalibrated)).toEqual(sheet);
  });

  it("of a roll has one label, which is the page", () => {
    const sheet = roll({ width: 62, height: 29 });
    expect(areasOf(sheet)).toEqual([{ x: 0, y: 0, width: 62, height: 29 }]);
    expect(sheetProblem(sheet)).toBeUndefined();
    expect(cutMarks(sheet)).toEqual([]);
  });

  it("has cut marks that touch no label and stay on the page", () => {
    fc.assert(
      fc.property(sheets, (sheet) => {
        fc.pre(sheetProblem(sheet) === undefined);
        for (const { from, to } of cutMarks(sheet)) {
          const [x, y] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])];
          const mark = { x, y, width: Math.abs(from[0] - to[0]), height: Math.abs(from[1] - to[1]) };
          expect(leaves(mark, sheet)).toBe(false);
          const wide = { x: x - 0.01, y: y - 0.01, width: mark.width + 0.02, height: mark.height + 0.02 };
          expect(areasOf(sheet).some((label) => overlap(label, wide))).toBe(false);
        }
      }),
      { numRuns },
    );
  });
});
