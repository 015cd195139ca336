import { beforeAll, describe, expect, it, vi } from "vitest";
import { BulkJob, BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { cutMarks } from "../../../src/lib/print/cut-marks.ts";
import { type Area, labelAt, labelsOn, type Sheet, sheetFormats } from "../../../src/lib/print/sheets.ts";
import { readWithZxing } from "../../e2e/support/decode.ts";
import {
  canReadWithZbar,
  inkCoverage,
  pdfRasterisers,
  readWithZbar,
  sayWhatIsMissing,
} from "../../e2e/support/printing-tools.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";
import type { Picture } from "../../support/images/decoders.ts";
import { crop, darkBounds, turned } from "../../support/images/rasters.ts";
import { sample } from "../../support/runner/runs.ts";

/** Pixels of a millimetre. */
const scale = 20;

/** Millimetres that are kept free along the edges of a label, and modules of a quiet zone. */
const [padding, quietZone] = [1.5, 4];

/** A sheet with gaps between its labels, on a page of no standard size. */
const ownSheet: Sheet = {
  page: { width: 106, height: 129 },
  label: { width: 40, height: 32.5 },
  columns: 2,
  rows: 3,
  pitch: { x: 46.3, y: 36.1 },
  origin: { x: 9.7, y: 12.4 },
};

const sheets: readonly [name: string, sheet: Sheet, options: object][] = [
  ...(["L7160", "L7651", "L7163", "5160"] as const).map((format): [string, Sheet, object] => [
    format,
    sheetFormats[format].sheet,
    { format },
  ]),
  ["of one's own", ownSheet, { sheet: ownSheet, cutMarks: true }],
  ["of one's own, turned,", ownSheet, { sheet: { ...ownSheet, rotate: 90 }, cutMarks: true }],
];

/** The last one, which every run tries, or all. */
const triedSheets = sample(sheets, sheets.length, sheets.length - 1);
/** That of which only the ink is looked at. */
const inkSheet = sheetFormats.L7160.sheet;

let workspace: OwnWorkspace;
let codes: { readonly id: string; readonly address: string }[];
/** Modules of a code with its quiet zone. */
let modules: number;

beforeAll(async () => {
  workspace = await OwnWorkspace.create("sheets");
  const { service } = workspace;
  const length = Math.max(...[inkSheet, ...triedSheets.map(([, sheet]) => sheet)].map(labelsOn));
  const items = Array.from({ length }, (_, i) => ({
    qrType: "url",
    data: { type: "url", url: `https://example.com/${i}` },
    ...(i % 3 === 1 && { shape: "circle" }),
  }));
  const { jobId } = await readStrictly(service.send("POST", "/qr/bulk", { items }), 202, BulkJob);
  const job = await vi.waitFor(
    async () => {
      const found = await readStrictly(service.send("GET", `/qr/bulk/${jobId}`), 200, BulkJobWithItems);
      expect(found.status).toBe("completed");
      return found;
    },
    { timeout: 60_000, interval: 200 },
  );
  codes = job.items.map(({ createdQrId, createdQrHash }) => ({
    id: createdQrId ?? "",
    address: `${service.origin}/${createdQrHash}`,
  }));
  const image = await (await service.send("GET", `/qr/${codes[0]?.id}/image`)).text();
  modules = Number(/viewBox="0 0 (\d+)/.exec(image)?.[1]);
});

/** A PDF that has a code on each label of a sheet. */
async function printOn(sheet: Sheet, options: object): Promise<Uint8Array<ArrayBuffer>> {
  const ids = codes.slice(0, labelsOn(sheet)).map(({ id }) => id);
  const response = await workspace.service.send("POST", "/qr/labels", { ...options, ids });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  return new Uint8Array(await response.arrayBuffer());
}

/** An area of the page in whole pixels. */
function inPixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.round(x * scale), Math.round(y * scale)];
  return {
    x: left,
    y: top,
    width: Math.round((x + width) * scale) - left,
    height: Math.round((y + height) * scale) - top,
  };
}

