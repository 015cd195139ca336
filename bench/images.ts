import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { buildService } from "../scripts/lib/build.ts";
import { apiKey, codeId } from "../scripts/lib/seed.ts";
import type { Design } from "../src/lib/image/design.ts";
import { drawCode } from "../src/lib/image/drawing.ts";
import { drawPng } from "../src/lib/image/plain-png.ts";
import { qrSymbol } from "../src/lib/image/qr-symbol.ts";
import { svgOf } from "../src/lib/image/svg.ts";
import { launchBrowser } from "../test/e2e/support/chromium.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { corePlacement } from "./load/cores.ts";
import { cpuMicroseconds } from "./load/process-tree.ts";
import { Server } from "./load/server.ts";

const require = createRequire(import.meta.url);

/** The functions of `qrcode` that are measured. */
interface QrCodeLibrary {
  toString(text: string, options: object): Promise<string>;
  toBuffer(text: string, options: object): Promise<Uint8Array>;
}

/** Drawings of each kind in a round; codes of an archive, and calls that it takes, since each has at most 100. */
const fullSizes = {
  rounds: 3,
  svgs: 100,
  pngs: 40,
  largePngs: 10,
  sheets: 5,
  zip: { codes: 100, calls: 10 },
};
const smokeSizes: typeof fullSizes = {
  ...{ rounds: 1, svgs: 2, pngs: 2, largePngs: 1, sheets: 1 },
  zip: { codes: 2, calls: 1 },
};

interface Cost {
  readonly milliseconds: number;
  /** Milliseconds; undefined where it can't be told from that of others. */
  readonly cpu?: number;
  readonly bytes?: number;
}

/** Drawing codes: alone beside other libraries, and through the API with its sheets and archives. */
export const images: Benchmark = {
  title: "Images",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    return `${await compareLibraries(sizes)}\n\n${await measureService(sizes, smoke)}`;
  },
};

const pixels = [512, 2048] as const;

const addressOf = (i: number) => `https://qr.example.com/${i.toString(36).padStart(8, "0")}`;

/** Black on white, of squares: all that every library draws. */
const plain: Design = {
  ...{ modules: "square", eyeFrame: "square", eyeCenter: "square" },
  ...{ dots: { color: "#000000" }, corners: { color: "#000000" } },
  ...{ background: "#ffffff", backgroundRadius: 0, compact: false },
  logo: { padding: 1, cutout: "square" },
};

function symbolOf(text: string) {
  const symbol = qrSymbol(text, "M");
  if (symbol === undefined) throw new Error("no symbol");
  return symbol;
}

/** Draws a code with a library. */
type Draw = (text: string) => unknown;

async function compareLibraries(sizes: typeof fullSizes): Promise<string> {
  const library = require("qrcode") as QrCodeLibrary;
  const cases: {
    title: string;
    count: number;
    ours: Draw;
    qrcode: Draw;
    format: "svg" | "png";
    size: number;
  }[] = [
    {
      ...{ title: "SVG", count: sizes.svgs, format: "svg", size: 512 },
      ours: (text) => svgOf(drawCode(symbolOf(text), plain, { quietZone: 4 }), 512),
      qrcode: (text) => library.toString(text, { type: "svg", margin: 4, width: 512 }),
    },
    ...pixels.map((size) => ({
      ...{ title: `PNG, ${size} px`, format: "png" as const, size },
      count: size === 512 ? sizes.pngs : sizes.largePngs,
      ours: (text: string) => drawPng(symbolOf(text), { size, margin: 4 }, plain),
      qrcode: (text: string) => library.toBuffer(text, { margin: 4, width: size }),
    })),
  ];
  await using browser = await StylingBrowser.start();
  const rows: string[][] = [];
  for (const { title, count, ours, qrcode, format, size } of cases) {
    const sides: { readonly measure: () => Promise<Cost>; readonly costs: Cost[] }[] = [
      { measure: () => timeInProcess(ours, count), costs: [] },
      { measure: () => timeInProcess(qrcode, count), costs: [] },
      { measure: () => browser.time(format, size, count), costs: [] },
    ];
    for (const { measure } of sides) await measure();
    for (let round = 1; round <= sizes.rounds; round += 1) {
      for (const { measure, costs } of sides) costs.push(await measure());
    }
    const [own = Number.NaN, other = Number.NaN, styling = Number.NaN] = sides.map(({ costs }) =>
      median(costs.map(({ milliseconds }) => milliseconds)),
    );
    const [ownCpu = Number.NaN, otherCpu = Number.NaN] = sides.map(({ costs }) =>
      median(costs.map(({ cpu = Number.NaN }) => cpu)),
    );
    const row = [
      ...[title, own.toFixed(2), ownCpu.toFixed(2), other.toFixed(2), otherCpu.toFixed(2)],
      ...[`${(own / other).toFixed(2)} ×`, styling.toFixed(2), `${(own / styling).toFixed(2)} ×`],
    ];
    console.log(row.join(" | "));
    rows.push(row);
  }
  return (
    "The drawing alone: a code of 31 characters at level M, black on white, of squares. This service and `qrcode` draw in one " +
    "Node process; `qr-code-styling` needs a browser and draws in Chromium, whose CPU can't be told from the rest of it. " +
    `Milliseconds a drawing, median of ${sizes.rounds} interleaved rounds.\n\n` +
    table(
      ["drawing", "ms", "CPU ms", "`qrcode`", "its CPU", "of `qrcode`", "`qr-code-styling`", "of that"],
      rows,
    )
  );
}

async function timeInProcess(draw: Draw, count: number): Promise<Cost> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  for (let i = 0; i < count; i += 1) await draw(addressOf(i));
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: (performance.now() - began) / count, cpu: (user + system) / 1000 / count };
}

