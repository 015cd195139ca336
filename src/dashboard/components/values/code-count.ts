import { mostCounted } from "../../../domain/codes/counts.ts";
import { formatNumber } from "./format.ts";

/** The number of codes of something, without a noun. Above the number that is counted, `10,000+`. */
export const codeCount = (codes: number): string =>
  codes > mostCounted ? `${formatNumber(mostCounted)}+` : formatNumber(codes);

/** The same with its noun: 1 code, 2 codes. */
export const codeCountWithNoun = (codes: number): string =>
  `${codeCount(codes)} ${codes === 1 ? "code" : "codes"}`;
