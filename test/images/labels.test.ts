import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { type Area, labelAt, type Sheet, sheetFormats } from "../../src/lib/print/sheets.ts";
import { BulkHarness, insertCodes, item } from "../support/bulk.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import type { Picture } from "../support/images/decoders.ts";
import { dataUri, plainPng, svg } from "../support/images/logos.ts";
import { readPdf } from "../support/images/pdf.ts";
import { crop, darkBounds, turned } from "../support/images/rasters.ts";
import { sample } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, Service } from "../support/service.ts";

const bulk = new BulkHarness();
const { service } = bulk;
let client: Client;
let codes: Qr[];

beforeAll(async () => {
  client = await service.workspace();
  codes = [];
  for (let number = 0; number < 6; number += 1) {
    codes.push(
      await client.createQr({
        name: `Table ${number + 1}`,
        ...(number % 3 === 1 && { shape: "circle" }),
        ...(number % 4 === 2 && { colorConfig: { dotsColor: "#7a1020", backgroundColor: "transparent" } }),
      }),
    );
  }
});

const idsOf = (count: number) => codes.slice(0, count).map(({ id }) => id);

const print = (body: object) => client.send("POST", "/qr/labels", body);

async function pdfOf(body: object): Promise<Uint8Array<ArrayBuffer>> {
  const response = await print(body);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  return new Uint8Array(await response.arrayBuffer());
}

async function refusal(body: object): Promise<string> {
  const response = await print(body);
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: string }).error;
}

/** Pixels of a millimetre in the rasters. */
const scale = 6;

const rasterOf = (svg: string, width: number) =>
  rasterise("svg", Uint8Array.from(new TextEncoder().encode(svg)), width);

const rastersOf = async (pdf: Uint8Array): Promise<Picture[]> => {
  const pages = await readPdf(pdf);
  return Promise.all(pages.map(({ svg, width }) => rasterOf(svg, Math.round((width / 72) * 25.4 * scale))));
};

/** An area of a page, in the pixels of its raster. */
const inPixels = ({ x, y, width, height }: Area): Area => ({
  ...{ x: Math.round(x * scale), y: Math.round(y * scale) },
  ...{ width: Math.round(width * scale), height: Math.round(height * scale) },
});

/** Reads every label of a sheet where it must be, and nothing anywhere else. */
async function readLabels(page: Picture, sheet: Sheet): Promise<(string | undefined)[]> {
  const places = Array.from({ length: sheet.columns * sheet.rows }, (_, place) => labelAt(sheet, place));
  const read: (string | undefined)[] = [];
  for (const place of places) {
    const label = crop(page, inPixels(place));
    const [left, , right] = darkBounds(label);
    const found = right < left ? [] : await readWithZxing(label);
    expect(found.length).toBeLessThan(2);
    read.push(found[0]);
  }
  return read;
}

/** A sheet that is drawn and read sooner than those on sale. */
const small = {
  page: { width: 100, height: 140 },
  label: { width: 40, height: 40 },
  columns: 2,
  rows: 3,
};
/** The same with what is not said: its labels are in the middle, side by side. */
const smallSheet: Sheet = { ...small, pitch: { x: 40, y: 40 }, origin: { x: 10, y: 10 } };

/** The bounds of what is printed dark in a part of a page, in millimetres on the page, to a twentieth. */
async function printedOn(pdf: Uint8Array, area: Area): Promise<number[]> {
  const [page] = await readPdf(pdf);
  if (page === undefined) throw new Error("no page");
  const fine = 20;
  const points = [area.x, area.y, area.width, area.height].map((length) => (length / 25.4) * 72);
  const part = await rasterOf(
    page.svg.replace(/ viewBox=.*?>/, ` viewBox="${points.join(" ")}">`),
    Math.round(area.width * fine),
  );
  const [left, top, right, bottom] = darkBounds(part).map((edge) => edge / fine) as [
    number,
    number,
    number,
    number,
  ];
  return [left + area.x, top + area.y, right + area.x, bottom + area.y];
}

