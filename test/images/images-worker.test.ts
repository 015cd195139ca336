import { beforeAll, describe, expect, it } from "vitest";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { dataUri, plainPng, svg } from "../support/images/logos.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, Service } from "../support/service.ts";

const logo = svg('<rect width="100" height="100" fill="#ff0000"/>');
const service = new Service();
const missing = new Service({ images: undefined });
const fail = () => Promise.reject(new Error("out of memory"));
const failing = new Service({
  images: { png: fail, checkLogo: fail, readSvg: fail, measure: fail, disturbed: fail, pdf: fail },
});
let client: Client;
let withLogo: { readonly id: string; readonly hash: string; readonly scanUrl: string };
let plain: typeof withLogo;

beforeAll(async () => {
  client = await service.workspace();
  const session = await service.sessionIn(client.workspaceId);
  const { id } = await session.expect(201, Template, "POST", "/developer/templates", {
    name: "Logo",
    logo: dataUri(logo),
  });
  withLogo = await client.createQr({ templateId: id });
  plain = await client.createQr();
});

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** The width of a PNG's modules, told by the pixels at which the colour changes in any of its lines. */
async function changesOf(png: Uint8Array<ArrayBuffer>, size: number): Promise<Set<number>> {
  const { data } = await rasterise("png", png, size);
  const changes = new Set<number>();
  for (let y = 0; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const at = (y * size + x) * 4;
      if (data[at] !== data[at - 4]) changes.add(x);
    }
  }
  return changes;
}

describe("a PNG with a logo", () => {
  it.each([64, 127, 512, 701])("of %i pixels has modules of whole pixels, and can be read", async (size) => {
    const response = await client.send(
      "GET",
      `/qr/${withLogo.id}/image?format=png&size=${size}&margin=1&ecc=H`,
    );
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    const png = await bytesOf(response);
    expect(await readWithZxing(await rasterise("png", png, size))).toEqual(
      size < 100 ? expect.anything() : [withLogo.scanUrl],
    );
    // At error correction H, the address takes 33 modules; the logo's own edges lie anywhere.
    const pitch = Math.floor(size / 35);
    const start = (size - 35 * pitch) >> 1;
    const edges = [...(await changesOf(png, size))].filter((x) => x < size * 0.3);
    expect(edges.filter((x) => (x - start) % pitch !== 0)).toEqual([]);
  });

  it("has at most 2048 pixels a side", async () => {
    const draw = (id: string, size: number) => client.send("GET", `/qr/${id}/image?format=png&size=${size}`);
    expect((await draw(withLogo.id, 2048)).status).toBe(200);
    const refused = await draw(withLogo.id, 2049);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        code: "invalid_input",
        error: "size must be at most 2048 for a PNG of this design. For a larger image, use the SVG.",
      },
    ]);
  });
});

describe.each([
  ["missing", missing, "which isn't installed here. Use the SVG.", null],
  ["failing", failing, "which is temporarily unavailable. Try again in a few seconds. Use the SVG.", "5"],
] as const)("with the images Worker %s", (_, without, words, retryAfter) => {
  it("a PNG with a logo is a 503 that says so", async () => {
    const own = await without.client(client.workspaceId);
    for (const response of [
      await own.send("GET", `/qr/${withLogo.id}/image?format=png`),
      await without.fetch(`/${withLogo.hash}.png`),
    ]) {
      expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
        503,
        retryAfter,
        { code: "internal", error: `A PNG of this design needs the images Worker, ${words}` },
      ]);
    }
  });

  it.each([
    ["a PNG", () => plainPng(new SeededRandom(1), [1, 2, 3], 8, 8)],
    ["an SVG", async () => svg("<rect/>")],
  ])("%s can't be uploaded as a logo", async (__, make) => {
    const session = await without.sessionIn(client.workspaceId);
    const png = await make();
    const input = { name: "Logo", logo: dataUri(png) };
    const response = await session.send("POST", "/developer/templates", input);
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        code: "internal",
        error: `A new logo needs the images Worker, ${words.replace("Use the SVG", "Use one that is stored already")}`,
      },
    ]);
  });

  it("its SVG, its preview and a PNG without a logo work", async () => {
    const own = await without.client(client.workspaceId);
    for (const [id, format] of [
      [withLogo.id, "svg"],
      [plain.id, "svg"],
      [plain.id, "png"],
    ] as const) {
      expect((await own.send("GET", `/qr/${id}/image?format=${format}`)).status).toBe(200);
    }
  });
});
