import { sameJson } from "./text/json.ts";

/** Returns the fields in which two versions of something differ. */
export function changesBetween<Fields extends object>(
  before: Fields,
  after: Fields,
): Record<string, readonly [before: unknown, after: unknown]> {
  const names = Object.keys(after) as (keyof Fields & string)[];
  const differing = names.filter((name) => !sameJson(before[name], after[name]));
  return Object.fromEntries(differing.map((name) => [name, [before[name], after[name]] as const]));
}
