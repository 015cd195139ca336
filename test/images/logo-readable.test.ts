import { beforeAll, describe, expect, it } from "vitest";
import { Template } from "../../src/contract/resources/templates.ts";
import { maxLogoShare } from "../../src/domain/images/images.ts";
import { placeLogo } from "../../src/lib/image/logo-box.ts";
import { type Picture, rasterise, readFromAfar, readWithZxing } from "../support/decode.ts";
import { Dice } from "../support/dice.ts";
import { dataUri, makePng, plainPng, pngKinds, svg } from "../support/logos.ts";
import { runs } from "../support/runs.ts";
import { type Client, Service, type SessionClient } from "../support/service.ts";

/** Designs that are drawn with a logo each, in every format it allows and at two sizes. */
const designs = runs(20, 200);
const sizes = [128, 200, 256, 333, 512, 700, 1024];

const service = new Service();
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
});

const path = "/developer/templates";
const templateWith = (logo: Uint8Array, look: object = {}) =>
  session.expect(201, Template.strict(), "POST", path, { name: "Logo", logo: dataUri(logo), ...look });

const darks = ["black", "#123", "navy", "maroon", "#063", "#404040", "#603"];
const lights = ["white", "#ffe", "#eef", "#fde68a", "lightcyan", "transparent"];
const anyColor = (dice: Dice) => `rgb(${dice.below(256)},${dice.below(256)},${dice.below(256)})`;

/** Shapes of all sorts, in colours of all sorts, and what a reader could take for a pattern of its own. */
function someSvg(dice: Dice): Uint8Array<ArrayBuffer> {
  const [width, height] = [20 + dice.below(180), 20 + dice.below(180)];
  const shapes = Array.from({ length: 1 + dice.below(8) }, () =>
    dice.pick([
      `<circle cx="${dice.below(width)}" cy="${dice.below(height)}" r="${5 + dice.below(60)}" fill="${anyColor(dice)}"/>`,
      `<rect x="${dice.below(width)}" y="${dice.below(height)}" width="60" height="40" fill="${anyColor(dice)}" opacity=".6"/>`,
      `<path d="M0 0L${width} ${height}" stroke="${anyColor(dice)}" stroke-width="9"/>`,
    ]),
  );
  const pattern = [7, 5, 3].map(
    (side, i) =>
      `<rect x="${(7 - side) / 2}" y="${(7 - side) / 2}" width="${side}" height="${side}" fill="${i === 1 ? "#fff" : "#000"}"/>`,
  );
  return dice.below(4) === 0
    ? svg(pattern.join(""), 'viewBox="0 0 7 7"')
    : svg(shapes.join(""), `viewBox="0 0 ${width} ${height}"`);
}

async function someLogo(dice: Dice): Promise<Uint8Array<ArrayBuffer>> {
  if (dice.below(5) < 2) return someSvg(dice);
  const [width, height] = [4 + dice.below(60), 4 + dice.below(60)];
  if (dice.below(3) === 0) return makePng(dice, dice.pick(pngKinds), width, height);
  const color = dice.pick([
    [0, 0, 0],
    [255, 255, 255],
    [200, 30, 60],
    [0, 0, 0, 0],
    [20, 20, 120, 128],
  ]);
  return plainPng(dice, color, width, height);
}

