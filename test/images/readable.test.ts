import { beforeAll, describe, expect, it } from "vitest";
import type { QrCreateInput } from "../../src/contract/resources/qr.ts";
import { rasterise, readFromAfar, readWithZxing } from "../support/decode.ts";
import { Dice } from "../support/dice.ts";
import { runs } from "../support/runs.ts";
import { type Client, Service } from "../support/service.ts";

type Rgb = readonly [number, number, number];

/** Designs that are drawn, each in both formats and at two sizes. */
const designs = runs(50, 600);
/** What jsQR needs to tell two greys apart, of 255. */
const leastGrey = 40;
const sizes = [128, 200, 256, 333, 512, 700];

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

/** WCAG 2's relative luminance, from its text: the service's own has to agree with it. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrastOf = (ink: Rgb, ground: Rgb) => (luminance(ground) + 0.05) / (luminance(ink) + 0.05);

const byte = (value: number) => value.toString(16).padStart(2, "0");

/** The same colour in one of the ways CSS has for it. */
const css = (dice: Dice, [r, g, b]: Rgb): string =>
  dice.pick([
    `#${byte(r)}${byte(g)}${byte(b)}`,
    `#${byte(r)}${byte(g)}${byte(b)}FF`.toUpperCase(),
    `rgb(${r}, ${g}, ${b})`,
    `rgb(${r} ${g} ${b})`,
  ]);

const anyColor = (dice: Dice): Rgb => [dice.below(256), dice.below(256), dice.below(256)];

/** A colour that a phone tells from the ground, by a small margin or a large one. */
function inkOn(dice: Dice, ground: Rgb): Rgb {
  for (;;) {
    const ink = anyColor(dice);
    if (contrastOf(ink, ground) >= 3.01) return ink;
  }
}

/** What is left of a colour where only grey is seen: jsQR looks at this, where contrast knows how eyes see the dark. */
const greyOf = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

interface Dressed {
  readonly design: Pick<QrCreateInput, "colorConfig" | "shape">;
  /** By how much the ground is lighter than the inks, in grey of 255. */
  readonly greys: number;
}

function someDesign(dice: Dice): Dressed {
  const transparent = dice.below(5) === 0;
  let ground: Rgb = [255, 255, 255];
  // Darker than this, not even black stands out.
  while (!transparent && dice.below(4) > 0) {
    ground = anyColor(dice);
    if (contrastOf([0, 0, 0], ground) > 5) break;
  }
  if (contrastOf([0, 0, 0], ground) <= 5) ground = [255, 255, 255];
  const dots = inkOn(dice, ground);
  const corners = dice.below(2) === 0 ? undefined : inkOn(dice, ground);
  return {
    greys: greyOf(ground) - Math.max(greyOf(dots), greyOf(corners ?? dots)),
    design: {
      shape: dice.pick(["square", "circle"]),
      colorConfig: {
        backgroundColor: transparent ? dice.pick(["transparent", "#fff0"]) : css(dice, ground),
        dotsColor: css(dice, dots),
        ...(corners === undefined ? {} : { cornerColor: css(dice, corners) }),
      },
    },
  };
}

describe("every image that is drawn", () => {
  it("is read as its scanUrl by two decoders that are not ours", async () => {
    // Drawn by lot, but the same each time; the hashes are new ones, so the symbols differ.
    const seed = 20261121;
    const dice = new Dice(seed);
    const unread: object[] = [];
    const misread: object[] = [];
    const missed: object[] = [];
    let readByBoth = 0;
    for (let i = 0; i < designs; i += 1) {
      const { design, greys } = someDesign(dice);
      const { id, scanUrl } = await client.createQr(design);
      for (const format of ["svg", "png"] as const) {
        for (const size of [dice.pick(sizes), dice.pick(sizes)]) {
          const query = { format, size, margin: 2 + dice.below(5), ecc: dice.pick(["L", "M", "Q", "H"]) };
          const path = `/qr/${id}/image?${new URLSearchParams(query as unknown as Record<string, string>)}`;
          const response = await client.send("GET", path);
          expect({ status: response.status, design }).toEqual({ status: 200, design });
          const bytes = new Uint8Array(await response.arrayBuffer());
          const picture = await rasterise(format, bytes, size);
          expect([picture.width, picture.height]).toEqual([size, size]);
          const zxing = await readWithZxing(picture);
          if (zxing.join() !== scanUrl) unread.push({ design, query, zxing });
          // Dark dots on a dark red are too near to each other for jsQR, though not for ZXing.
          if (greys < leastGrey) continue;
          const jsqr = await readFromAfar(format, bytes, size);
          if (jsqr === undefined) missed.push({ design, query });
          else if (jsqr !== scanUrl) misread.push({ design, query, jsqr });
          else readByBoth += 1;
        }
      }
    }
    expect({ unread, misread }).toEqual({ unread: [], misread: [] });
    // jsQR sees nothing in one of some thousand sound images, at no distance: two may be of that kind.
    expect(missed.slice(2)).toEqual([]);
    expect(readByBoth).toBeGreaterThan(designs * 4 * 0.8);
  });
});
