/** Characters of a file's name before its ending: with UTF-8 of four bytes each, file systems take it. */
const maxLength = 60;

/**
 * A name as the name of a file, such as `summer-menu` for "Summer menu!": letters and digits of every script, with hyphens
 * between them, so that no system mistakes it for a path or an option. Empty if the name has neither.
 */
export const fileNameOf = (name: string): string =>
  [
    ...name
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
      .replace(/^-/, ""),
  ]
    .slice(0, maxLength)
    .join("")
    .replace(/-$/, "");

/** The Content-Disposition of a file that is saved, with a name in ASCII for programs that know no other. */
export function attachment(filename: string): string {
  const dot = filename.lastIndexOf(".");
  const ascii = filename
    .slice(0, dot)
    .normalize("NFKD")
    .replace(/[^\w-]/g, "")
    .replace(/^-+/, "");
  const plain = `attachment; filename="${ascii || "download"}${filename.slice(dot)}"`;
  return ascii + filename.slice(dot) === filename
    ? plain
    : `${plain}; filename*=UTF-8''${encodeURIComponent(filename)}`;
}
