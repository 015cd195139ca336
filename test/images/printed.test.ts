import { beforeAll, describe, expect, it } from "vitest";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { readPdf } from "../support/images/pdf.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;
let code: { readonly id: string; readonly scanUrl: string };

beforeAll(async () => {
  client = await service.workspace();
  code = await client.createQr({ name: "Summer menu" });
});

const image = (query: string, headers = {}) =>
  client.send("GET", `/qr/${code.id}/image?${query}`, undefined, headers);
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

async function refusal(query: string): Promise<string> {
  const response = await image(query);
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: string }).error;
}

/** The modules of the code with its quiet zone. */
const modules = 37;

describe("a PNG of a width in print", () => {
  it.each([
    [30, 300, 9],
    [25.4, 600, 16],
    [100, 203, 21],
    [20, 96, 2],
  ])("of %d mm at %d dpi has %d dots for each module, and says its resolution", async (mm, dpi, dots) => {
    const response = await image(`format=png&mm=${mm}&dpi=${dpi}&download`);
    expect([response.status, response.headers.get("content-disposition")]).toEqual([
      200,
      `attachment; filename="summer-menu-${String(mm).replace(".", "-")}mm-${dpi}dpi.png"`,
    ]);
    const png = await bytesOf(response);
    const view = new DataView(png.buffer);
    const size = dots * modules;
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([size, size]);
    expect(size).toBeLessThanOrEqual((mm / 25.4) * dpi);
    const at = 33;
    expect(new TextDecoder().decode(png.subarray(at + 4, at + 8))).toBe("pHYs");
    const perMetre = Math.round(dpi / 0.0254);
    expect([view.getUint32(at + 8), view.getUint32(at + 12), png[at + 16]]).toEqual([perMetre, perMetre, 1]);
    const raster = await rasterise("png", png, size);
    if (dots > 2) expect(await readWithZxing(raster)).toEqual([code.scanUrl]);
    // Colours change at the edges of modules only.
    for (let x = 1; x < size; x += 1) {
      const offset = (dots * 6 * size + x) * 4;
      if (raster.data[offset] !== raster.data[offset - 4]) expect(x % dots).toBe(0);
    }
  });

  it("is refused where it is too small or too large, with the widths that work", async () => {
    expect(await refusal("format=png&mm=5&dpi=100")).toBe("mm must be at least 18.8 at 100 dpi.");
    expect((await image("format=png&mm=18.8&dpi=100")).status).toBe(200);
    const error = await refusal("format=png&mm=200");
    expect(error).toBe(
      "mm must be at most 172.2 for a PNG at 300 dpi. Use the SVG or PDF, which have no pixels.",
    );
    expect((await image("format=png&mm=172.2")).status).toBe(200);
    expect(await refusal("format=png&mm=wide")).toBe("mm must be a number of millimetres from 5 to 2000.");
    expect(await refusal("format=png&mm=20&dpi=10")).toContain(
      "dpi must be a whole number between 72 and 2400.",
    );
  });
});

describe("an SVG of a width in print", () => {
  it("has its size in millimetres", async () => {
    expect(await (await image("mm=42.5")).text()).toContain('width="42.5mm" height="42.5mm"');
  });
});

describe("the PDF of a code", () => {
  it("is a page of its size, of vectors, that can be read", async () => {
    const response = await image("format=pdf&mm=40&download");
    expect([response.headers.get("content-type"), response.headers.get("content-disposition")]).toEqual([
      "application/pdf",
      'attachment; filename="summer-menu.pdf"',
    ]);
    const [page, ...others] = await readPdf(await bytesOf(response));
    expect(others).toEqual([]);
    if (page === undefined) throw new Error("no page");
    expect([page.width, page.height].map((length) => Math.round((length / 72) * 25.4 * 100) / 100)).toEqual([
      40, 40,
    ]);
    const svg = Uint8Array.from(new TextEncoder().encode(page.svg));
    expect(await readWithZxing(await rasterise("svg", svg, 600))).toEqual([code.scanUrl]);
  });

  it("has black ink alone where it is asked for", async () => {
    const [page] = await readPdf(await bytesOf(await image("format=pdf&ink=k100")));
    expect([...(page?.colors ?? [])].sort()).toEqual(["0 0 0 0 k", "0 0 0 1 k"]);
    expect(Math.round((page?.width ?? 0) * 100)).toBe(Math.round((50 / 25.4) * 7200));
  });

  it("is not drawn again while its ETag is current, and is the same whenever it is drawn", async () => {
    const first = await image("format=pdf");
    const tag = first.headers.get("etag") ?? "";
    expect((await image("format=pdf", { "if-none-match": tag })).status).toBe(304);
    expect((await image("format=pdf&mm=60", { "if-none-match": tag })).status).toBe(200);
    expect(await bytesOf(await image("format=pdf"))).toEqual(await bytesOf(first));
  });

  it("needs the images Worker, which is said where it is missing", async () => {
    const missing = await new Service({ images: undefined }).client(client.workspaceId);
    const response = await missing.send("GET", `/qr/${code.id}/image?format=pdf`);
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        error: "A PDF needs the images Worker, which isn't installed here. Use the SVG.",
        code: "internal",
      },
    ]);
  });

  it("is not at the public address", async () => {
    const answer = await service.fetch(new URL(`${code.scanUrl}.pdf`).pathname);
    expect(answer.status).toBe(404);
  });
});
