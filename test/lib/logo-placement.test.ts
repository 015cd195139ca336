import { encode, QrCodeDataType } from "uqr";
import { describe, expect, it } from "vitest";
import { placeLogo } from "../../src/lib/image/logo-placement.ts";

/** ISO/IEC 18004, table 9, error correction level H: for each version, the blocks with their codewords and data codewords. */
const blocksOf: Record<number, (readonly [count: number, codewords: number, data: number])[]> = {
  3: [[2, 35, 13]],
  4: [[4, 25, 9]],
  5: [
    [2, 33, 11],
    [2, 34, 12],
  ],
  6: [[4, 43, 15]],
  7: [
    [4, 39, 13],
    [1, 40, 14],
  ],
};

/** The block of each codeword, in the order of placement. */
function blockOrder(version: number): { order: number[]; corrected: number } {
  const blocks = (blocksOf[version] ?? []).flatMap(([count, codewords, data]) =>
    Array.from({ length: count }, () => ({ data, check: codewords - data })),
  );
  const longest = Math.max(...blocks.map(({ data }) => data));
  const check = blocks[0]?.check ?? 0;
  const data = Array.from({ length: longest }, (_, i) =>
    blocks.flatMap((block, number) => (i < block.data ? [number] : [])),
  );
  const checks = Array.from({ length: check }, () => [...blocks.keys()]);
  return { order: [...data, ...checks].flat(), corrected: Math.floor(check / 2) };
}

/** The codeword of each module by `x,y`: placed in pairs of columns from the right, alternately upwards and downwards. */
function codewordsOf(types: readonly (readonly number[])[], side: number): Map<string, number> {
  const codewords = new Map<string, number>();
  let bit = 0;
  let upwards = true;
  for (let right = side - 1; right > 0; right -= 2) {
    // The column of the timing pattern is skipped.
    if (right === 6) right = 5;
    for (let step = 0; step < side; step += 1) {
      const y = upwards ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (types[y]?.[x] === QrCodeDataType.Data) codewords.set(`${x},${y}`, bit++ >> 3);
      }
    }
    upwards = !upwards;
  }
  return codewords;
}

const ratios = Array.from({ length: 61 }, (_, i) => Math.exp((i - 30) / 10));

describe.each([20, 30, 40, 52, 62])("the logo box of a scanUrl of %d characters", (length) => {
  const { types, size, version } = encode("x".repeat(length), { ecc: "H", border: 0 });

  it("covers fewer codewords of each block than can be corrected", () => {
    const { order, corrected } = blockOrder(version);
    const codewords = codewordsOf(types, size);
    expect(new Set(codewords.values()).size).toBeGreaterThanOrEqual(order.length);
    for (const ratio of ratios) {
      const { box } = placeLogo(size, ratio, { padding: 1, cutout: "square" });
      const lost = new Map<number, Set<number>>();
      for (let y = box.y; y < box.y + box.height; y += 1) {
        for (let x = box.x; x < box.x + box.width; x += 1) {
          const codeword = codewords.get(`${x},${y}`);
          const block = codeword === undefined ? undefined : order[codeword];
          if (codeword === undefined || block === undefined) continue;
          lost.set(block, (lost.get(block) ?? new Set()).add(codeword));
        }
      }
      for (const block of lost.values()) expect(block.size).toBeLessThan(corrected);
    }
  });

  it("is centred, covers at most an eighth, and leaves padding around the logo", () => {
    for (const ratio of ratios) {
      const { box, logo } = placeLogo(size, ratio, { padding: 1, cutout: "square" });
      expect((box.width * box.height) / (size * size)).toBeLessThanOrEqual(1 / 8);
      expect([box.x * 2 + box.width, box.y * 2 + box.height]).toEqual([size, size]);
      expect(logo.width / logo.height).toBeCloseTo(ratio, 6);
      expect(Math.min(logo.x - box.x, logo.y - box.y)).toBeGreaterThanOrEqual(1);
      // Clear of finder patterns, timing patterns and format information.
      expect(Math.min(box.x, box.y)).toBeGreaterThan(8);
      // From version 7 on there is an alignment pattern in the centre.
      const rows = types.slice(box.y, box.y + box.height);
      const covered = rows.flatMap((row) => row.slice(box.x, box.x + box.width));
      if (version < 7) expect(new Set(covered)).toEqual(new Set([QrCodeDataType.Data]));
    }
  });
});
