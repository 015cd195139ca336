import { limits } from "../../contract/limits.ts";
import type { ArchiveOptions, PrintOptions } from "../../contract/resources/images/prints.ts";
import type { PrintSlice } from "../../protocol/messages.ts";

/** The timing of work on print jobs. */
export const printTiming = {
  /** How long a worker holds a job, which is longer than a slice takes. After that, another worker takes over. */
  leaseSeconds: 120,
  /** A failed attempt is repeated after this long, doubled with each consecutive failure, */
  retrySeconds: 15,
  /** but at most after this long. */
  longestRetrySeconds: 300,
  /** A job that failed this many times in succession ends as failed, after some 20 minutes. */
  maxAttempts: 8,
  /** How long a request may take to store the list of a job's codes. */
  stagingSeconds: 60,
} as const;

/** The slice of a job that one message of the queue draws. */
export const slice: PrintSlice = {
  ...{ codes: 100, pixels: 100 * 1024 * 1024 },
  ...{ bytes: 8 * 1024 * 1024, milliseconds: 20_000 },
};

/** Returns the maximum number of codes in a slice of images. */
export function imagesInSlice(slice: PrintSlice, { format, size, mm }: ArchiveOptions): number {
  if (format !== "png") return slice.codes;
  const side = mm === undefined ? size : limits.drawnPng;
  return Math.max(1, Math.min(slice.codes, Math.floor(slice.pixels / side ** 2)));
}

/** Returns the number of labels in a slice of a PDF: whole sheets, at least one, for as many codes as a slice has. */
export function labelsInSlice(slice: PrintSlice, perSheet: number, { copies }: PrintOptions): number {
  const labels = Math.min(slice.codes * copies, limits.print.labels);
  return perSheet * Math.max(1, Math.floor(labels / perSheet));
}

/** Returns the seconds until the next attempt. @param attempts consecutive failures */
export const retryAfter = (attempts: number): number =>
  Math.min(printTiming.longestRetrySeconds, printTiming.retrySeconds * 2 ** (attempts - 1));
