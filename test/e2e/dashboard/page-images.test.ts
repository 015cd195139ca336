import type { Browser, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PageList } from "../../../src/contract/resources/pages.ts";
import { onePixel } from "../../../src/contract/resources/images/one-pixel.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { fetchAs, openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** A JPEG of several megabytes, as phones take them, with where it was taken. */
async function takePhoto(tab: Tab): Promise<Buffer> {
  const base64 = await tab.evaluate(() => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 3200, height: 2000 });
    const context = canvas.getContext("2d");
    const noise = new ImageData(3200, 2000);
    for (let i = 0; i < noise.data.length; i += 65_536)
      crypto.getRandomValues(noise.data.subarray(i, i + 65_536));
    noise.data.forEach((value, i) => {
      noise.data[i] = i % 4 === 3 ? 255 : 128 + (value % 32);
    });
    context?.putImageData(noise, 0, 0);
    return canvas.toDataURL("image/jpeg", 0.95).replace(/^.*,/, "");
  });
  const jpeg = Buffer.from(base64, "base64");
  const place = Buffer.from("Exif\0\0GPSLatitude");
  const segment = Buffer.from([0xff, 0xe1, 0, place.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, place, jpeg.subarray(2)]);
}

it("an image is chosen in the editor, scaled down without the place it was taken at, and published", async () => {
  await OwnWorkspace.create("page-images");
  const errors: string[] = [];
  const { origin } = sharedService();
  const tab = await openTab(browser, sharedService(), "page-images", {}, errors);
  const photo = await takePhoto(tab);
  expect(photo.length).toBeGreaterThan(2_000_000);
  await tab.goto(`${sharedService().dashboard}/pages/new`);
  await tab.getByLabel("Title", { exact: true }).fill("Summer fair");
  await tab.getByRole("button", { name: "Add: Image" }).click();
  const block = tab.locator("[data-entry]");
  const chosen = { name: "photo.jpg", mimeType: "image/jpeg", buffer: photo };
  await block.getByLabel("Drop an image here").setInputFiles(chosen);
  await expect.poll(() => block.getByLabel("Image URL").inputValue()).toContain("/developer/page-images/");
  expect(await tab.getByLabel("Title", { exact: true }).inputValue()).toBe("Summer fair");
  expect(await block.locator("summary").innerText()).toContain("Uploaded image");
  await block.getByLabel("Alt text").fill("The stalls");
  const shown = tab.frameLocator("iframe >> nth=-1").getByRole("img", { name: "The stalls" });
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1600);
  // Another file is refused beside its field, and nothing is lost.
  const wrong = { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("notes") };
  await block.getByLabel("Drop an image here").setInputFiles(wrong);
  await block.getByText("must be a PNG, JPEG, GIF, WebP or AVIF file").waitFor();
  expect(await block.getByLabel("Alt text").inputValue()).toBe("The stalls");
  await tab.getByRole("button", { name: "Create page" }).first().click();
  await tab.getByText("Page created.").waitFor();

  const { items } = PageList.parse(
    await (await fetchAs(tab.context(), `${origin}/api/v1/developer/pages`)).json(),
  );
  const visit = await browser.newPage();
  await visit.goto(items[0]?.url ?? "");
  const image = visit.getByRole("img", { name: "The stalls" });
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1600);
  const source = await image.evaluate((img: HTMLImageElement) => img.src);
  const file = Buffer.from(await (await fetch(source)).arrayBuffer());
  expect(file.length).toBeLessThan(700 * 1024);
  expect(file.includes("GPSLatitude")).toBe(false);
  // The browser reports the refused file itself.
  expect(errors.filter((text) => !text.includes("400"))).toEqual([]);
  await visit.close();
  await tab.context().close();
});

it("without scripts, images are uploaded by a button, and stay with what was entered", async () => {
  await OwnWorkspace.create("page-images-plain");
  const tab = await openTab(browser, sharedService(), "page-images-plain", { javaScriptEnabled: false });
  await tab.goto(`${sharedService().dashboard}/pages/new`);
  await tab.getByLabel("Title", { exact: true }).fill("Summer fair");
  await tab.getByRole("button", { name: "Add: Image" }).click();
  const png = {
    name: "top.png",
    mimeType: "image/png",
    buffer: Buffer.from(onePixel.replace(/^.*,/, ""), "base64"),
  };
  await tab.locator('details[data-part="header"] > summary').click();
  const header = tab.locator('details[data-part="header"]');
  await header.getByLabel("Drop an image here").setInputFiles(png);
  const block = tab.locator("[data-entry]");
  await block.locator("summary").click();
  await block.getByLabel("Drop an image here").setInputFiles(png);
  await block.getByRole("button", { name: "Upload" }).click();
  for (const field of ["header.url", "blocks.0.url"])
    expect(await tab.locator(`[id="${field}"]`).inputValue()).toContain("/developer/page-images/");
  expect(await tab.getByLabel("Title", { exact: true }).inputValue()).toBe("Summer fair");
  await tab.getByRole("button", { name: "Create page" }).first().click();
  await tab.getByText("Page created.").waitFor();
  await tab.context().close();
});
