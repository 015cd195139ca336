/**
 * The maximum length of a file's name without its extension, in characters. File systems accept it even with four bytes
 * each.
 */
const maxLength = 60;

/**
 * Turns a name into a file name, such as `summer-menu` for "Summer menu!": letters and digits of every script,
 * separated by hyphens, so that no system mistakes it for a path or an option. Empty if the name has neither.
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

/** Returns the Content-Disposition of a download, with an ASCII name for programs that don't support others. */
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
