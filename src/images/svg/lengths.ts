/** Units of length, in pixels. */
const units: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["px", 1],
  ["pt", 4 / 3],
  ["pc", 16],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
  ["em", 16],
  ["ex", 8],
]);

const length = /^[ \t\r\n]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]{0,2}|%)[ \t\r\n]*$/i;

/** Characters of a number. */
const maxLength = 64;

/** Reads a length. @param whole what percentages refer to; undefined where there are none */
export function readLength(text: string | undefined, whole?: number): number | undefined {
  const [, value, unit = ""] =
    (text?.length ?? maxLength + 1) > maxLength ? [] : (length.exec(text ?? "") ?? []);
  if (value === undefined) return undefined;
  const factor = unit === "%" ? (whole ?? Number.NaN) / 100 : units.get(unit.toLowerCase());
  const found = Number(value) * (factor ?? Number.NaN);
  return Number.isFinite(found) ? found : undefined;
}

/** Reads a number or a percentage, as a share between 0 and 1. */
export const readShare = (text: string | undefined, absent = 1): number =>
  Math.min(1, Math.max(0, readLength(text, 1) ?? absent));
