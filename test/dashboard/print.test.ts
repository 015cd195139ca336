import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { Browser } from "../support/browser.ts";
import { goodItems, insertCodes } from "../support/bulk.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { readPdf } from "../support/images/pdf.ts";
import { PrintHarness } from "../support/images/prints.ts";
import { darkBounds } from "../support/images/rasters.ts";
import type { Client } from "../support/service.ts";
import { readZip } from "../support/zip.ts";

const harness = new PrintHarness();
const { service } = harness;
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
    const list = await pageAt(browser, "/dashboard/codes?q=table");
    for (const address of [desk, `${desk}/images`]) {
      expect(list).toContain(`formaction="${address}"`);
      expect(list).toContain(`href="${address}?all=on&amp;q=table"`);
      expect(await pageAt(browser, `${address}?all=on&q=table`)).toMatch(/2 (labels on 1 page|images)/);
    }
    const shown = await browser.submit(desk, { q: "", id: code?.id ?? "" });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("Print labels")]);
    const nothing = await browser.submit(desk, { q: "" });
    expect(await nothing.text()).toContain("No codes selected");
  });

  it("shows the sheet, on which one chooses the first label, and the first page", async () => {
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

  it("names the labels on which signs stand for characters that the font lacks, and prints them", async () => {
    const own = await signedIn(service);
    const names = ["Table 1", "菜单", "🍜", "הז", "a菜", "b菜", "c菜"];
    const made: Qr[] = [];
    for (const name of names) made.push(await own.client.createQr({ name }));
    const ids = made.map((each) => each.id).join(" ");
    const path = `${desk}?captions=name&ids=${encodeURIComponent(ids)}`;
    const page = await pageAt(own.browser, path);
    expect(page).toContain("Our font lacks some characters, so □ is printed for them:");
    expect(page).toContain("<li>菜单: “菜” (U+83DC), “单” (U+5355)</li>");
    expect(page).not.toContain("<li>Table 1");
    expect([page.match(/<li>[^<]*U\+/g)?.length, page.includes("And 1 other label.")]).toEqual([5, true]);
    expect(await pageAt(own.browser, `${desk}?ids=${encodeURIComponent(ids)}`)).not.toContain("Our font");
    const pdf = await own.browser.submit(desk, { ...fieldsOf(page), captions: "name", file: "pdf" });
    expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
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
    const images = fieldsOf(await pageAt(browser, `${desk}/images?ids=${encodeURIComponent(idsOf())}`));
    const zip = await browser.submit(`${desk}/images`, { ...images, images: "png", mm: "20", file: "zip" });
    expect(zip.headers.get("content-type")).toBe("application/zip");
    const files = readZip(new Uint8Array(await zip.arrayBuffer()));
    const [image] = files.values();
    expect([...(files.get("codes.csv") ?? [])].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
    const merge = { ...images, images: "svg", encoding: "on", file: "zip" };
    const forMerge = await browser.submit(`${desk}/images`, merge);
    const table = readZip(new Uint8Array(await forMerge.arrayBuffer())).get("codes.csv");
    expect(new TextDecoder("utf-16le").decode(table)).toMatch(/^name,scanUrl,file,error,@image\r\n/);
    const own = await client.send("GET", `/qr/${codes[0]?.id}/image?format=png&mm=20`);
    expect(image).toEqual(new Uint8Array(await own.arrayBuffer()));
  });

  it("says what is wrong with an image beside its field", async () => {
    const fields = { ids: idsOf(), images: "png", mm: "2500" };
    const refused = await browser.submit(`${desk}/images`, { ...fields, file: "zip" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("Width in mm must be a number of millimetres from 5 to 2000");
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
    expect(roll).toContain('name="sheet.rotate"');
    expect(own).not.toContain('name="sheet.rotate"');
  });

  it("turns the labels of a roll, which the first page shows", async () => {
    const sheet = { "sheet.label.width": "62", "sheet.label.height": "29", "sheet.rotate": "90" };
    const fields = { ids: idsOf(), format: "roll", captions: "name", ...sheet };
    const page = await pageAt(browser, `${desk}?${new URLSearchParams(fields)}`);
    expect(fieldsOf(page)).toMatchObject(sheet);
    const [, address = ""] = /<img src="([^"]*page\.svg[^"]*)"/.exec(page) ?? [];
    const image = await browser.open(address.replaceAll("&amp;", "&"));
    const svg = await image.text();
    expect(svg).toContain('viewBox="0 0 29 62" width="29mm" height="62mm"');
    const shown = await rasterise("svg", Uint8Array.from(new TextEncoder().encode(svg)), 290);
    const pdf = await browser.submit(desk, { ...fields, file: "pdf" });
    const [first, ...others] = await readPdf(new Uint8Array(await pdf.arrayBuffer()));
    expect(others).toHaveLength(1);
    const drawn = new TextEncoder().encode(first?.svg ?? "");
    const printed = await rasterise("svg", Uint8Array.from(drawn), 290);
    expect(
      darkBounds(shown).map((bound, index) => Math.abs(bound - (darkBounds(printed)[index] ?? 0))),
    ).toEqual([0, 0, 0, 0]);
    expect(await readWithZxing(shown)).toEqual([codes[0]?.scanUrl]);
    const refused = await browser.submit(desk, { ...fields, "sheet.rotate": "45", file: "pdf" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("Turn for the printer must be 0, 90, 180 or 270"),
    ]);
  });
});

describe("a print of more than 100 codes", () => {
  const count = 101;

  /** The path of the page that an answer leads to. */
  const led = (answer: Response) => new URL(answer.headers.get("location") ?? "").pathname;

  /** A workspace with many codes of a finished import. */
  let its: SignedInBrowser;
  let importId: string;
  beforeAll(async () => {
    its = await signedIn(service);
    const imported = await harness.json(its.client, goodItems(count));
    ({ jobId: importId } = await harness.run(its.client, imported));
  });

  /** The browser of another workspace with as many codes. */
  async function anotherBrowser(): Promise<Browser> {
    const another = await signedIn(service);
    await insertCodes(another.client, count);
    return another.browser;
  }

  it.each([
    ["images", `${desk}/images`, "zip", "Prepare images of 101 codes"],
    ["labels", desk, "pdf", "Prepare labels for 101 codes"],
  ] as const)("is a job that leads from the import to the file: %s", async (kind, path, file, title) => {
    const { browser: own } = its;
    harness.clock.advance(1);
    const earlier = linksOf(await pageAt(own, "/dashboard/jobs"), "name");
    expect(earlier.at(-1)).toBe(`/dashboard/jobs/${importId}`);
    expect(await pageAt(own, `/dashboard/jobs/${importId}`)).toContain(`href="${path}?job=${importId}"`);
    const form = await pageAt(own, `${path}?job=${importId}`);
    expect(form).toContain("Preparing 101 codes takes a moment.");
    const begun = await own.submit(path, { ...fieldsOf(form), file });
    const address = led(begun);
    const again = await own.submit(path, { ...fieldsOf(form), file });
    expect([begun.status, led(again)]).toEqual([303, address]);

    const waiting = await pageAt(own, address);
    expect(waiting).toContain(`<h1>${title}</h1>`);
    expect(waiting).toContain(`hx-get="${address}/progress"`);
    expect(waiting).toContain("Reload to see the progress");
    expect(waiting).toContain(
      kind === "images" ? "<dd>SVG</dd>" : "<dd>Labels on Avery L7160, Herma 4677</dd>",
    );
    expect(linksOf(await pageAt(own, "/dashboard/jobs"), "name")).toEqual([address, ...earlier]);
    await harness.printSlices();
    expect(await pageAt(own, `${address}/progress`)).toMatch(/(100|84) of 101/);
    await harness.printAll();
    expect(await pageAt(own, `${address}/progress`)).not.toContain("hx-trigger");
    const done = await pageAt(own, address);
    expect(done).toContain(`href="${address}/file"`);
    const saved = await own.open(`${address}/file`);
    const day = new Date(harness.clock.now()).toISOString().slice(0, 10);
    expect(saved.headers.get("content-disposition")).toBe(
      `attachment; filename="${kind === "images" ? "qr-codes" : "labels"}-${day}.zip"`,
    );
    const files = readZip(new Uint8Array(await saved.arrayBuffer()));
    expect(files.size).toBe(kind === "images" ? count + 1 : 3);

    const stranger = await signedIn(service);
    for (const page of ["", "/progress", "/file"]) await pageAt(stranger.browser, `${address}${page}`, 404);
    expect((await stranger.browser.submit(`${address}/remove`, {})).status).toBe(404);
    const removed = await own.submit(`${address}/remove`, {});
    expect(led(removed)).toBe(address);
    expect(await pageAt(own, address)).toContain("The file was removed.");
    await pageAt(own, `${address}/file`, 404);
    expect((await its.client.send("GET", `/qr/print-jobs/${address.split("/").at(-1)}`)).status).toBe(200);
  });

  it("says on the form that too many are queued, and keeps its input", async () => {
    const own = await anotherBrowser();
    const path = `${desk}/images`;
    const start = async () => {
      const form = fieldsOf(await pageAt(own, `${path}?all=on&q=`));
      return own.submit(path, { ...form, images: "png", size: "1024", file: "zip" });
    };
    const details = await pageAt(own, led(await start()));
    expect(details).toContain("<dd>PNG, 1024 px</dd>");
    for (let queued = 1; queued < limits.printJob.unfinished; queued++)
      expect((await start()).status).toBe(303);
    const refused = await start();
    const page = await refused.text();
    expect(refused.status).toBe(429);
    expect(page).toContain("at most 5 print jobs queued. Wait until one ends. Try again in 60 seconds.");
    expect(page).toContain('<option value="1024" selected="">');
  });

  it("has as many codes as its page said, or the page says how many there are now", async () => {
    const its = await signedIn(service);
    await insertCodes(its.client, count);
    const path = `${desk}/images`;
    const form = fieldsOf(await pageAt(its.browser, `${path}?all=on&q=`));
    await its.client.createQr({ name: "Terrace" });
    const answer = await its.browser.submit(path, { ...form, file: "zip" });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    const found = count + 1;
    expect(page).toContain(
      `The search finds ${found} codes now. There were ${count} when you opened the page.`,
    );
    const again = await its.browser.submit(path, { ...fieldsOf(page), file: "zip" });
    expect(await pageAt(its.browser, led(again))).toContain(`${found} codes`);
  });

  it("can be cancelled", async () => {
    const own = await anotherBrowser();
    // Those of other tests, which would be made, too.
    harness.prints.length = 0;
    const path = `${desk}/images`;
    const begun = await own.submit(path, {
      ...fieldsOf(await pageAt(own, `${path}?all=on&q=`)),
      file: "zip",
    });
    const address = led(begun);
    await own.submit(`${address}/cancel`, {});
    expect(await pageAt(own, address)).toContain("Cancelled");
    expect(await pageAt(own, "/dashboard/jobs")).toContain("Cancelled");
    await harness.printAll();
    await pageAt(own, `${address}/file`, 404);
  });

  it("shows the first page of its labels, and how many there are", async () => {
    const page = await pageAt(its.browser, `${desk}?all=on&q=&copies=2&start=5`);
    expect(page).toContain("202 labels on 10 pages");
    const [, address = ""] = /<img src="([^"]*page\.svg[^"]*)"/.exec(page) ?? [];
    const image = await its.browser.open(address.replaceAll("&amp;", "&"));
    expect((await image.text()).match(/<svg /g)).toHaveLength(1 + 17);
  });
});
