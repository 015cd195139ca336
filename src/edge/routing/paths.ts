import { readHash } from "../../lib/text/hash.ts";

/**
 * Returns the path's only segment, percent-decoded; null if the path has none or several. Ignores a trailing slash or
 * full stop, which people and programs add to addresses.
 */
export function onlySegment(url: string): string | null {
  const segment = /^https?:\/\/[^/?#]*\/([^/?#]+)\/?(?:[?#]|$)/.exec(url)?.[1] ?? null;
  if (segment === null) return null;
  const name = segment.includes("%") ? decoded(segment) : segment;
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** Returns the host of a URL, without port and trailing dot. */
export const hostIn = (url: string): string =>
  (/^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/.exec(url)?.[1] ?? "").replace(/\.$/, "");

/** Returns the path of a URL. */
export const pathIn = (url: string): string => /^https?:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] || "/";

/** Returns invalid percent-encoding unchanged, since it names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The public address of a code's image. */
export interface ImageAddress {
  readonly hash: string;
  readonly format: "svg" | "png";
}

/** Returns the image that `{hash}.svg` or `{hash}.png` names; null for any other segment. */
export function imageAddress(segment: string): ImageAddress | null {
  const dot = segment.length - 4;
  if (segment[dot] !== ".") return null;
  const hash = readHash(segment.slice(0, dot));
  const format = segment.slice(dot + 1).toLowerCase();
  return hash !== null && (format === "svg" || format === "png") ? { hash, format } : null;
}