/** The edges of what is printed on a part of the page, in millimetres on the page. */
function printedOn(page: Picture, area: Area): number[] {
  const { x, y, ...size } = inPixels(area);
  const [left, top, right, bottom] = darkBounds(crop(page, { x, y, ...size }));
  return [left + x, top + y, right + x, bottom + y].map((edge) => edge / scale);
}

/** The edges of the modules of a code that is as large as its label allows, in its middle. */
function expectedOn({ x, y, width, height }: Area): number[] {
  const side = Math.min(width, height) - 2 * padding;
  const quiet = (side * quietZone) / modules;
  const [left, top] = [x + (width - side) / 2 + quiet, y + (height - side) / 2 + quiet];
  const printed = side - 2 * quiet;
  return [left, top, left + printed, top + printed];
}

/** The page without these areas. */
function without(page: Picture, areas: readonly Area[]): Picture {
  const data = page.data.slice();
  for (const { x, y, width, height } of areas.map(inPixels)) {
    for (let row = y; row < y + height; row += 1) {
      data.fill(255, (row * page.width + x) * 4, (row * page.width + x + width) * 4);
    }
  }
  return { ...page, data };
}

const expectNear = (found: readonly number[], expected: readonly number[]): void => {
  for (const [i, edge] of found.entries()) expect(Math.abs(edge - (expected[i] ?? 0))).toBeLessThan(0.1);
};

describe("a sheet of labels", () => {
  it.for(triedSheets)(
    "%s has each code on its label, to a tenth of a millimetre, and nothing beside them",
    async ([, sheet, options], context) => {
      await sayWhatIsMissing(context);
      const pdf = await printOn(sheet, options);
      const labels = Array.from({ length: labelsOn(sheet) }, (_, place) => labelAt(sheet, place));
      const isTurned = "sheet" in options && "rotate" in (options.sheet as object);
      for (const rasterise of pdfRasterisers) {
        const [drawn, ...others] = await rasterise(pdf, scale * 25.4);
        if (drawn === undefined) throw new Error("no page");
        const page = isTurned ? turned(drawn, 270) : drawn;
        expect(others).toEqual([]);
        expectNear([page.width / scale, page.height / scale], [sheet.page.width, sheet.page.height]);
        for (const [place, label] of labels.entries()) {
          const part = crop(page, inPixels(label));
          const { address } = codes[place] ?? {};
          expect(await readWithZxing(part)).toEqual([address]);
          if (canReadWithZbar) expect(await readWithZbar(part)).toBe(address);
          expectNear(printedOn(page, label), expectedOn(label));
        }
        const marks = "cutMarks" in options ? cutMarks(sheet) : [];
        const beside = without(page, labels);
        for (const { from, to } of marks) {
          const around = {
            x: from[0] - 0.5,
            y: from[1] - 0.5,
            width: to[0] - from[0] + 1,
            height: to[1] - from[1] + 1,
          };
          expectNear(printedOn(beside, around), [...from, ...to]);
        }
        const rest = without(
          beside,
          marks.map(({ from, to }) => ({
            ...{ x: from[0] - 0.2, y: from[1] - 0.2 },
            ...{ width: to[0] - from[0] + 0.4, height: to[1] - from[1] + 0.4 },
          })),
        );
        expect(darkBounds(rest)).toEqual([rest.width, rest.height, 0, 0]);
      }
    },
  );

  it("has black ink alone, where it is asked for", async (context) => {
    await sayWhatIsMissing(context);
    const pdf = await printOn(inkSheet, { format: "L7160", ink: "k100", cutMarks: true });
    const coverage = await inkCoverage(pdf);
    // A good part of a code is black.
    const code = ((inkSheet.label.height - 2 * padding) * (modules - 2 * quietZone)) / modules;
    const codesShare = (labelsOn(inkSheet) * code ** 2) / (inkSheet.page.width * inkSheet.page.height);
    for (const { k, ...others } of coverage ?? []) {
      expect(others).toEqual({ c: 0, m: 0, y: 0 });
      expect(k / codesShare).toBeGreaterThan(0.4);
      expect(k / codesShare).toBeLessThan(0.7);
    }
    expect(coverage?.length ?? 1).toBe(1);
  });
});