describe("a sheet of labels", () => {
  it.each(sample(Object.keys(sheetFormats) as (keyof typeof sheetFormats)[], 3))(
    "%s has every code in its place",
    async (format) => {
      const { sheet } = sheetFormats[format];
      const [page, ...others] = await rastersOf(await pdfOf({ ids: idsOf(6), format }));
      expect(others).toEqual([]);
      if (page === undefined) throw new Error("no page");
      expect([page.width, page.height].map((length) => Math.round(length / scale))).toEqual(
        [sheet.page.width, sheet.page.height].map(Math.round),
      );
      const read = await readLabels(page, sheet);
      const expected = codes.map(({ scanUrl }) => scanUrl);
      expect(read).toEqual([...expected, ...Array(read.length - 6).fill(undefined)]);
    },
  );

  it("is exact to a tenth of a millimetre", async () => {
    const { sheet } = sheetFormats.L7160;
    for (const place of sample([0, 10, 20], 2)) {
      const pdf = await pdfOf({ ids: idsOf(1), format: "L7160", start: place + 1 });
      const label = labelAt(sheet, place);
      // The code has the height of the label without its padding; 29 of its 37 modules are not quiet zone.
      const code = 38.1 - 2 * 1.5;
      const quiet = (code * 4) / 37;
      const left = label.x + (63.5 - code) / 2 + quiet;
      const top = label.y + 1.5 + quiet;
      const expected = [left, top, left + (code * 29) / 37, top + (code * 29) / 37];
      for (const [index, bound] of (await printedOn(pdf, label)).entries()) {
        expect(Math.abs(bound - (expected[index] ?? 0))).toBeLessThan(0.1);
      }
    }
  });

  it("begins at any label of a used sheet, and goes on with the next sheet", async () => {
    const pages = await rastersOf(await pdfOf({ ids: idsOf(3), sheet: small, start: 5 }));
    expect(pages).toHaveLength(2);
    const read = await Promise.all(pages.map((page) => readLabels(page, smallSheet)));
    expect(read[0]?.slice(3)).toEqual([undefined, codes[0]?.scanUrl, codes[1]?.scanUrl]);
    expect(read[1]?.slice(0, 2)).toEqual([codes[2]?.scanUrl, undefined]);
  });

  it("is moved by the calibration of a printer", async () => {
    const calibration = { offset: { x: 1.5, y: -0.8 }, pitch: { x: 0.2, y: 0.1 } };
    const { sheet } = sheetFormats.L7160;
    for (const [place, x, y] of [
      [0, 1.5, -0.8],
      [20, 1.9, -0.2],
    ] as const) {
      const area = labelAt(sheet, place);
      const only = { ids: idsOf(1), format: "L7160", start: place + 1 };
      const [plain, moved] = [await pdfOf(only), await pdfOf({ ...only, calibration })];
      const [before, after] = [await printedOn(plain, area), await printedOn(moved, area)];
      expect(Math.abs((after[0] ?? 0) - (before[0] ?? 0) - x)).toBeLessThan(0.06);
      expect(Math.abs((after[1] ?? 0) - (before[1] ?? 0) - y)).toBeLessThan(0.06);
    }
  });

  it("has copies of each code side by side", async () => {
    const [page] = await rastersOf(await pdfOf({ ids: idsOf(2), sheet: small, copies: 2 }));
    if (page === undefined) throw new Error("no page");
    const [one, two] = codes.map(({ scanUrl }) => scanUrl);
    expect(await readLabels(page, smallSheet)).toEqual([one, one, two, two, undefined, undefined]);
  });

  it("tells printers not to scale it, and has no date but that of its making", async () => {
    const pdf = await pdfOf({ ids: idsOf(1), format: "L7160" });
    const { PDFDocument } = await import("@cantoo/pdf-lib");
    const document = await PDFDocument.load(pdf);
    expect(document.catalog.getViewerPreferences()?.getPrintScaling()).toBe("None");
    expect(document.getTitle()).toBe("QR codes");
  });
});

describe("labels of other kinds", () => {
  it("on a roll are a page each", async () => {
    const pages = await rastersOf(
      await pdfOf({ ids: idsOf(3), sheet: { label: { width: 50, height: 30 } }, dpi: 203 }),
    );
    expect(pages.map(({ width, height }) => [width, height])).toEqual(
      Array(3).fill([50 * scale, 30 * scale]),
    );
    const read = await Promise.all(pages.map(readWithZxing));
    expect(read).toEqual(codes.slice(0, 3).map(({ scanUrl }) => [scanUrl]));
  });

  it("have one's own measures; labels are in the middle of the page where nothing else is said", async () => {
    const label = { width: 40, height: 40 };
    const sheet = { page: { width: 100, height: 150 }, label, columns: 2, rows: 3 };
    const pdf = await pdfOf({ ids: idsOf(6), sheet, cutMarks: true });
    const [page] = await rastersOf(pdf);
    if (page === undefined) throw new Error("no page");
    const expected = { ...sheet, pitch: { x: 40, y: 40 }, origin: { x: 10, y: 15 } };
    expect(await readLabels(page, expected)).toEqual(codes.slice(0, 6).map(({ scanUrl }) => scanUrl));
    // Cut marks are in the margins, on the lines between labels.
    expect((await printedOn(pdf, { x: 45, y: 0, width: 10, height: 14.5 })).map(Math.round)).toEqual([
      50, 10, 50, 14,
    ]);
  });

  it("of a bulk job are those that it made", async () => {
    const { jobId } = await bulk.accepted(await bulk.json(client, [item(1), item(2)]));
    expect(await refusal({ jobId, format: "L7160" })).toContain("jobId must be that of a completed");
    await bulk.drain();
    const [page] = await rastersOf(await pdfOf({ jobId, sheet: small }));
    if (page === undefined) throw new Error("no page");
    const read = await readLabels(page, smallSheet);
    expect(read.filter((url) => url !== undefined)).toHaveLength(2);
  });
});

