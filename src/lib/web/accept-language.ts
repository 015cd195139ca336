/**
 * Returns the available language that a request prefers, by primary subtag.
 * @param header `Accept-Language`
 * @param available primary subtags
 * @returns undefined if the request accepts none of them
 */
export function preferredLanguage(header: string | null, available: readonly string[]): string | undefined {
  const ranges = (header ?? "").split(",").map((range) => {
    const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
    const [primary = ""] = tag.trim().split("-");
    return { primary, quality: qualityOf(parameters) };
  });
  return ranges
    .filter(({ primary, quality }) => quality > 0 && available.includes(primary))
    .sort((a, b) => b.quality - a.quality)[0]?.primary;
}

/** Returns the weight of a range, 0 to 1; 1 by default. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.map((parameter) => /^\s*q=(\d(?:\.\d*)?)\s*$/.exec(parameter)?.[1]);
  const quality = given.find((value) => value !== undefined);
  return quality === undefined ? 1 : Number(quality);
}
