import type { Palette } from "../domain/pages/palette.ts";
import { escapeHtml } from "../lib/text/html.ts";

const characters = new Intl.Segmenter();

/** Returns the first letter, digit or emoji of a title, or whatever else it begins with. */
function initialOf(title: string): string {
  const [first = "", ...others] = Array.from(
    characters.segment(title.slice(0, 40)),
    ({ segment }) => segment,
  );
  return [first, ...others].find((each) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(each)) ?? first;
}

/**
 * Returns the icon of a page's tab: its title's initial on its accent colour, as a data URL, so that no request is
 * made.
 */
export function pageIcon(title: string, { accent, onAccent }: Palette): string {
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='6' fill='${accent}'/>` +
    `<text x='16' y='23' style='font:700 20px sans-serif' text-anchor='middle' fill='${onAccent}'>` +
    `${escapeHtml(initialOf(title))}</text></svg>`;
  return `data:image/svg+xml,${svg.replace(/[#%&<>]|[^\x20-\x7e]+/g, encodeURIComponent)}`;
}