describe("every image with a logo", () => {
  it("is read as its scanUrl by two decoders that are not ours", async () => {
    const seed = 20261122;
    const dice = new Dice(seed);
    const unread: object[] = [];
    const misread: object[] = [];
    const missed: object[] = [];
    let readByBoth = 0;
    let drawn = 0;
    for (let i = 0; i < designs; i += 1) {
      const logo = await someLogo(dice);
      const look = {
        shape: dice.pick(["square", "circle"]),
        colorConfig: {
          dotsColor: dice.pick(darks),
          cornerColor: dice.pick(darks),
          backgroundColor: dice.pick(lights),
        },
      };
      const template = await templateWith(logo, look);
      const { id, scanUrl } = await client.createQr({ templateId: template.id });
      await session.send("DELETE", `${path}/${template.id}`);
      const formats =
        template.logo?.mediaType === "image/png" ? (["svg", "png"] as const) : (["svg"] as const);
      for (const format of formats) {
        for (const size of [dice.pick(sizes), dice.pick(sizes)]) {
          const query = `format=${format}&size=${size}&margin=${2 + dice.below(4)}&ecc=${dice.pick(["L", "M", "H"])}`;
          const response = await client.send("GET", `/qr/${id}/image?${query}`);
          expect({ status: response.status, query }).toEqual({ status: 200, query });
          const bytes = new Uint8Array(await response.arrayBuffer());
          const which = { i, look, query, logo: dataUri(logo).slice(0, 300) };
          drawn += 1;
          const zxing = await readWithZxing(await rasterise(format, bytes, size));
          if (zxing.join() !== scanUrl) unread.push({ ...which, zxing });
          const jsqr = await readFromAfar(format, bytes, size);
          if (jsqr === undefined) missed.push(which);
          else if (jsqr !== scanUrl) misread.push({ ...which, jsqr });
          else readByBoth += 1;
        }
      }
    }
    expect({ unread, misread }).toEqual({ unread: [], misread: [] });
    // As without a logo, jsQR sees nothing in a very few sound images.
    expect(missed.slice(2)).toEqual([]);
    expect(readByBoth).toBeGreaterThanOrEqual(drawn - 2);
  });

  it("is read though it hides the pattern in the middle that codes of long addresses have", async () => {
    const dice = new Dice(3);
    const { id: templateId } = await templateWith(await plainPng(dice, [200, 0, 60], 200, 200));
    for (const words of [4, 6, 8, 10]) {
      const scanOrigin = `https://${"a-long-".repeat(words)}name.example`;
      const elsewhere = await new Service({ scanOrigin }).client(client.workspaceId);
      const { id, scanUrl } = await elsewhere.createQr({ templateId });
      for (const format of ["svg", "png"] as const) {
        for (const size of [256, 400, 700]) {
          const response = await elsewhere.send("GET", `/qr/${id}/image?format=${format}&size=${size}`);
          const bytes = new Uint8Array(await response.arrayBuffer());
          const read = await readWithZxing(await rasterise(format, bytes, size));
          expect({ words, format, size, read }).toEqual({ words, format, size, read: [scanUrl] });
        }
      }
    }
  });
});

/** The colour of a module, at its middle, of a picture that has only the symbol's modules. */
const moduleAt = ({ width, data }: Picture, side: number, x: number, y: number): string => {
  const pitch = width / side;
  const at = (Math.floor((y + 0.5) * pitch) * width + Math.floor((x + 0.5) * pitch)) * 4;
  return [...data.slice(at, at + 3)].join();
};

describe("a logo's box", () => {
  it("is all that an image with a logo lacks", async () => {
    const dice = new Dice(7);
    const png = (width: number, height: number) => plainPng(dice, [255, 0, 255], width, height);
    const beyondItsEdges = '<rect x="-500" y="-500" width="999" height="999" fill="#f0f"/>';
    for (const [width, height, logo, formats] of [
      [40, 40, await png(40, 40), ["svg", "png"]],
      [60, 20, await png(60, 20), ["svg", "png"]],
      [20, 60, await png(20, 60), ["svg", "png"]],
      [30, 20, svg(beyondItsEdges, 'viewBox="0 0 30 20"'), ["svg"]],
    ] as const) {
      const { id: templateId } = await templateWith(logo);
      for (const format of formats) {
        const { id } = await client.createQr();
        const query = `?format=${format}&margin=0&ecc=H&size=660`;
        const draw = async () => {
          const response = await client.send("GET", `/qr/${id}/image${query}`);
          return rasterise(format, new Uint8Array(await response.arrayBuffer()), 660);
        };
        const without = await draw();
        await client.send("PATCH", `/qr/${id}`, { templateId });
        const picture = await draw();
        const side = 33;
        const modules = Array.from(
          { length: side * side },
          (_, i) => [i % side, Math.floor(i / side)] as const,
        );
        const changed = modules.filter(
          ([x, y]) => moduleAt(picture, side, x, y) !== moduleAt(without, side, x, y),
        );
        const { box } = placeLogo(side, maxLogoShare, width / height);
        const inBox = ([x, y]: readonly [number, number]) =>
          x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
        expect(changed.length).toBeGreaterThan(10);
        expect(changed.filter((module) => !inBox(module))).toEqual([]);
        expect(modules.filter(inBox).length / modules.length).toBeLessThanOrEqual(0.2);
        const seen = new Set(modules.filter(inBox).map(([x, y]) => moduleAt(picture, side, x, y)));
        expect([...seen].sort()).toEqual(["255,0,255", "255,255,255"]);
        // Its edge is all air.
        for (const [x, y] of modules.filter(inBox)) {
          const atEdge =
            x === box.x || y === box.y || x === box.x + box.width - 1 || y === box.y + box.height - 1;
          if (atEdge) expect(moduleAt(picture, side, x, y)).toBe("255,255,255");
        }
        expect(moduleAt(picture, side, 16, 16)).toBe("255,0,255");
      }
    }
  });
});
