import { limits } from "../../contract/limits.ts";
import type { ArchiveOptions, PrintOptions } from "../../contract/resources/images/prints.ts";
import type { PrintSlice } from "../../protocol/messages.ts";

/** How long a request may take to store the list of a job's codes, seconds. */
export const stagingSeconds = 60;

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
