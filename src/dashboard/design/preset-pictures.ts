import { type Preset, presets } from "../../contract/presets.ts";
import { designOf } from "../../domain/images/design.ts";
import { glyphs } from "../../domain/images/glyphs.ts";
import { drawCode } from "../../lib/image/drawing.ts";
import { qrSymbol } from "../../lib/image/qr-symbol.ts";
import { svgOf } from "../../lib/image/svg.ts";
import { StaticFiles } from "../../ui/static-files.ts";

/** Units of a picture's side. */
const side = 64;

/** The name of a preset's picture in the file. */
export const pictureOf = ({ name }: Preset): string => name.toLowerCase().replaceAll(" ", "-");

let drawn: string | undefined;

function drawPictures(): string {
  drawn ??= `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${presets.length * side} ${side}">${presets.map(draw).join("")}</svg>`;
  return drawn;
}

/** The pictures of all presets as one file, drawn when it is first asked for. */
export const presetFiles = new StaticFiles({
  "presets.svg": { type: "image/svg+xml", content: drawPictures },
});

function draw(preset: Preset, i: number): string {
  const { colorConfig, advanced } = preset;
  const design = designOf({ colorConfig, advanced }, "business");
  const symbol = qrSymbol("QR", design.ecc);
  if (symbol === undefined) throw new Error("the smallest code has no symbol");
  const label = design.frame?.text;
  const text = label === undefined ? undefined : glyphs().outline(label);
  const drawing = drawCode(symbol, design, { quietZone: 2, text });
  const width = (side * drawing.width) / Math.max(drawing.width, drawing.height);
  const x = i * side + (side - width) / 2;
  const svg = svgOf(drawing, side)
    .replace("<svg ", `<svg x="${x}" `)
    .replace(/ d="[^"]*"/g, rounded);
  return `<view id="${pictureOf(preset)}" viewBox="${i * side} 0 ${side} ${side}"/>${svg}`;
}

/** Returns a path with its numbers to a tenth of a module, which is less than a pixel of so small a picture. */
const rounded = (path: string): string =>
  path.replace(/\d*\.\d{2,}/g, (number) => ` ${Math.round(Number(number) * 10) / 10}`).replace(/- /g, "-");
