import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sizeOfPicture, typeOfPicture } from "../../../src/images/picture-size.ts";
import { imageTypeOf } from "../../../src/lib/image/file-types.ts";
import { readPng } from "../../../src/lib/image/png-file.ts";
import { blueJpeg, imageHeader, join, type PngKind, pngChunk, pngHead } from "../../support/images/logos.ts";
import { runs } from "../../support/runner/runs.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";

/**
 * A picture is measured by a reader of ours and drawn by decoders. No file may be a small picture for the one, and a large
 * one for the others: what is measured as small takes no memory.
 */

const { resolve, cache } = createRequire(import.meta.url);
const require = createRequire(import.meta.url);

/** Decoders, with the memory of the rasteriser: a copy of its own, since memory never shrinks. */
let rasteriser: typeof import("@resvg/resvg-wasm");
let memory: WebAssembly.Memory;

beforeAll(async () => {
  const path = resolve("@resvg/resvg-wasm");
  delete cache[path];
  rasteriser = require(path) as typeof rasteriser;
  delete cache[path];
  const instantiate = vi.spyOn(WebAssembly, "instantiate");
  await rasteriser.initWasm(new WebAssembly.Module(readFileSync(resolve("@resvg/resvg-wasm/index_bg.wasm"))));
  const made = (await instantiate.mock.results[0]?.value) as unknown as WebAssembly.Instance;
  instantiate.mockRestore();
  memory = made.exports.memory as WebAssembly.Memory;
  // Whatever any drawing takes.
  for (const { name, bytes } of honest) if (["a JPEG", "a PNG"].includes(name)) decode(bytes);
});

/** Draws a picture as it is drawn to check it. @returns bytes by which that made the memory grow */
function decode(bytes: Uint8Array): number {
  const before = memory.buffer.byteLength;
  const data = `data:image/${typeOfPicture(bytes)};base64,${Buffer.from(bytes).toString("base64")}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image width="64" height="64" href="${data}"/></svg>`;
  const drawing = new rasteriser.Resvg(svg);
  drawing.render().free();
  drawing.free();
  return memory.buffer.byteLength - before;
}

