import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/qr.ts";
import { rasterise, readWithZxing } from "../support/decode.ts";
import type { Browser } from "../support/browser.ts";
import { fieldsOf, pageAt, signedIn } from "../support/dashboard.ts";
import { readPdf } from "../support/pdf.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let browser: Browser;
let client: Client;
let codes: Qr[];

beforeAll(async () => {
  ({ browser, client } = await signedIn(service));
  codes = [await client.createQr({ name: "Table 1" }), await client.createQr({ name: "Table 2" })];
});

const desk = "/dashboard/print";
const idsOf = () => codes.map(({ id }) => id).join(" ");

describe("the print desk", () => {
  it("is reached from a code, from the list's selection and from a job", async () => {
    const [code] = codes;
    expect(await pageAt(browser, `/dashboard/codes/${code?.id}`)).toContain(`href="${desk}?id=${code?.id}"`);
    expect(await pageAt(browser, "/dashboard/codes")).toContain(`formaction="${desk}"`);
    const shown = await browser.submit(desk, { q: "", id: code?.id ?? "" });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("Print labels")]);
    const nothing = await browser.submit(desk, { q: "" });
    expect(await nothing.text()).toContain("No codes selected");
  });

  it("shows the sheet, of which one chooses the first label, and the first page", async () => {
    const page = await pageAt(browser, `${desk}?ids=${encodeURIComponent(idsOf())}`);
    expect(page.match(/type="radio" name="start"/g)).toHaveLength(21);
    expect(page).toContain("2 labels on 1 page");
    const [, address = ""] = /<img src="([^"]*page\.svg[^"]*)"/.exec(page) ?? [];
    const image = await browser.open(address.replaceAll("&amp;", "&"));
    expect(image.headers.get("content-type")).toBe("image/svg+xml");
    const svg = new Uint8Array(await image.arrayBuffer());
    const read = await readWithZxing(await rasterise("svg", svg, 1400));
    expect(read.sort()).toEqual(codes.map(({ scanUrl }) => scanUrl).sort());
  });

  it("downloads labels as PDF and images as ZIP, without scripts", async () => {
    const page = await pageAt(browser, `${desk}?ids=${encodeURIComponent(idsOf())}`);
    const fields = { ...fieldsOf(page), format: "L7163", start: "14" };
    const pdf = await browser.submit(desk, { ...fields, file: "pdf" });
    expect([pdf.status, pdf.headers.get("content-disposition")]).toEqual([
      200,
      'attachment; filename="labels.pdf"',
    ]);
    expect(await readPdf(new Uint8Array(await pdf.arrayBuffer()))).toHaveLength(2);
    const zip = await browser.submit(desk, { ...fields, images: "png", file: "zip" });
    expect(zip.headers.get("content-type")).toBe("application/zip");
    expect(await zip.text()).toContain("table-1.png");
  });

  it("says what is wrong with a sheet beside its field, and keeps the input", async () => {
    const fields = { ids: idsOf(), format: "roll", "sheet.label.width": "14", "sheet.label.height": "14" };
    const refused = await browser.submit(desk, { ...fields, file: "pdf" });
    const page = await refused.text();
    expect(refused.status).toBe(400);
    expect(page).toContain("leaves 11 mm for a code, which needs 12.6 mm at 300 dpi. Use larger labels.");
    expect(fieldsOf(page)).toMatchObject(fields);
    const unknown = await browser.submit(desk, { ...fields, "sheet.label.width": "wide", file: "pdf" });
    expect(await unknown.text()).toContain("Width must be a number of millimetres from 5 to 1200");
  });

  it("shows the fields of the sheet that is chosen", async () => {
    const own = await pageAt(browser, `${desk}/sheet?format=own&sheet.columns=2&sheet.rows=4`);
    expect(own).toContain('name="sheet.pitch.x"');
    expect(own.match(/type="radio" name="start"/g)).toHaveLength(8);
    const roll = await pageAt(browser, `${desk}/sheet?format=roll`);
    expect(roll).toContain('name="sheet.label.width"');
    expect(roll).not.toContain('name="start"');
  });
});
