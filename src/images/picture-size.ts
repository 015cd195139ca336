/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Tells a PNG from a JPEG by its first byte. */
export const typeOfPicture = (bytes: Uint8Array): "png" | "jpeg" => (bytes[0] === 0xff ? "jpeg" : "png");

/** Reads the size of a PNG or JPEG from its header; undefined for what isn't one. */
export const sizeOfPicture = (bytes: Uint8Array): Size | undefined =>
  typeOfPicture(bytes) === "png" ? sizeOfPng(bytes) : sizeOfJpeg(bytes);

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The name of a PNG's first chunk, IHDR. */
const headerName = 0x49484452;

/** Reads the size from the header, which is the first chunk. */
function sizeOfPng(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 24) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(12) !== headerName) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Reads the size from the first frame header, which may follow any number of other segments. */
function sizeOfJpeg(bytes: Uint8Array): Size | undefined {
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
