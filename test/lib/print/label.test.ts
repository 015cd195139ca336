import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LabelParts,
  type LabelStyle,
  layOut,
  suitableCaptionSize,
} from "../../../src/lib/print/label.ts";
import { dotsPerModule, smallestCode, smallestModule } from "../../../src/lib/print/module-size.ts";
import { runs } from "../../support/runner/runs.ts";

const numRuns = runs(300, 5000);

/** Every character is half an em wide. */
const measure = (text: string) => text.length / 2;
const style: LabelStyle = { padding: 1.5, captionSize: 2.5, measure };
const square = { width: 41, height: 41 };

const texts = ({ lines }: LabelParts) => lines.map(({ text }) => text);

const place = (label: { width: number; height: number }, ...captions: [string, boolean][]) =>
  layOut(
    label,
    square,
    captions.map(([text, shortens]) => ({ text, shortens })),
    style,
  );

describe("a label", () => {
  it("without captions has its code in the middle, as large as it can be", () => {
    expect(place({ width: 63.5, height: 38.1 })?.code).toEqual({
      x: 14.2,
      y: 1.5,
      width: 35.1,
      height: 35.1,
    });
  });

  it("that is wide has its captions beside the code, a high one below it", () => {
    const wide = place({ width: 63.5, height: 38.1 }, ["Summer menu", true]);
    expect(wide?.lines).toEqual([{ text: "Summer menu", x: 38.1, y: expect.any(Number), centred: false }]);
    const high = place({ width: 40, height: 50 }, ["Summer menu", true]);
    expect(high?.lines).toEqual([{ text: "Summer menu", x: 20, y: expect.any(Number), centred: true }]);
  });

  it("shortens a name, and breaks an address after a dot or slash without losing a character", () => {
    const parts = place(
      { width: 40, height: 50 },
      ["A very long name of a code that nobody can read", true],
      ["go.some-company.example/summer-menu-2026", false],
    );
    expect(parts && texts(parts)).toEqual([
      "A very long name of a code t…",
      "go.some-company.example/",
      "summer-menu-2026",
    ]);
  });

  it.each([
    [{ width: 25, height: 10 }, 1.8],
    [{ width: 63.5, height: 38.1 }, 2.5],
    [{ width: 105, height: 148 }, 6.2],
    [{ width: 297, height: 420 }, 8],
  ])("of %j has captions of %d mm, unless another size is asked for", (label, size) => {
    expect(suitableCaptionSize(label)).toBe(size);
  });

  it("wraps a name between words where it has the room", () => {
    const parts = place({ width: 60, height: 30 }, ["Menu of the restaurant by the river", true]);
    expect(parts && texts(parts).length).toBeGreaterThan(1);
    expect(parts && texts(parts).join(" ")).toBe("Menu of the restaurant by the river");
  });

  it("refuses captions for which it has no room", () => {
    expect(place({ width: 20, height: 6 }, ["a", true], ["b", true])).toBeUndefined();
    expect(place({ width: 12, height: 12 }, ["x".repeat(100), false])).toBeUndefined();
  });

  it("never prints beyond its padding, nor text over the code", () => {
    const captions = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 60 }), fc.boolean()), {
      maxLength: 3,
    });
    const side = fc.double({ min: 8, max: 120, noNaN: true });
    fc.assert(
      fc.property(side, side, captions, (width, height, given) => {
        const parts = place({ width, height }, ...given);
        if (parts === undefined) return;
        const { x, y, width: codeWidth, height: codeHeight } = parts.code;
        expect(x).toBeGreaterThan(1.499);
        expect(y).toBeGreaterThan(1.499);
        expect(x + codeWidth).toBeLessThan(width - 1.499);
        expect(y + codeHeight).toBeLessThan(height - 1.499);
        for (const line of parts.lines) {
          const length = measure(line.text) * style.captionSize;
          const start = line.centred ? line.x - length / 2 : line.x;
          expect(start).toBeGreaterThan(1.499);
          expect(start + length).toBeLessThan(width - 1.499);
          expect(line.y - 0.95 * style.captionSize).toBeGreaterThan(1.499);
          expect(line.y).toBeLessThan(height - 1.499);
          const isBeside = start > x + codeWidth;
          expect(isBeside || line.y - 0.95 * style.captionSize > y + codeHeight - 0.001).toBe(true);
        }
      }),
      { numRuns },
    );
  });
});

describe("the smallest module", () => {
  it("has four dots of the printer", () => {
    expect([200, 300, 600].map((dpi) => Math.round(smallestModule(dpi) * 1000) / 1000)).toEqual([
      0.508, 0.339, 0.169,
    ]);
    for (const dpi of [200, 203, 300, 600, 1200]) {
      const width = smallestCode(37, dpi);
      expect(dotsPerModule(width, 37, dpi)).toBeGreaterThanOrEqual(4);
      expect(dotsPerModule(width - 0.2, 37, dpi)).toBeLessThan(4);
    }
  });
});
