import { beforeAll, describe, expect, it } from "vitest";
import type { QrCreateInput } from "../../src/contract/resources/codes/qr.ts";
import { rasterise, readFromAfar, readWithZxing } from "../support/images/decode.ts";
import { runs } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, Service } from "../support/service.ts";

type Rgb = readonly [number, number, number];

/** How many designs are drawn, each in both formats and at two sizes. */
const designs = runs(3, 600);
/** The difference between two greys that jsQR needs, of 255. */
const leastGrey = 40;
const sizes = [128, 200, 256, 333, 512, 700];

/** How many of them are drawn in one workspace. */
const perWorkspace = 10;

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

/** Relative luminance by the definition in WCAG 2, to check the service's implementation against. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Relative luminances of a background and what is drawn on it differ by at least this. */
const leastLight = 0.305;

const contrastOf = (ink: Rgb, ground: Rgb) => (luminance(ground) + 0.05) / (luminance(ink) + 0.05);

const byte = (value: number) => value.toString(16).padStart(2, "0");

/** A colour in a random CSS notation. */
const css = (random: SeededRandom, [r, g, b]: Rgb): string =>
  random.pick([
    `#${byte(r)}${byte(g)}${byte(b)}`,
    `#${byte(r)}${byte(g)}${byte(b)}FF`.toUpperCase(),
    `rgb(${r}, ${g}, ${b})`,
    `rgb(${r} ${g} ${b})`,
  ]);

const anyColor = (random: SeededRandom): Rgb => [random.below(256), random.below(256), random.below(256)];

/** A random colour with enough contrast to the background. */
function inkOn(random: SeededRandom, ground: Rgb): Rgb {
  for (;;) {
    const ink = anyColor(random);
    if (contrastOf(ink, ground) >= 3.01 && luminance(ground) - luminance(ink) >= leastLight) return ink;
  }
}

/** A colour as a grey, which is all that jsQR uses; contrast weights dark colours as eyes do. */
const greyOf = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

interface Dressed {
  readonly design: Pick<QrCreateInput, "colorConfig" | "shape">;
  /** By how much the background is lighter than the other colours, as greys of 255. */
  readonly greys: number;
}

function someDesign(random: SeededRandom): Dressed {
  const transparent = random.below(5) === 0;
  let ground: Rgb = [255, 255, 255];
  // On a darker background not even black can be read.
  while (!transparent && random.below(4) > 0) {
    ground = anyColor(random);
    if (luminance(ground) > leastLight) break;
  }
  if (luminance(ground) <= leastLight) ground = [255, 255, 255];
  const dots = inkOn(random, ground);
  const corners = random.below(2) === 0 ? undefined : inkOn(random, ground);
  return {
    greys: greyOf(ground) - Math.max(greyOf(dots), greyOf(corners ?? dots)),
    design: {
      shape: random.pick(["square", "circle"]),
      colorConfig: {
        backgroundColor: transparent ? random.pick(["transparent", "#fff0"]) : css(random, ground),
        dotsColor: css(random, dots),
        ...(corners === undefined ? {} : { cornerColor: css(random, corners) }),
      },
    },
  };
}

describe("every image that is drawn", () => {
  it("is read as its scanUrl by two decoders that are not ours", async () => {
    // The designs are the same in each run; the hashes, and so the symbols, differ.
    const seed = 20261121;
    const random = new SeededRandom(seed);
    const unread: object[] = [];
    const misread: object[] = [];
    const missed: object[] = [];
    let readByBoth = 0;
    for (let i = 0; i < designs; i += 1) {
      // A workspace may draw only so much in a minute.
      if (i % perWorkspace === 0) client = await service.workspace();
      const { design, greys } = someDesign(random);
      const { id, scanUrl } = await client.createQr(design);
      for (const format of ["svg", "png"] as const) {
        for (const size of [random.pick(sizes), random.pick(sizes)]) {
          const query = { format, size, margin: 2 + random.below(5), ecc: random.pick(["L", "M", "Q", "H"]) };
          const path = `/qr/${id}/image?${new URLSearchParams(query as unknown as Record<string, string>)}`;
          const response = await client.send("GET", path);
          expect({ status: response.status, design }).toEqual({ status: 200, design });
          const bytes = new Uint8Array(await response.arrayBuffer());
          const picture = await rasterise(format, bytes, size);
          expect([picture.width, picture.height]).toEqual([size, size]);
          const zxing = await readWithZxing(picture);
          if (zxing.join() !== scanUrl) unread.push({ design, query, zxing });
          // jsQR, unlike ZXing, can't distinguish dark dots on a dark red.
          if (greys < leastGrey) continue;
          const jsqr = await readFromAfar(format, bytes, size);
          if (jsqr === undefined) missed.push({ design, query });
          else if (jsqr !== scanUrl) misread.push({ design, query, jsqr });
          else readByBoth += 1;
        }
      }
    }
    expect({ unread, misread }).toEqual({ unread: [], misread: [] });
    // jsQR fails to read about one in a thousand correct images at any distance, so two failures are tolerated.
    expect(missed.slice(2)).toEqual([]);
    expect(readByBoth).toBeGreaterThan(designs * 4 * 0.8);
  });
});
