import { chineseScript } from "../text/chinese.ts";

/**
 * Returns the available language that a request prefers: by primary subtag, and Chinese also by its script. A range
 * that leaves the script open (`zh`) stands for the one that the request names elsewhere, otherwise for simplified
 * characters.
 * @param header `Accept-Language`
 * @param available primary subtags; `zh` for simplified and `zh-Hant` for traditional Chinese
 * @returns undefined if the request accepts none of them
 */
export function preferredLanguage(header: string | null, available: readonly string[]): string | undefined {
  const ranges = (header ?? "")
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
      const [primary = ""] = tag.trim().split(/[-_]/);
      return { primary, script: chineseScript(tag.trim()), quality: qualityOf(parameters) };
    })
    .sort((a, b) => b.quality - a.quality);
  const accepted = ranges.filter(({ primary, quality }) => quality > 0 && available.includes(primary));
  const [preferred] = accepted;
  if (preferred?.primary !== "zh") return preferred?.primary;
  const named = accepted.find(({ script }) => script !== undefined)?.script;
  const refusesSimplified = ranges.some(({ script, quality }) => script === "Hans" && quality === 0);
  const script = preferred.script ?? named ?? (refusesSimplified ? "Hant" : "Hans");
  return script === "Hant" ? "zh-Hant" : "zh";
}

/** Returns the weight of a range, 0 to 1; 1 by default. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.map((parameter) => /^\s*q=(\d(?:\.\d*)?)\s*$/.exec(parameter)?.[1]);
  const quality = given.find((value) => value !== undefined);
  return quality === undefined ? 1 : Number(quality);
}
