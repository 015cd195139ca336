import { readHash } from "../lib/text/hash.ts";

/** The path's only segment, without the query; null when the path has none or more. */
export function onlySegment(url: string): string | null {
  return /^https?:\/\/[^/?#]*\/([^/?#]+)(?:[?#]|$)/.exec(url)?.[1] ?? null;
}

/** The public address of a code's image. */
export interface ImageAddress {
  readonly hash: string;
  readonly format: "svg" | "png";
}

/** The image that `{hash}.svg` or `{hash}.png` names; null for any other segment. */
export function imageAddress(segment: string): ImageAddress | null {
  const dot = segment.length - 4;
  if (segment[dot] !== ".") return null;
  const hash = readHash(segment.slice(0, dot));
  const format = segment.slice(dot + 1).toLowerCase();
  return hash !== null && (format === "svg" || format === "png") ? { hash, format } : null;
}
