import { describe, expect, it } from "vitest";
import type { Hex } from "../../../src/lib/image/color.ts";
import type { Design } from "../../../src/lib/image/design.ts";
import { drawCode } from "../../../src/lib/image/drawing.ts";
import { qrSymbol } from "../../../src/lib/image/qr-symbol.ts";
import { svgOf } from "../../../src/lib/image/svg.ts";
import { rasterise, readWithZxing } from "../../e2e/support/decode.ts";
import { canReadWithZbar, readWithZbar, sayWhatIsMissing } from "../../e2e/support/printing-tools.ts";
import type { Picture } from "../../support/images/decoders.ts";

/** A code of 20 mm at 200 dpi, in pixels, and the white paper around it, in widths of the code. */
const printed = (20 / 25.4) * 200;
const paper = 3;

const addresses = Array.from({ length: 8 }, (_, i) => `https://qr.example.com/dark000${i}`);

const plain: Omit<Design, "background"> = {
  modules: "square",
  eyeFrame: "square",
  eyeCenter: "square",
  dots: { color: "#000000" },
  corners: { color: "#000000" },
  backgroundRadius: 0,
  logo: { padding: 1, cutout: "square" },
  compact: false,
};

/** A code, black on a background, in the middle of white paper. */
async function pictureOf(address: string, background: Hex): Promise<Picture> {
  const symbol = qrSymbol(address, "M");
  if (symbol === undefined) throw new Error("no symbol");
  const code = svgOf(drawCode(symbol, { ...plain, background }, { quietZone: 4 }), printed);
  const side = printed * paper;
  const at = (side - printed) / 2;
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" fill="#fff"/><g transform="translate(${at} ${at})">${code}</g></svg>`;
  return rasterise("svg", Uint8Array.from(new TextEncoder().encode(sheet)), Math.round(side));
}

type Reader = (picture: Picture) => Promise<string | undefined>;

const readers: readonly Reader[] = [
  async (picture) => (await readWithZxing(picture)).join(),
  ...(canReadWithZbar ? [readWithZbar] : []),
];

/** How many of the codes each reader reads. */
async function readsOf(background: Hex): Promise<number[]> {
  const pictures = await Promise.all(addresses.map((address) => pictureOf(address, background)));
  const counts: number[] = [];
  for (const read of readers) {
    const texts = await Promise.all(pictures.map(read));
    counts.push(texts.filter((text, i) => text === addresses[i]).length);
  }
  return counts;
}

describe("black on a background, beside white paper", () => {
  it.for<[name: string, background: Hex]>([
    ["#5a5a5a", "#5a5a5a"],
    ["#707070", "#707070"],
    ["red", "#ff0000"],
    ["royalblue", "#4169e1"],
    ["seagreen", "#2e8b57"],
  ])("is read by no reader on %s, which saving refuses", async ([, background], context) => {
    await sayWhatIsMissing(context);
    for (const count of Object.values(await readsOf(background)))
      expect(count).toBeLessThan(addresses.length);
  });

  it.for<Hex>(["#a0a0a0", "#ffffff"])("is read on %s, which saving takes", async (background, context) => {
    await sayWhatIsMissing(context);
    for (const count of await readsOf(background)) expect(count).toBe(addresses.length);
  });
});
