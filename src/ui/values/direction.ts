/** The scripts that are written from right to left: Hebrew, Arabic and their neighbours, and their presentation forms. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Returns the `dir` of an element with a text that a user entered: by its first letter, where one is from right to left. */
export const directionOf = (text: string): "auto" | undefined =>
  rightToLeft.test(text) ? "auto" : undefined;
