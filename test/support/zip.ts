import { expect } from "vitest";

/** The files of a ZIP whose entries are stored as they are, by name, in the order of its directory. */
export function readZip(bytes: Uint8Array<ArrayBuffer>): Map<string, Uint8Array<ArrayBuffer>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let at = view.getUint32(end + 16, true);
  let next = 0;
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    expect(view.getUint32(at, true)).toBe(0x02014b50);
    const [crc, size, nameLength] = [
      view.getUint32(at + 16, true),
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
    ];
    const extra = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const local = view.getUint32(at + 42, true);
    // No file overlaps another, and none is there that the directory does not have.
    expect([local, view.getUint32(local, true)]).toEqual([next, 0x04034b50]);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    expect(files.has(name)).toBe(false);
    const content = bytes.slice(start, start + size);
    expect([view.getUint32(local + 14, true), checksum(content)]).toEqual([crc, crc]);
    files.set(name, content);
    next = start + size;
    at += 46 + nameLength + extra;
  }
  return files;
}

/** CRC-32, bit by bit. */
function checksum(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
