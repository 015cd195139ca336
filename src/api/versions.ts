import { invalid, type Versions } from "../domain/errors.ts";

/**
 * Returns whether a request demands that its resource exists (`If-Match`), or doesn't (`If-None-Match: *`); undefined
 * for neither. @throws invalid_input
 */
export function existenceOf(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): boolean | undefined {
  if (ifNoneMatch === undefined) return ifMatch === undefined ? undefined : true;
  if (ifMatch !== undefined) throw invalid("If-None-Match", "can't be combined with If-Match");
  if (ifNoneMatch.trim() === "*") return false;
  throw invalid("If-None-Match", "must be *, which only creates");
}

/** Returns the ETag of a version. */
export const tagOf = (version: number): string => `"${version}"`;

/**
 * Returns the versions that `If-Match` names; undefined for any version, which `*` means. Accepts weak ETags, since
 * proxies that compress a response weaken its ETag. One that isn't a version's matches none.
 * @throws invalid_input for anything but ETags
 */
export function versionsOf(ifMatch: string | undefined): Versions {
  const header = ifMatch?.trim();
  if (header === undefined || header === "*") return undefined;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (!tags.every((tag) => /^"[^"]*"$/.test(tag))) {
    throw invalid("If-Match", 'must be * or a list of ETags such as "3"');
  }
  return tags.filter((tag) => /^"[1-9]\d{0,14}"$/.test(tag)).map((tag) => Number(tag.slice(1, -1)));
}
