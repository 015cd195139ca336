/** Removes indentation and full-line comments from a script or stylesheet, which only readers of the source need. */
export const unindent = (text: string): string =>
  text
    .replace(/^\s+/gm, "")
    .replace(/^\/\/.*\n/gm, "")
    .replace(/^\/\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, "");