/** The share of pixels that are dark in only one of two pictures. */
function difference(one: Picture, other: Picture): number {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  const isDark = ({ data }: Picture, at: number) => (data[at] ?? 255) < 128;
  let count = 0;
  for (let at = 0; at < one.data.length; at += 4) if (isDark(one, at) !== isDark(other, at)) count += 1;
  return (count * 4) / one.data.length;
}

describe("turned labels", () => {
  const roll = { label: { width: 62, height: 29 } };
  const wide = { page: { width: 90, height: 60 }, label: { width: 40, height: 25 }, columns: 2, rows: 2 };

  it.each([
    [90, roll],
    [180, roll],
    [270, roll],
    [90, wide],
    [270, wide],
  ])("by %d° are read, and are those of a page that is turned clockwise: %j", async (rotate, sheet) => {
    const body = { ids: idsOf(2), captions: ["name", "link"], dpi: 600 };
    const straight = await rastersOf(await pdfOf({ ...body, sheet }));
    const pdf = await pdfOf({ ...body, sheet: { ...sheet, rotate } });
    const pages = await rastersOf(pdf);
    expect(pages).toHaveLength(straight.length);
    for (const [index, page] of pages.entries()) {
      const [expected, own] = [turned(straight[index] ?? page, rotate), straight[index] ?? page];
      expect(difference(page, expected)).toBeLessThan(0.01);
      // The comparison sees a page that is turned otherwise.
      if (rotate === 180) expect(difference(page, own)).toBeGreaterThan(0.1);
      else expect(difference(page, turned(own, 360 - rotate))).toBeGreaterThan(0.1);
      const read = await Promise.all([readWithZxing(page), readWithZxing(own)]);
      expect(read[0].sort()).toEqual(read[1].sort());
    }
    expect((await Promise.all(pages.map(readWithZxing))).flat().sort()).toEqual(
      codes
        .slice(0, 2)
        .map(({ scanUrl }) => scanUrl)
        .sort(),
    );
  });

  it.each([45, 1, -90, 360, 90.5, "90", true, null, [90], 1e9])("can't be turned by %j", async (rotate) => {
    expect(await refusal({ ids: idsOf(1), sheet: { ...roll, rotate } })).toBe(
      "sheet.rotate must be 0, 90, 180 or 270.",
    );
  });
});

