import type { LogoOutline } from "../../lib/image/logo-drawing.ts";
import { readPathData } from "../svg/outline.ts";

/**
 * Formats with at most four decimals, which is exact enough even at the size of a wall: a hundredth of a micrometre per
 * module.
 */
export const decimal = (value: number): string => {
  const text = value.toFixed(4);
  return text.includes(".") ? text.replace(/\.?0+$/, "").replace(/^-0$/, "0") : text;
};

/** Converts SVG path data of this service to PDF operators that construct the path; the caller paints it. */
export const pathOperators = (data: string): string => outlineOperators(readPathData(data));

/** The operator of each segment, and how many numbers it takes. */
const operators: Readonly<Record<string, readonly [string, number]>> = {
  ...{ M: ["m", 2], L: ["l", 2], C: ["c", 6], Z: ["h", 0] },
};

/** Converts an outline to PDF operators that construct its path. */
export function outlineOperators({ segments, points }: LogoOutline): string {
  const lines: string[] = [];
  let at = 0;
  for (const segment of segments) {
    const [operator, count] = operators[segment] ?? ["h", 0];
    const numbers = points.slice(at, at + count).map((value) => `${decimal(value)} `);
    lines.push(`${numbers.join("")}${operator}\n`);
    at += count;
  }
  return lines.join("");
}
