/** The words of a text, whose beginning is read. @param length characters that are read */
export const wordsOf = (text: string, length: number): string[] =>
  text
    .slice(0, length)
    .split(/\s+/)
    .filter((word) => word !== "");