describe("captions", () => {
  const sheet = { label: { width: 63.5, height: 38.1 } };

  it("are printed beside the code, inside the label's margin", async () => {
    const { id } = await client.createQr({
      name: "Tisch 7 – Größe L, Überlänge des Namens, der gekürzt werden muss, weil er nicht passt",
      advanced: { room: "B 12" },
    });
    const pdf = await pdfOf({ ids: [id], sheet, captions: ["name", "link", "advanced.room"] });
    const [left = 0, top = 0, right = 0, bottom = 0] = await printedOn(pdf, {
      x: 38,
      y: 0,
      width: 25.5,
      height: 38.1,
    });
    expect(Math.abs(left - 38.1)).toBeLessThan(0.6);
    expect(right).toBeGreaterThan(50);
    expect(right).toBeLessThan(62);
    expect(top).toBeGreaterThan(1.5);
    expect(bottom).toBeLessThan(36.6);
    const [page] = await rastersOf(pdf);
    expect(page && (await readWithZxing(page))).toHaveLength(1);
  });

  it("are below the code on a label that is not wide", async () => {
    const square = { label: { width: 40, height: 50 } };
    const pdf = await pdfOf({ ids: idsOf(1), sheet: square, captions: ["name"] });
    const [left = 0, , right = 0] = await printedOn(pdf, { x: 0, y: 43, width: 40, height: 7 });
    expect(Math.abs((left + right) / 2 - 20)).toBeLessThan(0.3);
    const plain = await pdfOf({ ids: idsOf(1), sheet: square });
    const nothing = await printedOn(plain, { x: 0, y: 44, width: 40, height: 6 });
    expect(nothing[2]).toBeLessThan(nothing[0] ?? 0);
  });

  it("are as large as suits the label, or as asked for", async () => {
    const body = { ids: idsOf(1), sheet: { label: { width: 105, height: 148 } }, captions: ["name"] };
    const widthOf = async (more: object) => {
      const pdf = await pdfOf({ ...body, ...more });
      const [left = 0, , right = 0] = await printedOn(pdf, { x: 0, y: 124.5, width: 105, height: 10 });
      return right - left;
    };
    expect((await widthOf({})) / (await widthOf({ captionSize: 2.5 }))).toBeCloseTo(6.2 / 2.5, 0);
  });

  it("are refused without room, and by another name", async () => {
    const small = { label: { width: 20, height: 20 } };
    expect(await refusal({ ids: idsOf(1), sheet: small, captions: ["link"], captionSize: 9 })).toContain(
      "captions",
    );
    expect(await refusal({ ids: idsOf(1), sheet, captions: ["title"] })).toContain(
      "must be name, link, tags or",
    );
  });

  it("have signs for what the font lacks, and the others are printed as they are", async () => {
    const good = await client.createQr({ name: "Table 1" });
    const bad = await client.createQr({ name: "菜单 2" });
    const response = await print({ ids: [good.id, bad.id], sheet, captions: ["name"] });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-replaced-characters")).toBe(`${bad.hash} U+83DC U+5355`);
    const outlines = async (name: string) => {
      const { id } = await client.createQr({ name });
      const pdf = await pdfOf({ ids: [id], sheet, captions: ["name"] });
      return printedOn(pdf, { x: 38, y: 0, width: 25.5, height: 38.1 });
    };
    const [left = 0, , right = 0] = await outlines("菜单");
    expect(right - left).toBeGreaterThan(2);
    const whole = await print({ ids: [good.id], sheet, captions: ["name"] });
    expect(whole.headers.get("x-replaced-characters")).toBeNull();
  });

  it.each([
    ["of one word", "x".repeat(8000)],
    ["of many words", "Table 7 ".repeat(1000)],
    ["of marks", "e\u0301".repeat(2500)],
  ])("of thousands of characters are shortened: %s", async (_, room) => {
    const { id, scanUrl } = await client.createQr({ advanced: { room } });
    const pdf = await pdfOf({ ids: [id], sheet, captions: ["advanced.room", "link"] });
    const [, , right = 0, bottom = 0] = await printedOn(pdf, { x: 0, y: 0, width: 63.5, height: 38.1 });
    expect([right < 62.1, bottom < 36.7]).toEqual([true, true]);
    const [page] = await rastersOf(pdf);
    expect(page && (await readWithZxing(page))).toEqual([scanUrl]);
  });
});

describe("labels with a logo", () => {
  const picture = '<rect width="60" height="100" fill="#c00000"/>';

  it.each([
    ["of vectors", async () => svg(picture), "#c00000"],
    [
      "with strokes",
      async () =>
        svg(`${picture}<circle cx="50" cy="50" r="9" stroke="#00c000" stroke-width="4" fill="none"/>`),
      "#c00000",
    ],
    ["that is a PNG", () => plainPng(new SeededRandom(1), [192, 0, 0], 64, 64), "#808080"],
  ])("%s are read, and have it once", async (_, make, color) => {
    const session = await service.sessionIn(client.workspaceId);
    const { id } = await session.expect(201, Template, "POST", "/developer/templates", {
      name: crypto.randomUUID(),
      logo: dataUri(await make()),
    });
    const own = [await client.createQr({ templateId: id }), await client.createQr({ templateId: id })];
    const pdf = await pdfOf({ ids: own.map((qr) => qr.id), sheet: small, copies: 2 });
    const [page] = await readPdf(pdf);
    expect(page?.svg.split(color)).toHaveLength(5);
    const [raster] = await rastersOf(pdf);
    if (raster === undefined) throw new Error("no page");
    const [one, two] = own.map(({ scanUrl }) => scanUrl);
    expect(await readLabels(raster, smallSheet)).toEqual([one, one, two, two, undefined, undefined]);
    // The picture is in the document once, whatever the number of codes.
    const single = await pdfOf({ ids: [own[0]?.id], sheet: small });
    expect(pdf.length - single.length).toBeLessThan(6000);
  });
});

