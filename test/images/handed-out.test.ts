import { beforeEach, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { labelAt, sheetFormats } from "../../src/lib/print/sheets.ts";
import type { Browser } from "../support/browser.ts";
import { signedIn } from "../support/dashboard.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { someDesign } from "../support/images/designs.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { readPdf } from "../support/images/pdf.ts";
import { crop } from "../support/images/rasters.ts";
import { runs } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, Service } from "../support/service.ts";
import { readZip } from "../support/zip.ts";

/** Codes of a workspace, each of which gets its image from every place that hands images out. */
const count = runs(2, 4);

/** The tests' seeds, each in a workspace of its own, which may draw only so much in a minute. */
const seeds = Array.from({ length: runs(1, 15) }, (_, i) => 512 + i);

const service = new Service();
let browser: Browser;
let client: Client;
let logoId: string;

beforeEach(async () => {
  ({ browser, client } = await signedIn(service));
  const session = await service.sessionIn(client.workspaceId);
  const logo = dataUri(svg('<circle cx="50" cy="50" r="50" fill="#7a1020"/>'));
  const created = await session.expect(201, Template, "POST", "/developer/templates", { name: "Logo", logo });
  logoId = created.logo?.id ?? "";
});

type Format = "svg" | "png";

const bytesOf = async (pending: Promise<Response>): Promise<Uint8Array<ArrayBuffer>> => {
  const response = await pending;
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
};

const read = async (format: Format, file: Uint8Array<ArrayBuffer>, width = 512) =>
  (await readWithZxing(await rasterise(format, file, width))).join();

/** Pixels of a millimetre. */
const scale = 4;

/** A page of a PDF, drawn. */
async function pageOf(pdf: Uint8Array, number = 0) {
  const page = (await readPdf(pdf))[number];
  if (page === undefined) throw new Error(`no page ${number}`);
  const drawing = Uint8Array.from(new TextEncoder().encode(page.svg));
  return rasterise("svg", drawing, Math.round((page.width / 72) * 25.4 * scale));
}

/** The files of the same code from every place that hands out its image. */
const places: readonly [place: string, read: (code: Qr) => Promise<string>][] = [
  ...(["svg", "png"] as const).flatMap((format): (typeof places)[number][] => [
    ["public", async ({ hash }) => read(format, await bytesOf(service.fetch(`/${hash}.${format}`)))],
    [
      "API",
      async ({ id }) => read(format, await bytesOf(client.send("GET", `/qr/${id}/image?format=${format}`))),
    ],
    [
      "API, in print",
      async ({ id }) =>
        read(format, await bytesOf(client.send("GET", `/qr/${id}/image?format=${format}&mm=40`))),
    ],
    [
      "dashboard",
      async ({ id }) =>
        read(format, await bytesOf(browser.open(`/dashboard/codes/${id}/image?format=${format}&download=1`))),
    ],
  ]),
  [
    "API, PDF",
    async ({ id }) => {
      const pdf = await bytesOf(client.send("GET", `/qr/${id}/image?format=pdf`));
      return (await readWithZxing(await pageOf(pdf))).join();
    },
  ],
  [
    "print desk",
    async ({ id }) =>
      read(
        "svg",
        await bytesOf(browser.open(`/dashboard/print/page.svg?ids=${id}&format=L7160`)),
        210 * scale,
      ),
  ],
];

it.each(seeds)(
  "every image that is handed out, wherever it is, holds the address of its code (%i)",
  async (seed) => {
    const random = new SeededRandom(seed);
    const codes: Qr[] = [];
    for (let i = 0; i < count; i += 1) {
      const { colorConfig, shape, advanced } = someDesign(random, [logoId]);
      const design = { ...advanced, quietZone: 4, compact: false };
      const logo = advanced?.logo ? { logo: { ...advanced.logo, padding: 1 } } : {};
      codes.push(await client.createQr({ colorConfig, shape, advanced: { ...design, ...logo } }));
    }
    const wrong: object[] = [];
    const expectAddress = (place: string, { scanUrl, advanced }: Qr, found: string) => {
      if (found !== scanUrl) wrong.push({ place, scanUrl, found, advanced });
    };
    for (const code of codes.slice(0, runs(1, 4))) {
      for (const [place, readAt] of places) expectAddress(place, code, await readAt(code));
    }
    const ids = codes.map(({ id }) => id);
    for (const format of ["svg", "png"] as const) {
      const zip = readZip(await bytesOf(client.send("POST", "/qr/images", { ids, format })));
      for (const [i, file] of [...zip.values()].slice(0, -1).entries()) {
        const code = codes[i];
        if (code !== undefined) expectAddress(`ZIP, ${format}`, code, await read(format, file));
      }
      expect(zip.size).toBe(codes.length + 1);
    }
    const { sheet } = sheetFormats.L7163;
    const pdf = await bytesOf(client.send("POST", "/qr/labels", { ids, format: "L7163" }));
    const onPage = sheet.columns * sheet.rows;
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(codes.length / onPage) }, (_, number) => pageOf(pdf, number)),
    );
    for (const [i, code] of codes.entries()) {
      const page = pages[Math.floor(i / onPage)];
      if (page === undefined) throw new Error("a label without a page");
      const { x, y, width, height } = labelAt(sheet, i % onPage);
      const [left = 0, top = 0, across = 0, down = 0] = [x, y, width, height].map((length) =>
        Math.round(length * scale),
      );
      const label = crop(page, { x: left, y: top, width: across, height: down });
      expectAddress("labels", code, (await readWithZxing(label)).join());
    }
    expect(wrong).toEqual([]);
  },
);
