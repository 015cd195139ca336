import { beforeEach, describe, expect, it } from "vitest";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { placeLogo } from "../../src/lib/image/logo-placement.ts";
import { rasterise, readFromAfar, readWithZxing } from "../support/images/decode.ts";
import type { Picture } from "../support/images/decoders.ts";
import { dataUri, makePng, plainPng, pngKinds, svg } from "../support/images/logos.ts";
import { runs, sample } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, Service, type SessionClient } from "../support/service.ts";

/** How many designs are drawn, each with a logo, in every format it allows and at two sizes. */
const designs = runs(2, 200);
/** How many of them are drawn in one workspace. */
const perWorkspace = 10;
const sizes = [128, 200, 256, 333, 512, 700, 1024];

const service = new Service();
let client: Client;
let session: SessionClient;

/** Enters a new workspace. A workspace may draw only so much in a minute. */
async function enter(): Promise<void> {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
}
beforeEach(enter);

const path = "/developer/templates";
const templateWith = (logo: Uint8Array, look: object = {}) =>
  session.expect(201, Template.strict(), "POST", path, { name: "Logo", logo: dataUri(logo), ...look });

const darks = ["black", "#123", "navy", "maroon", "#063", "#404040", "#603"];
const lights = ["white", "#ffe", "#eef", "#fde68a", "lightcyan", "transparent"];
const anyColor = (random: SeededRandom) =>
  `rgb(${random.below(256)},${random.below(256)},${random.below(256)})`;

/** Random shapes and colours, including shapes that resemble a QR code's own patterns. */
function someSvg(random: SeededRandom): Uint8Array<ArrayBuffer> {
  const [width, height] = [20 + random.below(180), 20 + random.below(180)];
  const shapes = Array.from({ length: 1 + random.below(8) }, () =>
    random.pick([
      `<circle cx="${random.below(width)}" cy="${random.below(height)}" r="${5 + random.below(60)}" fill="${anyColor(random)}"/>`,
      `<rect x="${random.below(width)}" y="${random.below(height)}" width="60" height="40" fill="${anyColor(random)}" opacity=".6"/>`,
      `<path d="M0 0L${width} ${height}" stroke="${anyColor(random)}" stroke-width="9"/>`,
    ]),
  );
  const pattern = [7, 5, 3].map(
    (side, i) =>
      `<rect x="${(7 - side) / 2}" y="${(7 - side) / 2}" width="${side}" height="${side}" fill="${i === 1 ? "#fff" : "#000"}"/>`,
  );
  return random.below(4) === 0
    ? svg(pattern.join(""), 'viewBox="0 0 7 7"')
    : svg(shapes.join(""), `viewBox="0 0 ${width} ${height}"`);
}

async function someLogo(random: SeededRandom): Promise<Uint8Array<ArrayBuffer>> {
  if (random.below(5) < 2) return someSvg(random);
  const [width, height] = [4 + random.below(60), 4 + random.below(60)];
  if (random.below(3) === 0) return makePng(random, random.pick(pngKinds), width, height);
  const color = random.pick([
    [0, 0, 0],
    [255, 255, 255],
    [200, 30, 60],
    [20, 20, 120, 128],
  ]);
  return plainPng(random, color, width, height);
}

describe("every image with a logo", () => {
  it("is read as its scanUrl by two decoders that are not ours", async () => {
    const seed = 20261122;
    const random = new SeededRandom(seed);
    const unread: object[] = [];
    const misread: object[] = [];
    const missed: object[] = [];
    let readByBoth = 0;
    let drawn = 0;
    for (let i = 0; i < designs; i += 1) {
      if (i > 0 && i % perWorkspace === 0) await enter();
      const logo = await someLogo(random);
      const look = {
        shape: random.pick(["square", "circle"]),
        colorConfig: {
          dotsColor: random.pick(darks),
          cornerColor: random.pick(darks),
          backgroundColor: random.pick(lights),
        },
      };
      const template = await templateWith(logo, look);
      const { id, scanUrl } = await client.createQr({ templateId: template.id });
      await session.send("DELETE", `${path}/${template.id}`);
      const formats =
        template.logo?.mediaType === "image/png" ? (["svg", "png"] as const) : (["svg"] as const);
      for (const format of formats) {
        for (const size of [random.pick(sizes), random.pick(sizes)]) {
          const query = `format=${format}&size=${size}&margin=${2 + random.below(4)}&ecc=${random.pick(["L", "M", "H"])}`;
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
    // As without a logo, jsQR fails to read very few correct images.
    expect(missed.slice(2)).toEqual([]);
    expect(readByBoth).toBeGreaterThanOrEqual(drawn - 2);
  });

  it("is read although it covers the alignment pattern in the middle of large symbols", async () => {
    const random = new SeededRandom(3);
    const { id: templateId } = await templateWith(await plainPng(random, [200, 0, 60], 200, 200));
    for (const words of sample([4, 6, 8, 10], 4, 3)) {
      const scanOrigin = `https://${"a-long-".repeat(words)}name.example`;
      const elsewhere = await new Service({ settings: { scanOrigin } }).client(client.workspaceId);
      const { id, scanUrl } = await elsewhere.createQr({ templateId });
      for (const [format, size] of sample(
        [
          ["svg", 256],
          ["svg", 700],
          ["png", 700],
          ["png", 256],
        ] as const,
        2,
      )) {
        const response = await elsewhere.send("GET", `/qr/${id}/image?format=${format}&size=${size}`);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const read = await readWithZxing(await rasterise(format, bytes, size));
        expect({ words, format, size, read }).toEqual({ words, format, size, read: [scanUrl] });
      }
    }
  });
});

/** The colour at the centre of a module, in a picture without a margin. */
const moduleAt = ({ width, data }: Picture, side: number, x: number, y: number): string => {
  const pitch = width / side;
  const at = (Math.floor((y + 0.5) * pitch) * width + Math.floor((x + 0.5) * pitch)) * 4;
  return [...data.slice(at, at + 3)].join();
};

describe("a logo's box", () => {
  it("covers the only modules that an image with a logo lacks", async () => {
    const random = new SeededRandom(7);
    const png = (width: number, height: number) => plainPng(random, [255, 0, 255], width, height);
    const beyondItsEdges = '<rect x="-500" y="-500" width="999" height="999" fill="#f0f"/>';
    for (const [width, height, logo, formats] of [
      [40, 40, await png(40, 40), ["png"]],
      [60, 20, await png(60, 20), ["svg"]],
      [20, 60, await png(20, 60), ["png"]],
      [30, 20, svg(beyondItsEdges, 'viewBox="0 0 30 20"'), ["svg"]],
    ] as const) {
      const { id: templateId } = await templateWith(logo);
      for (const format of formats) {
        const { id } = await client.createQr();
        const query = `?format=${format}&margin=0&ecc=H&size=330`;
        const draw = async () => {
          const response = await client.send("GET", `/qr/${id}/image${query}`);
          return rasterise(format, new Uint8Array(await response.arrayBuffer()), 330);
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
        const { box } = placeLogo(side, width / height, { padding: 1, cutout: "square" });
        const inBox = ([x, y]: readonly [number, number]) =>
          x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
        expect(changed.length).toBeGreaterThan(10);
        expect(changed.filter((module) => !inBox(module))).toEqual([]);
        expect(modules.filter(inBox).length / modules.length).toBeLessThanOrEqual(0.2);
        const seen = new Set(modules.filter(inBox).map(([x, y]) => moduleAt(picture, side, x, y)));
        expect([...seen].sort()).toEqual(["255,0,255", "255,255,255"]);
        // The edge of the box has no modules.
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
