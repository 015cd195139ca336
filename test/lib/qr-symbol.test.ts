import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { coveredModules, isCovered, placeLogo } from "../../src/lib/image/logo-placement.ts";
import { encodeSymbol, planSymbol } from "../../src/lib/image/qr-symbol.ts";
import { sample } from "../support/runner/runs.ts";

const levels = ["L", "M", "Q", "H"] as const;

/** A text as the encoder writes it. Its mask, which takes the longest to find, is given. */
const encoding = (text: string, ecc: (typeof levels)[number]) =>
  encode(text, { ecc, border: 0, maskPattern: 0 });

describe("the plan of a symbol", () => {
  const lengths = sample(
    Array.from({ length: 600 }, (_, i) => i + 1),
    17,
  );

  it.each(["a", "A", "é"])("of texts of %j is the smallest that the encoder makes", (character) => {
    for (const length of lengths) {
      const text = character.repeat(length);
      for (const ecc of levels) {
        const plan = planSymbol(text, ecc);
        const encoded = encoding(text, ecc);
        expect([length, ecc, plan?.layout.version, plan?.layout.side]).toEqual([
          length,
          ecc,
          encoded.version,
          encoded.size,
        ]);
      }
    }
  });

  it("of addresses in upper case but for their scheme is the smallest that holds both segments", () => {
    const isLargerThanCapitals = lengths.slice(0, 12).map((length) => {
      const rest = `://QR.EXAMPLE/${"A".repeat(length)}`;
      const [mixed, capitals] = [planSymbol(`https${rest}`), planSymbol(`HTTPS${rest}`)];
      const versions = [mixed, capitals].map((plan) => plan?.layout.version ?? 0);
      const dark = [0, 8, 20].map((at) => mixed && encodeSymbol(`https${rest}`, mixed).at(at, 8));
      expect(dark).not.toContain(undefined);
      return (versions[0] ?? 0) - (versions[1] ?? 0);
    });
    expect(Math.max(...isLargerThanCapitals)).toBeLessThanOrEqual(1);
  });

  it("has the best level that needs no larger symbol than M, unless one is asked for", () => {
    for (const length of lengths) {
      const text = "a".repeat(length);
      const smallest = encoding(text, "M");
      const best = levels.findLast((ecc) => encoding(text, ecc).version <= smallest.version);
      expect(planSymbol(text)).toMatchObject({ level: best, layout: { version: smallest.version } });
    }
  });

  it("tries larger symbols until one is readable, and ends", () => {
    const tried: string[] = [];
    const none = planSymbol("https://example.com/abc", undefined, ({ layout, level }) => {
      tried.push(`${layout.version}${level}`);
      return false;
    });
    expect(none).toBeUndefined();
    expect(tried).toEqual(["2M", ...Array.from({ length: 10 }, (_, i) => `${i + 3}H`)]);
  });
});

it("the modules that a logo covers are those that are drawn without", () => {
  for (const side of [21, 29, 57]) {
    for (const ratio of [0.2, 1, 3.3]) {
      for (const cutout of ["square", "circle", "none"] as const) {
        for (const layout of [{}, { size: 0.1 }, { size: 0.4 }]) {
          const place = placeLogo(side, ratio, { padding: 2.5, cutout, ...layout });
          const all = Array.from(
            { length: side * side },
            (_, i) => [i % side, Math.floor(i / side)] as const,
          );
          const covered = all.filter(([x, y]) => isCovered(place, side, x, y));
          expect([...coveredModules(place, side)]).toEqual(covered);
        }
      }
    }
  }
});
