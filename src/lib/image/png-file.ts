import { concat } from "../concat.ts";
import { pngSignature } from "./png-format.ts";

/** A PNG that every reader reads alike. */
export interface PngFile {
  /** Without chunks that aren't needed to draw the picture, or that only some readers know. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the file is in order up to its end. Otherwise the bytes end before what isn't. */
  readonly isIntact: boolean;
}

/** Bytes of a chunk without its data: length, name, check sum. */
const frameBytes = 12;

/** Where the first chunk ends: the header, whose data has 13 bytes. */
const headEnd = pngSignature.length + frameBytes + 13;

/** The chunks that are kept. Readers disagree about others: some have further frames, or inflate to any size. */
const kept = {
  beforePicture: ["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "pHYs", "tIME", "tEXt"],
  /** From the first part of the picture on. */
  onwards: ["IDAT", "IEND", "tIME", "tEXt"],
};
const repeatable = ["IDAT", "tEXt"];

/** The largest colour profile that is kept, in bytes as compressed: profiles of devices, not of printers. */
const maxProfile = 8 * 1024;

/** A chunk is ancillary if its name begins with a small letter: readers may pass it over. */
const isAncillary = (name: string): boolean => /^[a-z]/.test(name);

/** Reads the chunks of a PNG; undefined for what doesn't begin as one. */
export function readPng(bytes: Uint8Array): PngFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nameAt = (at: number) => String.fromCharCode(...bytes.subarray(at + 4, at + 8));
  if (bytes.length < headEnd || pngSignature.some((byte, i) => bytes[i] !== byte)) return undefined;
  if (view.getUint32(pngSignature.length) !== 13 || nameAt(pngSignature.length) !== "IHDR") return undefined;
  const parts = [bytes.subarray(0, headEnd)];
  const seen = new Set(["IHDR"]);
  let name = "IHDR";
  for (let at = headEnd; at + frameBytes <= bytes.length && name !== "IEND"; ) {
    const end = at + frameBytes + view.getUint32(at);
    const next = nameAt(at);
    const allowed =
      seen.has("IDAT") || next === "IDAT" ? kept.onwards : [...kept.beforePicture, ...kept.onwards];
    const isSplit = next === "IDAT" && seen.has("IDAT") && name !== "IDAT";
    const isKept = allowed.includes(next);
    const isRepeated = isKept && seen.has(next) && !repeatable.includes(next);
    const isStrange = !isKept && !isAncillary(next);
    if (end > bytes.length || isSplit || isRepeated || isStrange) break;
    if (isKept && (next !== "iCCP" || end - at <= maxProfile)) {
      parts.push(bytes.subarray(at, end));
    }
    name = next;
    seen.add(name);
    at = end;
  }
  return {
    bytes: concat(parts),
    width: view.getUint32(16),
    height: view.getUint32(20),
    isIntact: name === "IEND",
  };
}
