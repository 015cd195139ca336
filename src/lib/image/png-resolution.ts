import { concat } from "../concat.ts";
import { crc32 } from "../crc32.ts";
import { pngSignature } from "./png-format.ts";

/** The length of the signature and header with which every PNG begins. */
const headBytes = pngSignature.length + 25;

/** Sets a PNG's resolution for printing. @param dpi dots per inch */
export function withResolution(png: Uint8Array<ArrayBuffer>, dpi: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  const dotsPerMetre = Math.round(dpi / 0.0254);
  view.setUint32(0, 9);
  chunk.set(new TextEncoder().encode("pHYs"), 4);
  view.setUint32(8, dotsPerMetre);
  view.setUint32(12, dotsPerMetre);
  chunk[16] = 1;
  view.setUint32(17, crc32(chunk.subarray(4, 17)));
  return concat([png.subarray(0, headBytes), chunk, png.subarray(headBytes)]);
}