describe("black ink", () => {
  it("alone prints what is grey, over paper that is made white", async () => {
    const [page] = await readPdf(await pdfOf({ ids: idsOf(1), format: "L7160", ink: "k100" }));
    expect([...(page?.colors ?? [])].sort()).toEqual(["0 0 0 0 k", "0 0 0 1 k"]);
    const [colored] = await readPdf(await pdfOf({ ids: [codes[2]?.id], format: "L7160", ink: "k100" }));
    expect([...(colored?.colors ?? [])]).toContain("0 0 0 0 k");
    expect(colored?.svg).toContain("#7a1020");
  });
});

describe("a print is refused", () => {
  it("on labels that are too small for the printer, with the size that is needed", async () => {
    const label = { width: 14, height: 14 };
    expect(await refusal({ ids: idsOf(1), sheet: { label } })).toBe(
      "sheet.label leaves 11 mm for a code, which needs 12.6 mm at 300 dpi. Use larger labels.",
    );
    const large = { width: 15.6, height: 15.6 };
    expect((await print({ ids: idsOf(1), sheet: { label: large } })).status).toBe(200);
    expect((await print({ ids: idsOf(1), sheet: { label }, dpi: 600 })).status).toBe(200);
  });

  it.each([
    [{}, "format or sheet is required, but not both"],
    [{ format: "L7160", start: 22 }, "start must be at most 21, the number of labels on this sheet"],
    [{ format: "L9999" }, "format must be 3474, 5160, L7160"],
    [{ format: "L7160", copies: 0 }, "copies must be at least 1"],
    [{ format: "L7160", calibration: { offset: { x: -12 } } }, "calibration moves labels"],
    [{ format: "L7160", calibration: { pitch: { y: -1 } } }, "calibration moves labels"],
    [{ sheet: { label: { width: 20, height: 20 }, columns: 2 } }, "sheet.page is required"],
    [
      { sheet: { page: { width: 50, height: 50 }, label: { width: 30, height: 20 }, columns: 2 } },
      "sheet.columns need 60 mm, and the page is 50 mm wide",
    ],
    [
      {
        sheet: {
          page: { width: 210, height: 297 },
          label: { width: 70, height: 30 },
          columns: 3,
          rows: 10,
          origin: { x: 0, y: 0 },
        },
      },
      "sheet.rows need 300 mm, and the page is 297 mm high",
    ],
    [
      {
        sheet: {
          page: { width: 210, height: 297 },
          label: { width: 60, height: 30 },
          columns: 3,
          origin: { x: 40, y: 0 },
        },
      },
      "sheet.columns reach 220 mm, and the page is 210 mm wide",
    ],
    [
      { sheet: { label: { width: 4, height: 20 } } },
      "sheet.label.width must be a number of millimetres from 5",
    ],
    [{ sheet: { label: { width: 20, height: 20 } }, cutMarks: true }, "cutMarks must be false"],
  ])("with %j", async (options, error) => {
    expect(await refusal({ ids: idsOf(1), ...options })).toContain(error);
  });

  it("without one selection of codes, or with too many of them", async () => {
    expect(await refusal({ format: "L7160" })).toContain("ids or filter or jobId is required");
    expect(await refusal({ ids: idsOf(1), filter: {}, format: "L7160" })).toContain(
      "ids or filter or jobId is required",
    );
    expect(await refusal({ filter: { tag: "nothing" }, format: "L7160" })).toBe(
      "filter matches no QR codes.",
    );
    const many = Array.from({ length: 101 }, () => crypto.randomUUID());
    expect(await refusal({ ids: many, format: "L7160" })).toContain("ids can have at most 100 ids");
    const twenty = [...idsOf(6), ...(await insertCodes(client, 14))];
    expect(await refusal({ ids: twenty, copies: 101, format: "L7160" })).toBe(
      "copies must be at most 100 for 20 QR codes.",
    );
    const other = await service.workspace();
    const foreign = await print({ ids: [(await other.createQr()).id], format: "L7160" });
    expect(foreign.status).toBe(404);
  });

  it("without the images Worker, which says what works", async () => {
    const missing = new Service({ images: undefined });
    const own = await missing.client(client.workspaceId);
    const response = await own.send("POST", "/qr/labels", { ids: idsOf(1), format: "L7160" });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      error: "A PDF needs the images Worker, which isn't installed here. Use the images as SVG.",
      code: "internal",
    });
  });
});
