import { type Preset, presetNamed } from "../../contract/presets.ts";
import { designOf } from "../../domain/images/design.ts";
import type { Design } from "../../lib/image/design.ts";
import { drawCode } from "../../lib/image/drawing.ts";
import { qrSymbol } from "../../lib/image/qr-symbol.ts";
import { svgOf } from "../../lib/image/svg.ts";

/** A ready-made design that the welcome page shows. */
interface Look {
  readonly name: string;
  /** In the address of its picture. */
  readonly id: string;
  readonly design: Design;
  /** The percentage of disturbed pictures that were read, for the worst of the addresses. */
  readonly score: number;
}

/** The scores of the shown presets, of 16 addresses as long as the sample's. `scores.test.ts` measures them again. */
export const lookScores: Readonly<Record<string, number>> = {
  Leaf: 100,
  Ocean: 100,
  Sunset: 100,
  Dots: 100,
  Classic: 100,
};

/** The short link in the pictures. */
export const sampleText = "https://qr.example.com/kx3m9w2p";

/** The shown presets. The first is chosen to begin with. */
export const looks: readonly Look[] = Object.entries(lookScores).map(([name, score]) => ({
  name,
  id: name.toLowerCase(),
  design: designOf(knownPreset(name), "business"),
  score,
}));

function knownPreset(name: string): Preset {
  const preset = presetNamed(name);
  if (preset === undefined) throw new Error(`no preset is named ${name}`);
  return preset;
}

/** Empty modules around the code in a picture. */
const quietZone = 4;

/** Returns the picture of a look as SVG. @param size pixels of a side */
export function sampleSvg({ design }: Look, size: number): string {
  const symbol = qrSymbol(sampleText, design.ecc);
  if (symbol === undefined) throw new Error("the sample has no symbol");
  return svgOf(drawCode(symbol, design, { quietZone }), size);
}

/** Units of a picture's side. */
const side = 240;

/** Returns the pictures of all looks as one SVG, each a view named by its id. */
export function sampleSheet(): string {
  const pictures = looks.map((look, i) => {
    const svg = sampleSvg(look, side)
      .replace("<svg ", `<svg x="${i * side}" `)
      .replace(/ d="[^"]*"/g, rounded);
    return `<view id="${look.id}" viewBox="${i * side} 0 ${side} ${side}"/>${svg.trim()}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${looks.length * side} ${side}">${pictures.join("")}</svg>`;
}

/** Returns a path with its numbers to a hundredth of a module, which is less than a pixel. */
const rounded = (path: string): string =>
  path.replace(/\d*\.\d{3,}/g, (number) => ` ${Math.round(Number(number) * 100) / 100}`).replace(/- /g, "-");

/** How the pictures in `disturbed.bin` are disturbed, in their order. */
export const disturbedPictures = [
  { name: "perspective", strength: 0.5, words: "tilted" },
  { name: "blur", strength: 0.45, words: "out of focus" },
  { name: "dimLight", strength: 0.25, words: "dim" },
  { name: "noise", strength: 24, words: "grainy" },
  { name: "darkSurroundings", strength: 0, words: "on black" },
] as const;

/** Pixels of each of them. They stand side by side, with a margin that repeats their edges in between. */
export const disturbedSide = 112;
export const disturbedMargin = 4;
