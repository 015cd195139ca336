import { limits } from "../../contract/limits.ts";
import type { ArchiveOptions, PrintOptions } from "../../contract/resources/prints.ts";

/** How print jobs are worked on. */
export const printTiming = {
  /** A worker holds a job for this long: longer than a slice takes. A job whose worker died is taken after it. */
  leaseSeconds: 120,
  /** A failed attempt is repeated after this long, and each further one in a row after twice as long, */
  retrySeconds: 15,
  /** but never after longer than this. */
  longestRetrySeconds: 300,
  /** A job that failed this often in a row ends as failed: after some 20 minutes. */
  maxAttempts: 8,
  /** A request may take this long to store the list of a job's codes. */
  stagingSeconds: 60,
} as const;

/**
 * A slice of a job is drawn by one message of the queue: so many codes at most, with so many pixels of PNGs, which take CPU time.
 * After so many bytes or milliseconds, the next slice begins.
 */
export const slice = {
  ...{ codes: 100, pixels: 100 * 1024 * 1024 },
  ...{ bytes: 8 * 1024 * 1024, milliseconds: 20_000 },
} as const;

/** The codes of a slice of images, at most. */
export function imagesInSlice({ format, size, mm }: ArchiveOptions): number {
  if (format !== "png") return slice.codes;
  const side = mm === undefined ? size : limits.drawnPng;
  return Math.max(1, Math.min(slice.codes, Math.floor(slice.pixels / side ** 2)));
}

/** The labels of a PDF, which a slice makes: whole sheets, at least one, of as many codes as a slice has. */
export function labelsInSlice(perSheet: number, { copies }: PrintOptions): number {
  const labels = Math.min(slice.codes * copies, limits.print.labels);
  return perSheet * Math.max(1, Math.floor(labels / perSheet));
}

/** Seconds until the next attempt. @param attempts that have failed in a row */
export const retryAfter = (attempts: number): number =>
  Math.min(printTiming.longestRetrySeconds, printTiming.retrySeconds * 2 ** (attempts - 1));
