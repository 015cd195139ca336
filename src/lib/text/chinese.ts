/** Regions where Chinese is written in traditional characters. */
const traditionalRegions: readonly string[] = ["tw", "hk", "mo"];

/**
 * Returns the script of Chinese that a language tag names, also by its region; undefined for other languages, and for
 * a tag that names neither.
 * @param tag as BCP 47, or as some programs write it: `zh_TW`
 */
export function chineseScript(tag: string): "Hans" | "Hant" | undefined {
  // A single letter begins extensions, or subtags for private use.
  const [primary, ...subtags] = (tag.toLowerCase().split(/[-_]\w[-_]/)[0] ?? "").split(/[-_]/);
  if (primary !== "zh") return undefined;
  if (subtags.includes("hant")) return "Hant";
  if (subtags.includes("hans")) return "Hans";
  const region = subtags.find((subtag) => /^[a-z]{2}$/.test(subtag));
  if (region === undefined) return undefined;
  return traditionalRegions.includes(region) ? "Hant" : "Hans";
}

/**
 * Adds the script to a Chinese language tag, because browsers choose the font by it: `zh-Hans` for `zh`, `zh-Hant-TW`
 * for `zh-TW`. Other tags stay as they are.
 */
export const withScript = (tag: string): string =>
  tag.replace(/^zh(?=$|-[a-z]{2}(?:-|$))/i, `$&-${chineseScript(tag) ?? "Hans"}`);
