import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DisturbanceName } from "../../src/contract/resources/images/scannability.ts";
import { designOf } from "../../src/domain/images/design.ts";
import type { Luma } from "../../src/images/disturbances.ts";
import { disturbed } from "../../src/images/disturbed.ts";
import { canRead } from "../../src/images/read-code.ts";
import { drawCode } from "../../src/lib/image/drawing.ts";
import { qrSymbol } from "../../src/lib/image/qr-symbol.ts";
import { svgOf } from "../../src/lib/image/svg.ts";
import { rasterise } from "../support/images/decode.ts";
import type { Picture } from "../support/images/decoders.ts";

const text = "https://qr.example.com/0a1b2c3d";

/** A code that is read in some pictures only. */
function faintCode() {
  const symbol = qrSymbol(text, "M");
  if (symbol === undefined) throw new Error("no symbol");
  const design = designOf({ colorConfig: { dotsColor: "#8a5a96" }, advanced: { quietZone: 1 } }, "business");
  const modules = symbol.side + 2;
  return { svg: svgOf(drawCode(symbol, design, { quietZone: 1 }), modules), modules };
}

/** As the images Worker draws codes that it disturbs. */
const pitch = 8;

const draw = (svg: string, width: number): Promise<Picture> =>
  rasterise("svg", Uint8Array.from(new TextEncoder().encode(svg)), width);

/** The brightness of a part of a picture. */
function brightnessOf({ width, data }: Picture, left: number, top: number, side: number): Luma {
  const values = new Float32Array(side * side);
  for (let i = 0; i < values.length; i += 1) {
    const at = 4 * ((top + Math.floor(i / side)) * width + left + (i % side));
    values[i] = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
  }
  return { width: side, height: side, values };
}

/** The brightness of each square of a sheet. */
async function squaresOf(png: Uint8Array, count: number): Promise<Luma[]> {
  const size = new DataView(png.buffer).getUint32(20);
  const href = `data:image/png;base64,${png.toBase64()}`;
  const whole = new DataView(png.buffer).getUint32(16);
  const stride = whole / count;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${size}"><image width="${whole}" height="${size}" href="${href}"/></svg>`;
  const sheet = await draw(svg, whole);
  return Array.from({ length: count }, (_, place) =>
    brightnessOf(sheet, place * stride + (stride - size) / 2, 0, size),
  );
}

/** How much a square differs from a picture in its middle, on average, of 255. */
function difference(square: Luma, picture: Luma): number {
  const scale = Math.max(1, picture.width / square.width);
  const margin = (square.width - picture.width / scale) / 2;
  const meanOf = ({ width, values }: Luma, left: number, top: number, side: number) => {
    let sum = 0;
    for (let i = 0; i < side * side; i += 1) {
      sum += values[(top + Math.floor(i / side)) * width + left + (i % side)] ?? 0;
    }
    return sum / side ** 2;
  };
  // Compared in blocks, since one is a reduction of the other.
  const blocks = 24;
  let sum = 0;
  for (let i = 0; i < blocks ** 2; i += 1) {
    const [x, y] = [(i % blocks) / blocks, Math.floor(i / blocks) / blocks];
    const drawn = picture.width / scale;
    const own = meanOf(
      square,
      Math.round(margin + x * drawn),
      Math.round(margin + y * drawn),
      Math.floor(drawn / blocks),
    );
    const other = meanOf(
      picture,
      Math.round(x * picture.width),
      Math.round(y * picture.width),
      Math.floor(picture.width / blocks),
    );
    sum += Math.abs(own - other);
  }
  return sum / blocks ** 2;
}

describe("a disturbed picture", () => {
  it("is drawn again as it was read, and shown so", async () => {
    const { svg, modules } = faintCode();
    const { verdicts: [verdicts] = [], shares } = await env.IMAGES.measure([{ svg, text }], modules, 3);
    if (verdicts === undefined) throw new Error("no verdicts");
    const all = DisturbanceName.options.map((name) => verdicts[name].read).join("");
    expect(all).toMatch(/^[01]{24}$/);
    expect(all.replaceAll("0", "").length / 24).toBe(shares[0]);

    const pictures = DisturbanceName.options.map((name) => ({ name, seed: verdicts[name].seed }));
    const whole = await draw(svg, modules * pitch);
    const drawing = brightnessOf(whole, 0, 0, whole.width);
    const sheet = await env.IMAGES.disturbed(svg, modules, pictures);
    const squares = await squaresOf(sheet, pictures.length);
    const results = new Set<boolean>();
    for (const [place, picture] of pictures.entries()) {
      const again = disturbed(drawing, picture);
      const isRead = await canRead(again, text);
      expect([picture.name, isRead]).toEqual([picture.name, verdicts[picture.name].read.at(-1) === "1"]);
      results.add(isRead);
      const square = squares[place];
      if (square === undefined) throw new Error("no square");
      expect(difference(square, again)).toBeLessThan(8);
    }
    expect(results.size).toBe(2);
  });
});
