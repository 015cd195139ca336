import type { Interval } from "../../contract/resources/scans/analytics.ts";

/** A scale of counts from 0 to a top, which may lie between ticks. */
export interface CountScale {
  readonly top: number;
  /** Round whole numbers from 0, evenly spaced. */
  readonly ticks: readonly number[];
}

const mostTicks = 3;
/** The share of a scale above the largest count. */
const headroom = 0.06;

/** Returns the scale for counts up to `largest`, with at most four ticks a round number apart. */
export function countScale(largest: number): CountScale {
  const top = Math.max(1, largest * (1 + headroom));
  const rough = top / (mostTicks + 1);
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const factors = power === 1 ? [1, 2, 5, 10] : [1, 1.5, 2, 2.5, 3, 4, 5, 10];
  const step = (factors.find((factor) => factor * power > rough) ?? 10) * power;
  return { top, ticks: Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step) };
}

/** Rounds a coordinate to two decimals, which keeps pages small. */
export const round = (coordinate: number): number => Math.round(coordinate * 100) / 100;

/** Formats a fraction as a percentage for an SVG attribute. */
export const percent = (fraction: number): string => `${round(fraction * 100)}%`;

/** Steps of the heat scale, excluding zero. */
export const heatSteps = 5;

/** Returns the shade of a count: 0 for none, otherwise 1 to 5, by the square root of its share of the largest. */
export function shadeOf(count: number, largest: number): number {
  return count === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(count / largest) * heatSteps));
}

/** The most axis labels on a wide screen. A narrow one shows half of them. */
const mostLabels = 8;

/**
 * Returns the indexes of the steps with a label: Mondays in a daily series, evenly spaced steps in others. `wide`:
 * hidden on narrow screens.
 */
export function labelledSteps(
  interval: Interval,
  starts: readonly string[],
): readonly { index: number; wide: boolean }[] {
  const all = starts.map((_, index) => index);
  const isLong = starts.length > mostLabels;
  const candidates =
    interval === "day" && isLong ? all.filter((index) => isMonday(starts[index] ?? "")) : all;
  const distance = Math.ceil(candidates.length / mostLabels);
  const shown = candidates.filter((_, place) => place % Math.max(distance, 1) === 0);
  return shown.map((index, place) => ({ index, wide: shown.length > 5 && place % 2 !== 0 }));
}

const isMonday = (start: string): boolean => new Date(`${start.slice(0, 10)}T00:00Z`).getUTCDay() === 1;
