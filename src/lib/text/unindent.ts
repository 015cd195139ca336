/** A script or stylesheet without indentation and comments of whole lines, which only readers of the source need. */
export const unindent = (text: string): string =>
  text
    .replace(/^\s+/gm, "")
    .replace(/^\/\/.*\n/gm, "")
    .replace(/^\/\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, "");