interface Picture {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const marker = (code: number, data: readonly number[] = []) => [
  ...[0xff, code, (data.length + 2) >> 8, (data.length + 2) & 255],
  ...data,
];

/** Where the header of the JPEG's frame is, and the tables before it. */
const frameAt = blueJpeg.findIndex((byte, i) => byte === 0xff && blueJpeg[i + 1] === 0xc0);
const before = blueJpeg.subarray(2, frameAt);
const frameLength = 2 + 17;
const after = blueJpeg.subarray(frameAt + frameLength);
const start = [0xff, 0xd8];

/** A frame's header of three components. */
const frame = (side: number, code = 0xc0) =>
  marker(code, [
    ...[8, side >> 8, side & 255, side >> 8, side & 255, 3],
    ...[1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
  ]);
const [small, large] = [frame(64), frame(9000)];

const rgba: PngKind = { colorType: 6, depth: 8, interlaced: false, transparency: false };
const pixels = (side: number) =>
  Array.from({ length: side * (side * 4 + 1) }, (_, i) => (i % (side * 4 + 1) === 0 ? 0 : 255));
const data = (side: number) => pngChunk("IDAT", deflateSync(Uint8Array.from(pixels(side))));
const end = pngChunk("IEND", []);
const header = (side: number) => imageHeader(side, side, rgba);
const uint32 = (...numbers: number[]) =>
  numbers.flatMap((n) => [n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255]);
const latin1 = (text: string) => [...Buffer.from(text, "latin1")];
const bomb = deflateSync(new Uint8Array(40_000_000));
/** The frame of an animation. */
const control = (side: number) => pngChunk("fcTL", [...uint32(0, side, side, 0, 0), 0, 1, 0, 1, 0, 0]);
const png = (...chunks: Uint8Array[]) => join(pngHead, ...chunks);

/** Pictures of 64 × 64 pixels, which are accepted. */
const honest: readonly Picture[] = [
  { name: "a JPEG", bytes: join(start, before, small, after) },
  { name: "a JPEG with fill bytes", bytes: join(start, [0xff, 0xff], before, [0xff], small, [0xff], after) },
  {
    name: "a JPEG with segments of applications and a comment",
    bytes: join(start, marker(0xe0, [1]), marker(0xef, [2, 3]), marker(0xfe, [65]), before, small, after),
  },
  { name: "a JPEG with a restart interval", bytes: join(start, before, marker(0xdd, [0, 0]), small, after) },
  {
    name: "a JPEG before other pictures",
    bytes: join(start, before, small, after, start, before, large, after),
  },
  { name: "a PNG", bytes: png(header(64), data(64), end) },
  {
    name: "a PNG with a profile and texts",
    bytes: png(
      header(64),
      pngChunk("iCCP", [...latin1("a\0\0"), ...deflateSync(new Uint8Array(500))]),
      ...["gAMA", "pHYs", "tEXt", "eXIf", "prVt"].map((name) => pngChunk(name, [0, 1, 2, 3, 4, 5, 6, 7, 1])),
      data(64),
      end,
    ),
  },
  {
    name: "an animated PNG",
    bytes: png(
      header(64),
      pngChunk("acTL", uint32(2, 0)),
      control(9000),
      data(64),
      control(9000),
      pngChunk("fdAT", [...uint32(1), 1]),
      end,
    ),
  },
  {
    name: "a PNG with texts that inflate",
    bytes: png(
      header(64),
      pngChunk("zTXt", [...latin1("a\0\0"), ...bomb]),
      pngChunk("iTXt", [...latin1("a\0\x01\0\0\0"), ...bomb]),
      data(64),
      end,
    ),
  },
  {
    name: "a PNG with a profile that inflates",
    bytes: png(header(64), pngChunk("iCCP", [...latin1("a\0\0"), ...bomb]), data(64), end),
  },
  { name: "a PNG before another one", bytes: join(png(header(64), data(64), end), png(header(9000), end)) },
];

/** Files in which some reader sees another picture than the first one. */
const refused: readonly Picture[] = [
  ...[0xc0, 0xc1, 0xc2].flatMap((code) => [
    {
      name: `a JPEG with a further frame ${code}`,
      bytes: join(start, before, small, frame(9000, code), after),
    },
    {
      name: `a JPEG with a frame ${code} after its scan`,
      bytes: join(start, before, small, after.subarray(0, -2), frame(9000, code), [0xff, 0xd9]),
    },
  ]),
  ...[
    0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xdc, 0xde, 0xdf, 0xf0, 0xfd,
    0x01, 0xd0, 0xd8, 0x02,
  ].flatMap((code) => [
    { name: `a JPEG with a segment ${code}`, bytes: join(start, marker(code, [0, 0]), before, small, after) },
    {
      name: `a JPEG with a segment ${code} instead of its frame`,
      bytes: join(start, before, frame(9000, code), after),
    },
  ]),
  { name: "a JPEG with bytes between segments", bytes: join(start, [0], before, small, after) },
  {
    name: "a JPEG of five components",
    bytes: join(start, before, marker(0xc0, [8, 0, 64, 0, 64, 5, ...Array(15).fill(1)]), after),
  },
  {
    name: "a JPEG of 12 bits",
    bytes: join(
      start,
      before,
      small.map((byte, i) => (i === 4 ? 12 : byte)),
      after,
    ),
  },
  { name: "a PNG with a further header", bytes: png(header(64), header(9000), data(64), end) },
  { name: "a PNG with a header after its data", bytes: png(header(64), data(64), header(9000), end) },
  { name: "a PNG in Apple's format", bytes: png(header(64), pngChunk("CgBI", uint32(0)), data(64), end) },
  {
    name: "a PNG with data in two places",
    bytes: png(header(64), data(64), pngChunk("tEXt", [65, 0]), data(64), end),
  },
  {
    name: "a PNG with two palettes",
    bytes: png(header(64), pngChunk("PLTE", [0, 0, 0]), pngChunk("PLTE", [1, 1, 1]), data(64), end),
  },
  {
    name: "a PNG with a chunk beyond its end",
    bytes: png(
      header(64),
      data(64),
      Uint8Array.from([...uint32(0xffff_fff0), ...latin1("IDAT"), 0, 0, 0, 0]),
    ),
  },
  { name: "a PNG without an end", bytes: png(header(64), data(64)) },
];

/** The pixels that a decoder may take for a picture that was measured as small. */
const little = 2 * 1024 * 1024;

/** Decodes a picture as it is kept, by every decoder. */
async function expectSmall({ name, bytes }: Picture): Promise<void> {
  const read = readPng(bytes);
  const keptBytes = read?.bytes ?? bytes;
  expect({ name, grown: decode(keptBytes) }).toEqual({
    name,
    grown: expect.toSatisfy((n: number) => n <= little),
  });
  if (read === undefined) return;
  const { width, height } = read;
  const embedded = await (await PDFDocument.create()).embedPng(keptBytes).catch(() => undefined);
  expect({ name, ...(embedded && { width: embedded.width, height: embedded.height }) }).toEqual({
    name,
    ...(embedded && { width, height }),
  });
}

describe("a picture", () => {
  it.each(honest)("that is $name is accepted and decoded as it was measured", async (picture) => {
    expect(sizeOfPicture(picture.bytes)).toMatchObject({ width: 64, height: 64 });
    await expectSmall(picture);
  });

  it("is measured by the frame that decoders find behind fill bytes", () => {
    // A reader that takes the second fill byte for a marker, and what follows for a length, passes over the frame.
    const hidden = join(start, [0xff], before, large);
    const passedOver = 4 + ((hidden[4] ?? 0) << 8) + (hidden[5] ?? 0);
    const comment = marker(0xe1, [...Array<number>(passedOver - hidden.length - 4).fill(0), ...small]);
    expect(sizeOfPicture(join(hidden, comment, after))).toMatchObject({ width: 9000, height: 9000 });
  });

  it.each(refused)("that is $name is refused", ({ bytes }) => {
    expect(sizeOfPicture(bytes)).toBeUndefined();
  });

  it("is refused, or decoded as it was measured, whatever is changed in it", async () => {
    let accepted = 0;
    const random = new SeededRandom(3);
    const pieces = [
      small,
      large,
      frame(9000, 0xc2),
      [0xff],
      [0xff, 0xff],
      marker(0xdc, [35, 40]),
      [...header(9000)],
      [...control(9000)],
    ];
    for (let i = 0; i < runs(300, 20_000); i += 1) {
      const { name, bytes: whole } = honest[random.below(7)] ?? { name: "", bytes: new Uint8Array() };
      const at = random.below(Math.min(whole.length, 700));
      const piece = random.below(2) === 0 ? (pieces[random.below(pieces.length)] ?? []) : [random.below(256)];
      const bytes = join(whole.slice(0, at), piece, whole.slice(at + random.below(3)));
      const size = sizeOfPicture(bytes);
      if (size === undefined || size.width * size.height > 10_000) continue;
      accepted += 1;
      await expectSmall({ name: `${name}, ${piece.length} bytes at ${at}`, bytes });
    }
    expect(accepted).toBeGreaterThan(30);
  });
});

/** The formats of images on pages, which are served and never decoded here. */
it.each([
  ["image/webp", latin1("RIFF\0\0\0\0WEBPVP8 ")],
  ["image/gif", latin1("GIF89a")],
  ["image/avif", latin1("\0\0\0\x1cftypavif")],
] as const)("%s is known and not decoded", (type, bytes) => {
  expect([imageTypeOf(Uint8Array.from(bytes)), sizeOfPicture(Uint8Array.from(bytes))]).toEqual([
    type,
    undefined,
  ]);
});
