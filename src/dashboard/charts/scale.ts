/** A scale of counts, from 0 to a round whole number. */
export interface CountScale {
  readonly top: number;
  /** Whole numbers from 0 to `top`, evenly spaced. */
  readonly ticks: readonly number[];
}

const mostTicks = 4;

/** The scale for counts up to `largest`: at most five ticks, 1, 2 or 5 times a power of ten apart. */
export function countScale(largest: number): CountScale {
  const rough = Math.max(largest, 1) / mostTicks;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  const step = factor * power;
  const steps = Math.max(1, Math.ceil(largest / step));
  return { top: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}

/** A coordinate with at most two decimals, which keeps pages small. */
export const round = (coordinate: number): number => Math.round(coordinate * 100) / 100;

/** A fraction as a percentage for an attribute of an SVG element. */
export const percent = (fraction: number): string => `${round(fraction * 100)}%`;

/** Shades besides the one of nothing. */
const shades = 5;

/** The shade of a count: 0 for none, 1 to 5 by the square root of its part of the largest. */
export function shadeOf(count: number, largest: number): number {
  return count === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(count / largest) * shades));
}

/** The most labels of an axis on a wide screen; a narrow one shows every third. */
const mostLabels = 8;

/** The indexes of the steps that have a label, evenly spaced. `wide`: hidden on narrow screens. */
export function labelledSteps(count: number): readonly { index: number; wide: boolean }[] {
  const distance = Math.ceil(count / mostLabels);
  const labels = Math.ceil(count / Math.max(distance, 1));
  return Array.from({ length: labels }, (_, index) => ({
    index: index * distance,
    wide: index % 3 !== 0,
  }));
}
