import { concat } from "./concat.ts";
import { crc32 } from "./crc32.ts";

/** A file in an archive. Files are stored as they are, one after the other, each behind its header. */
export interface ZipEntry {
  readonly name: string;
  readonly crc: number;
  readonly bytes: number;
}

/** The entry of a file. */
export const zipEntry = (name: string, content: Uint8Array): ZipEntry => ({
  name,
  crc: crc32(content),
  bytes: content.length,
});

/** The bytes of a file in an archive: its header and its content. @param time of its last change, epoch milliseconds */
export const zippedFile = (entry: ZipEntry, content: Uint8Array, time: number): Uint8Array<ArrayBuffer> =>
  concat([header(entry, time), content]);

/**
 * The end of an archive: the list of its files, and where that begins.
 * @param entries in the order of their files, without a gap between them
 */
export function zipDirectory(entries: readonly ZipEntry[], time: number): Uint8Array<ArrayBuffer> {
  let at = 0;
  const records = entries.map((entry) => {
    const name = encoder.encode(entry.name);
    const record = new DataView(new ArrayBuffer(46));
    record.setUint32(0, 0x02014b50, true);
    record.setUint16(4, version, true);
    writeFacts(record, 6, entry, name.length, time);
    record.setUint32(42, at, true);
    at += headerBytes + name.length + entry.bytes;
    return concat([bytesOf(record), name]);
  });
  const directory = concat(records);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, directory.length, true);
  end.setUint32(16, at, true);
  return concat([directory, bytesOf(end)]);
}

const encoder = new TextEncoder();

const headerBytes = 30;

/** The version of the format that a reader needs, in tenths. */
const version = 20;

/** Names are in UTF-8. */
const flags = 0x0800;

function header(entry: ZipEntry, time: number): Uint8Array {
  const name = encoder.encode(entry.name);
  const record = new DataView(new ArrayBuffer(headerBytes));
  record.setUint32(0, 0x04034b50, true);
  writeFacts(record, 4, entry, name.length, time);
  return concat([bytesOf(record), name]);
}

/** Writes what the header of a file and its record in the directory have in common. */
function writeFacts(
  record: DataView,
  at: number,
  { crc, bytes }: ZipEntry,
  nameLength: number,
  time: number,
) {
  const date = new Date(time);
  const clock = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  record.setUint16(at, version, true);
  record.setUint16(at + 2, flags, true);
  record.setUint16(at + 6, clock, true);
  record.setUint16(at + 8, day, true);
  record.setUint32(at + 10, crc, true);
  record.setUint32(at + 14, bytes, true);
  record.setUint32(at + 18, bytes, true);
  record.setUint16(at + 22, nameLength, true);
}

const bytesOf = ({ buffer }: DataView) => new Uint8Array(buffer as ArrayBuffer);
