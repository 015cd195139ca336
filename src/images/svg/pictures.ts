import { sizeOfPicture } from "../picture-size.ts";
import type { Size } from "./document.ts";
import { LogoProblem, type Work } from "./work.ts";

/** A picture in an SVG, before it is checked. */
export interface SvgPicture {
  readonly bytes: Uint8Array;
  readonly size: Size;
}

const unreadable = () => new LogoProblem("has a picture that isn't an intact PNG or JPEG. Replace it.");

/** The pictures in an SVG, without duplicates. */
export class SvgPictures {
  readonly all: SvgPicture[] = [];
  readonly #indices = new Map<string, number>();
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  /** Returns the index of a picture by its address, a data URI. @throws LogoProblem */
  indexOf(address: string): number {
    const known = this.#indices.get(address);
    if (known !== undefined) return known;
    const index = this.all.length;
    this.#work.add(address.length);
    this.all.push(pictureOf(address));
    this.#indices.set(address, index);
    return index;
  }
}

function pictureOf(address: string): SvgPicture {
  const comma = address.indexOf(",");
  if (!/^\s*data:image\/(?:png|jpe?g);base64$/i.test(address.slice(0, Math.max(0, comma))))
    throw unreadable();
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.fromBase64(address.slice(comma + 1));
  } catch {
    throw unreadable();
  }
  const size = sizeOfPicture(bytes);
  if (size === undefined || size.width === 0 || size.height === 0) throw unreadable();
  return { bytes, size };
}