/** A browser with `qr-code-styling` in its page. */
class StylingBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async start(): Promise<StylingBrowser> {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    const script = require.resolve("qr-code-styling/lib/qr-code-styling.js");
    await page.addScriptTag({ content: readFileSync(script, "utf8") });
    return new StylingBrowser(browser, page);
  }

  async time(format: "svg" | "png", size: number, count: number): Promise<Cost> {
    const texts = Array.from({ length: count }, (_, i) => addressOf(i));
    const milliseconds = await this.#page.evaluate(timeStyling, { format, size, texts });
    return { milliseconds };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** Runs in the page. @returns milliseconds a drawing */
async function timeStyling({
  format,
  size,
  texts,
}: {
  format: "svg" | "png";
  size: number;
  texts: string[];
}) {
  type Styling = new (options: object) => { getRawData(format: string): Promise<Blob | null> };
  const { QRCodeStyling } = globalThis as unknown as { QRCodeStyling: Styling };
  const began = performance.now();
  for (const data of texts) {
    const drawn = new QRCodeStyling({
      ...{ width: size, height: size, data, type: format === "svg" ? "svg" : "canvas", margin: 0 },
      qrOptions: { errorCorrectionLevel: "M" },
    });
    if (!(await drawn.getRawData(format))) throw new Error("nothing drawn");
  }
  return (performance.now() - began) / texts.length;
}

/** A request of the API whose answer is drawn anew, by its number. */
interface Drawn {
  readonly title: string;
  readonly count: number;
  request(i: number): { readonly path: string; readonly body?: object };
}

async function measureService(sizes: typeof fullSizes, smoke: boolean): Promise<string> {
  const { rounds, zip } = sizes;
  const perRound = Math.max(sizes.svgs, sizes.pngs, sizes.largePngs, 24, zip.codes * zip.calls);
  const codes = 2 * perRound * (rounds + 1);
  await using server = await Server.start(
    "images",
    { size: codes, script: await buildService() },
    { pinned: !smoke },
  );
  /** The id of a code without and with a design. */
  const plainId = (i: number) => codeId(2 * i + 1);
  const designedId = (i: number) => codeId(2 * i + 2);
  const idsFrom = (idOf: (i: number) => string, first: number, count: number) =>
    Array.from({ length: count }, (_, i) => idOf(first + i));
  const kinds = [
    ["plain", plainId],
    ["with a design", designedId],
  ] as const;
  const cases: Drawn[] = kinds.flatMap(([kind, idOf]) => [
    {
      ...{ title: `SVG, ${kind}`, count: sizes.svgs },
      request: (i) => ({ path: `/qr/${idOf(i)}/image?format=svg` }),
    },
    ...pixels.map(
      (size): Drawn => ({
        ...{ title: `PNG, ${size} px, ${kind}`, count: size === 512 ? sizes.pngs : sizes.largePngs },
        request: (i) => ({ path: `/qr/${idOf(i)}/image?format=png&size=${size}` }),
      }),
    ),
    {
      ...{ title: `sheet of 24, ${kind}`, count: sizes.sheets },
      request: () => ({ path: "/qr/labels", body: { ids: idsFrom(idOf, 0, 24), format: "3474" } }),
    },
    ...(["svg", "png"] as const).map(
      (format): Drawn => ({
        ...{ title: `ZIP of ${zip.codes * zip.calls} ${format.toUpperCase()}, ${kind}`, count: zip.calls },
        request: (i) => ({
          path: "/qr/images",
          body: { ids: idsFrom(idOf, i * zip.codes, zip.codes), format },
        }),
      }),
    ),
  ]);
  const rows: string[][] = [];
  for (const { title, count, request } of cases) {
    const costs: Cost[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      // Codes of its own, since a drawing is kept. The first round warms up.
      const cost = await timeRequests(server, count, (i) => request(round * count + i));
      if (round > 0 || smoke) costs.push(cost);
    }
    // The calls of an archive are one thing, other requests are one each.
    const times = title.startsWith("ZIP") ? count : 1;
    const medianOf = (of: (cost: Cost) => number | undefined) =>
      median(costs.map((cost) => (of(cost) ?? Number.NaN) * times));
    const row = [
      title,
      medianOf(({ milliseconds }) => milliseconds).toFixed(1),
      medianOf(({ cpu }) => cpu).toFixed(1),
      (medianOf(({ bytes }) => bytes) / 1024).toFixed(0),
    ];
    console.log(row.join(" | "));
    rows.push(row);
  }
  return (
    "Through the API, over one connection, with authentication, rate limit and catalogue: each drawn for the first time. CPU is " +
    `that of the server's whole process tree. A plain PNG is drawn by the main Worker; the design (connected modules, round eyes, a ` +
    `gradient) and every PDF take the images Worker. An archive has ${zip.calls} calls of ${zip.codes} codes. Median of ${rounds} rounds. ` +
    `${corePlacement}\n\n` +
    table(["drawing", "ms", "CPU ms", "KiB"], rows)
  );
}

/** @returns the mean of requests one after the other */
async function timeRequests(
  server: Server,
  count: number,
  request: (i: number) => ReturnType<Drawn["request"]>,
): Promise<Cost> {
  const [began, before] = [performance.now(), cpuMicroseconds(server.pid)];
  let bytes = 0;
  for (let i = 0; i < count; i += 1) {
    const { path, body } = request(i);
    const response = await fetch(`${server.origin}/api/v1${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    bytes += (await response.arrayBuffer()).byteLength;
  }
  return {
    milliseconds: (performance.now() - began) / count,
    cpu: (cpuMicroseconds(server.pid) - before) / 1000 / count,
    bytes: bytes / count,
  };
}
