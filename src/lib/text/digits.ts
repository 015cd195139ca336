/** Writes the digits and signs of full-width forms, and Arabic digits, in ASCII. */
export const asciiDigits = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));

/** Marks of the writing direction, which phones and messengers put around numbers that are copied. */
export const withoutDirection = (text: string): string => text.replace(/\p{Bidi_Control}/gu, "");

/**
 * Reads a number as people write it: with a decimal point or comma, and any minus sign. Without groups of digits, since
 * `1,234` has one meaning only if there are none.
 * @returns NaN for anything else
 */
export function readDecimal(input: string): number {
  const text = asciiDigits(withoutDirection(input))
    .trim()
    .replace(/^[\u2212\u2012\u2013]/, "-")
    .replace(/[\u066b,]/, ".");
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}
