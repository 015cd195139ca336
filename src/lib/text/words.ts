/** Returns the words at the beginning of a text. @param length how many characters are read */
export const wordsOf = (text: string, length: number): string[] =>
  text
    .slice(0, length)
    .split(/\s+/)
    .filter((word) => word !== "");

/** Returns the lines of a text, trimmed, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
