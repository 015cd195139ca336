import { readPng } from "../lib/image/png-file.ts";

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Tells a PNG from a JPEG by its first byte. */
export const typeOfPicture = (bytes: Uint8Array): "png" | "jpeg" => (bytes[0] === 0xff ? "jpeg" : "png");

/**
 * Reads the size of a PNG or JPEG. Undefined for anything else, and for a file that another decoder might read
 * differently, so that no picture is decoded larger than it was measured.
 */
export function sizeOfPicture(bytes: Uint8Array): Size | undefined {
  if (typeOfPicture(bytes) === "jpeg") return sizeOfJpeg(bytes);
  const png = readPng(bytes);
  return png?.isIntact === true ? png : undefined;
}

/** The second byte of a JPEG's markers. */
const markers = {
  fill: 0xff,
  startOfImage: 0xd8,
  endOfImage: 0xd9,
  startOfScan: 0xda,
  /** Baseline, extended and progressive. Decoders read others in different ways, or not at all. */
  frames: [0xc0, 0xc1, 0xc2],
  /** Tables, restart intervals and comments. Those of applications are from 0xe0 to 0xef. */
  others: [0xc4, 0xda, 0xdb, 0xdd, 0xfe],
};

/** Reads the size from a JPEG's only frame. Undefined with more frames, or with unknown segments. */
function sizeOfJpeg(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[1] !== markers.startOfImage) return undefined;
  let size: Size | undefined;
  for (let at = 2; ; ) {
    if (bytes[at] !== markers.fill) return undefined;
    while (bytes[at + 1] === markers.fill) at += 1;
    const marker = bytes[at + 1] ?? 0;
    if (marker === markers.endOfImage) return size;
    const length = at + 4 <= bytes.length ? view.getUint16(at + 2) : 0;
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return undefined;
    if (markers.frames.includes(marker)) {
      if (size !== undefined) return undefined;
      size = sizeOfFrame(view, at + 4, length - 2);
      if (size === undefined) return undefined;
    } else if (!markers.others.includes(marker) && (marker & 0xf0) !== 0xe0) return undefined;
    at = end;
    if (marker === markers.startOfScan) {
      if (size === undefined) return undefined;
      at = endOfScan(bytes, at);
      // Whether a picture that breaks off can be drawn is left to the decoder.
      if (at === -1) return size;
    }
  }
}

/** Reads a frame's header: precision, height and width, and three bytes for each component. */
function sizeOfFrame(view: DataView, at: number, length: number): Size | undefined {
  if (length < 6 || view.getUint8(at) !== 8) return undefined;
  const components = view.getUint8(at + 5);
  if (![1, 3, 4].includes(components) || length !== 6 + 3 * components) return undefined;
  return { width: view.getUint16(at + 3), height: view.getUint16(at + 1) };
}

/** Returns where the compressed data before the next marker end; -1 if there is none. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(markers.fill, from); at !== -1; at = bytes.indexOf(markers.fill, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    // 0xFF as data is followed by zero; restart markers are in the data; a fill byte comes before another marker.
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7) || next === markers.fill;
    if (!isData) return at;
  }
  return -1;
}
