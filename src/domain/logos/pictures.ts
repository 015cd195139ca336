import { type LogoDrawing, logoSvg } from "../../lib/image/logo-drawing.ts";
import { readPng } from "../../lib/image/png-file.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { ReadSvg } from "../../protocol/images.ts";
import {
  findUnconverted,
  type LogoConversion,
  type LogoId,
  type LogoRow,
  noteConversion,
} from "../../store/logos/logos.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import { canDraw, notInstalled, unavailable } from "../images-worker.ts";
import { maxLogoBytes, readLogoDrawing, readLogoFile, writeLogoDrawing } from "./files.ts";

/** A logo as it is drawn. */
export type LogoPicture =
  | { readonly kind: "png"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Made of an SVG. */
  | { readonly kind: "drawing"; readonly drawing: LogoDrawing }
  /** An SVG that isn't converted yet, or can't be (`problem`). */
  | {
      readonly kind: "original";
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly problem?: string | undefined;
    };

/** Reads a stored logo. An SVG that was stored before there were drawings is converted. @throws internal (503) */
export async function readLogoPicture(
  deps: Deps,
  workspaceId: string,
  { id, mediaType, conversion }: LogoRow,
): Promise<LogoPicture> {
  const logo = { workspaceId, id };
  if (mediaType === "image/png") {
    const file = await readLogoFile(deps, logo);
    // One that was stored by an earlier version may have more than what was checked.
    return { kind: "png", bytes: readPng(file)?.bytes ?? file };
  }
  if (conversion === "kept") {
    const kept = await readLogoDrawing(deps, logo);
    if (kept !== null) return { kind: "drawing", drawing: JSON.parse(kept) };
  }
  const bytes = await readLogoFile(deps, logo);
  if (conversion !== null && typeof conversion === "object") {
    return { kind: "original", bytes, problem: conversion.problem };
  }
  const converted = await convert(deps, logo, bytes, conversion === "failed");
  return converted === undefined || "problem" in converted
    ? { kind: "original", bytes, ...converted }
    : { kind: "drawing", drawing: converted };
}

const timeoutMilliseconds = 10_000;

/**
 * Makes a drawing of a stored SVG and keeps it.
 * @param hasFailed whether this is the second attempt
 * @returns why there is none, or undefined if it can be tried again
 */
async function convert(
  deps: Deps,
  logo: LogoId,
  bytes: Uint8Array<ArrayBuffer>,
  hasFailed: boolean,
): Promise<LogoDrawing | { readonly problem: string } | undefined> {
  const { images } = deps;
  if (images === undefined) return undefined;
  const read = await withTimeout(deps, timeoutMilliseconds, () =>
    images.readSvg(bytes, maxLogoBytes(deps)),
  ).catch(async (error: unknown): Promise<ReadSvg | undefined> => {
    log("error", "logo not converted", { ...logo, error: describeError(error) });
    // Where nothing can be drawn, it isn't the logo's fault.
    if (!(await canDraw(deps))) return undefined;
    if (hasFailed) return { problem: "can't be read. Export it again." };
    await note(deps, logo, "failed");
    return undefined;
  });
  if (read === undefined) return undefined;
  if ("problem" in read) {
    const { problem } = read;
    await note(deps, logo, { problem });
    return { problem };
  }
  await keep(deps, logo, read.drawing);
  return JSON.parse(read.drawing);
}

/** Keeps a drawing. Where that fails, it is made again the next time. */
async function keep(deps: Deps, logo: LogoId, drawing: string): Promise<void> {
  try {
    await writeLogoDrawing(deps, logo, drawing);
    await noteConversion(deps.db, logo, "kept");
  } catch (error) {
    log("error", "logo not stored", { ...logo, error: describeError(error) });
  }
}

const note = (deps: Deps, logo: LogoId, conversion: LogoConversion): Promise<void> =>
  noteConversion(deps.db, logo, conversion).catch((error: unknown) =>
    log("error", "logo not stored", { ...logo, error: describeError(error) }),
  );

/** Converts one of the SVGs that were stored before there were drawings, for the sweep. */
export async function convertStoredLogo(deps: Deps): Promise<void> {
  if (deps.images === undefined) return;
  const logo = await findUnconverted(deps.db);
  if (logo !== undefined) await readLogoPicture(deps, logo.workspaceId, logo);
}

/** Part of the tag of an image: what a logo looks like may depend on whether there is a drawing of it. */
export const tagOf = ({ id, mediaType, conversion }: LogoRow): string =>
  mediaType === "image/png" || conversion === "kept" ? id : `${id}/${JSON.stringify(conversion)}`;

/** A logo as a file, for an SVG. One without a drawing is embedded as uploaded, for browsers to draw. */
export function fileOf(picture: LogoPicture): { mediaType: string; bytes: Uint8Array<ArrayBuffer> } {
  if (picture.kind === "png") return { mediaType: "image/png", bytes: picture.bytes };
  if (picture.kind === "original") return { mediaType: "image/svg+xml", bytes: picture.bytes };
  return { mediaType: "image/svg+xml", bytes: utf8(logoSvg(picture.drawing)) };
}

/** A logo as a file, for a PDF. @throws as `requireDrawing` */
export function printedFileOf(
  deps: Deps,
  picture: LogoPicture,
): { mediaType: string; bytes: Uint8Array<ArrayBuffer> } {
  if (picture.kind === "png") return fileOf(picture);
  return { mediaType: "application/json", bytes: utf8(JSON.stringify(requireDrawing(picture, deps))) };
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

const drawn = { what: "A PNG or PDF with this logo", instead: "Use the SVG." };

/**
 * Returns the drawing of a logo. @throws invalid_input if there can't be one, since an SVG is never drawn as it came;
 * internal (503) if there may be one later
 */
export function requireDrawing(picture: Exclude<LogoPicture, { kind: "png" }>, deps: Deps): LogoDrawing {
  if (picture.kind === "drawing") return picture.drawing;
  const { problem } = picture;
  if (problem !== undefined) throw new UndrawableLogo(problem);
  throw deps.images === undefined ? notInstalled(drawn) : unavailable(drawn);
}

/** The error for a logo that is only shown in SVGs. */
export class UndrawableLogo extends ServiceError {
  constructor(problem: string) {
    const sentence = /[.!?]$/.test(problem) ? problem : `${problem}.`;
    super(
      "invalid_input",
      `The code's logo can't be drawn in a PNG or PDF: it ${sentence} Use the SVG, or another logo.`,
    );
  }
}
