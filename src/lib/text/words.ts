/** The words of a text, whose beginning is read. @param length characters that are read */
export const wordsOf = (text: string, length: number): string[] =>
  text
    .slice(0, length)
    .split(/\s+/)
    .filter((word) => word !== "");

/** The lines of a text, trimmed, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
