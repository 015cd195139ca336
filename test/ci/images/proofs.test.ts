import { beforeAll, describe, expect, it } from "vitest";
import { readBarcodes } from "zxing-wasm/reader";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Scannability } from "../../../src/contract/resources/images/scannability.ts";
import { readWithZxing } from "../../e2e/support/decode.ts";
import {
  canReadWithZbar,
  pdfRasterisers,
  readWithZbar,
  sayWhatIsMissing,
} from "../../e2e/support/printing-tools.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";
import { type Picture, readWithJsqr } from "../../support/images/decoders.ts";
import { crop } from "../../support/images/rasters.ts";

const dpi = 300;
const pixels = (millimetres: number): number => Math.round((millimetres / 25.4) * dpi);

/** The columns of a proof, one for each code, and where the codes end; millimetres. */
const columns = [0, 74, 135, 210] as const;
const below = 130;

const designs: readonly (readonly [name: string, style: object])[] = [
  ["a plain code", {}],
  [
    "a design with a frame and a gradient",
    {
      colorConfig: { dotsColor: "#0c4a6e", cornerColor: "#9a3412" },
      advanced: {
        modules: "rounded",
        eyeFrame: "rounded",
        gradient: { type: "linear", to: "#0e7490", angle: 45 },
        frame: { style: "label", text: "Scan me" },
      },
    },
  ],
  ["a small contrast on a colour", { colorConfig: { dotsColor: "#7f1d1d", backgroundColor: "#fef3c7" } }],
];

let workspace: OwnWorkspace;

beforeAll(async () => {
  workspace = await OwnWorkspace.create("proofs");
});

/** The width of a code's modules in millimetres, as ZXing finds it. */
async function moduleOf({ width, height, data }: Picture): Promise<number> {
  const picture = { width, height, data, colorSpace: "srgb" } as Parameters<typeof readBarcodes>[0];
  const [found] = await readBarcodes(picture, { formats: ["QRCode"] });
  if (found === undefined) throw new Error("no code");
  const { topLeft, topRight } = found.position;
  const side = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y);
  return ((side / dpi) * 25.4) / found.symbol.width;
}

describe("the proof of", () => {
  it.for(designs)(
    "%s has three codes of the stated widths that others read at 300 dpi",
    async ([, style], context) => {
      await sayWhatIsMissing(context);
      const { service } = workspace;
      const input = {
        qrType: "url",
        name: "Menu",
        data: { type: "url", url: "https://example.com" },
        ...style,
      };
      const { id, scanUrl } = await readStrictly(service.send("POST", "/qr", input), 201, Qr);
      const measured = await readStrictly(service.send("GET", `/qr/${id}/scannability`), 200, Scannability);
      const answer = await service.send("GET", `/qr/${id}/proof`);
      expect([
        answer.status,
        answer.headers.get("content-type"),
        answer.headers.get("content-disposition"),
      ]).toEqual([200, "application/pdf", 'attachment; filename="menu-proof.pdf"']);
      const pdf = new Uint8Array(await answer.arrayBuffer());
      const smallest = measured.print.find((each) => each.dpi === dpi)?.widthMillimeters ?? 0;
      const recommended = Math.max(20, Math.ceil(1.5 * smallest));
      const image = await (await service.send("GET", `/qr/${id}/image`)).text();
      expect(image).toContain(`viewBox="0 0 ${measured.modules} `);
      for (const rasterise of pdfRasterisers) {
        const [page, ...others] = await rasterise(pdf, dpi);
        if (page === undefined) throw new Error("no page");
        expect(others).toEqual([]);
        expect([page.width, page.height].map((side) => Math.round((side / dpi) * 25.4))).toEqual([210, 297]);
        for (const [i, width] of [smallest, recommended, 2 * recommended].entries()) {
          const [from, to] = [columns[i] ?? 0, columns[i + 1] ?? 0].map(pixels) as [number, number];
          const part = crop(page, { x: from, y: pixels(40), width: to - from, height: pixels(below - 40) });
          expect(await readWithZxing(part)).toEqual([scanUrl]);
          expect(readWithJsqr(part)).toBe(scanUrl);
          if (canReadWithZbar) expect(await readWithZbar(part)).toBe(scanUrl);
          expect(((await moduleOf(part)) * measured.modules) / width).toBeCloseTo(1, 1.5);
        }
      }
    },
  );
});
