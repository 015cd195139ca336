import { pngSignature } from "./png-format.ts";

const ascii = (text: string): readonly number[] => [...new TextEncoder().encode(text)];

/** The bytes by which files of each type are recognised, with their place. An AVIF of several pictures has its own. */
const signatures = [
  ["image/png", [[0, pngSignature]]],
  ["image/jpeg", [[0, [0xff, 0xd8, 0xff]]]],
  ["image/gif", [[0, ascii("GIF8")]]],
  [
    "image/webp",
    [
      [0, ascii("RIFF")],
      [8, ascii("WEBP")],
    ],
  ],
  ["image/avif", [[4, ascii("ftypavif")]]],
  ["image/avif", [[4, ascii("ftypavis")]]],
] as const satisfies readonly (readonly [string, readonly (readonly [at: number, readonly number[]])[]])[];

/** Returns the media type of an image's file by its first bytes; undefined for another file. */
export const imageTypeOf = (bytes: Uint8Array): (typeof signatures)[number][0] | undefined =>
  signatures.find(([, parts]) =>
    parts.every(([at, part]) => part.every((byte: number, i: number) => bytes[at + i] === byte)),
  )?.[0];
