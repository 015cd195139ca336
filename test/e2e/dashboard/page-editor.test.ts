import type { Browser, FrameLocator, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Page, PageList } from "../../../src/contract/resources/pages.ts";
import { sample } from "../../support/runner/runs.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser: Browser;
let workspace: OwnWorkspace;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("page-editor"), openBrowser()]);
});
afterAll(() => browser?.close());

/** The page in the drawn phone: in the newest frame, which replaces the one before it once it has loaded. */
const previewOf = (tab: Tab): FrameLocator => tab.frameLocator("iframe >> nth=-1");

/** The texts of the preview's blocks, in their order. */
const blocksOf = (tab: Tab): Promise<string[]> =>
  previewOf(tab).locator("main > p, main > a").allInnerTexts();

/** Adds a block, and waits until the focus is in it. */
async function add(tab: Tab, list: "blocks" | "fields", name: string, place: number): Promise<void> {
  const section = tab.getByRole("region", { name: list === "blocks" ? "Blocks" : "Form" });
  await section.getByRole("button", { name: `Add: ${name}` }).click();
  const first = section
    .locator("[data-entry]")
    .nth(place - 1)
    .locator(".entry")
    .first();
  await first.waitFor();
  await expect.poll(() => first.evaluate((each) => each === document.activeElement)).toBe(true);
}

/** Fills in a field of an entry of the editor. */
const fill = (tab: Tab, id: string, text: string) => tab.locator(`[id="${id}"]`).fill(text);

/** The handles by which blocks are moved. */
const handlesOf = (tab: Tab) => tab.locator('[aria-labelledby="blocks-title"] [data-handle]');

/** A JPEG that is wider than a page needs and larger than an image may be, with where it was taken. */
async function takePhoto(tab: Tab): Promise<Buffer> {
  const base64 = await tab.evaluate(() => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 1800, height: 1000 });
    const context = canvas.getContext("2d");
    const noise = new ImageData(1800, 1000);
    for (let i = 0; i < noise.data.length; i += 65_536)
      crypto.getRandomValues(noise.data.subarray(i, i + 65_536));
    noise.data.forEach((value, i) => {
      noise.data[i] = i % 4 === 3 ? 255 : 128 + (value % 32);
    });
    context?.putImageData(noise, 0, 0);
    return canvas.toDataURL("image/jpeg", 1).replace(/^.*,/, "");
  });
  const jpeg = Buffer.from(base64, "base64");
  const place = Buffer.from("Exif\0\0GPSLatitude");
  const segment = Buffer.from([0xff, 0xe1, 0, place.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, place, jpeg.subarray(2)]);
}

describe("a hosted page", () => {
  it("is made, moved into order by keyboard and pointer, previewed, given an image and shown", async () => {
    const errors: string[] = [];
    const tab = await openTab(browser, workspace, wide, errors);
    await tab.goto(`${workspace.service.dashboard}/pages/new`);
    await tab.getByRole("button", { name: "Create page" }).first().click();
    await tab.getByRole("link", { name: "Enter a title." }).waitFor();
    await previewOf(tab).getByRole("heading", { name: "Untitled page" }).waitFor();
    await tab.getByLabel("Title", { exact: true }).fill("Summer fair");
    await add(tab, "blocks", "Text", 1);
    await fill(tab, "blocks.0.text", "First");
    await add(tab, "blocks", "Link", 2);
    await fill(tab, "blocks.1.label", "Second");
    await fill(tab, "blocks.1.url", "example.com");
    await add(tab, "blocks", "Text", 3);
    await fill(tab, "blocks.2.text", "Third");
    await previewOf(tab).getByRole("heading", { name: "Summer fair" }).waitFor();
    await expect.poll(() => blocksOf(tab)).toEqual(["First", "Second", "Third"]);
    await expect.poll(() => tab.locator("iframe").count()).toBe(1);

    // By keyboard: the focus stays on the button of the block that moved.
    const up = tab.getByRole("button", { name: "Move Text 3 up" });
    await up.focus();
    await tab.keyboard.press("Enter");
    await expect.poll(() => blocksOf(tab)).toEqual(["First", "Third", "Second"]);
    expect(await tab.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, " "))).toContain(
      "Move Text 2 up",
    );
    expect(await tab.locator("#live").textContent()).toBe("Text is at position 2 of 3");

    // By pointer: the last one is dragged above the first.
    const handles = handlesOf(tab);
    const [from, to] = await Promise.all([handles.nth(2).boundingBox(), handles.nth(0).boundingBox()]);
    if (from === null || to === null) throw new Error("a handle is not shown");
    await tab.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await tab.mouse.down();
    await tab.mouse.move(to.x + 5, to.y - 5, { steps: 8 });
    await tab.mouse.up();
    await expect.poll(() => blocksOf(tab)).toEqual(["Second", "First", "Third"]);
    expect(await tab.locator("#live").textContent()).toBe("Link is at position 1 of 3");

    await tab.locator('details[data-part="look"] > summary').click();
    await tab.getByLabel("Buttons", { exact: true }).fill("#eeeeee");
    await tab.getByText("Buttons on the background: 1.16:1, hard to read: needs 3:1").waitFor();
    await tab.getByLabel("Buttons", { exact: true }).fill("#14532d");
    await tab.getByText(/Buttons on the background: 9\.\d+:1, readable/).waitFor();
    // The pictures of the looks follow.
    await expect.poll(() => tab.locator("#look-bold rect[fill='#14532d']").count()).toBe(2);
    await add(tab, "fields", "Short text", 1);
    await fill(tab, "form.fields.0.label", "Your name");
    await tab.getByLabel("Required").check();
    await previewOf(tab).getByLabel("Your name").waitFor();
    const report = await previewOf(tab).getByRole("link", { name: "Report this page" }).boundingBox();
    expect(report).not.toBeNull();

    // A photo is scaled down before it is uploaded, and loses the place it was taken at.
    const photo = await takePhoto(tab);
    expect(photo.length).toBeGreaterThan(1_000_000);
    await tab.getByRole("button", { name: "Add: Image" }).click();
    const block = tab.locator('[aria-labelledby="blocks-title"] [data-entry]').nth(3);
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      block.getByLabel("Drop an image here").setInputFiles({ name, mimeType, buffer });
    await choose("photo.jpg", "image/jpeg", photo);
    const address = block.getByLabel("Image URL");
    await expect.poll(() => address.inputValue()).toContain("/developer/page-images/");
    expect(await block.locator("summary").innerText()).toContain("Uploaded image");
    await block.getByLabel("Alt text").fill("The stalls");
    const shown = previewOf(tab).getByRole("img", { name: "The stalls" });
    await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1600);
    // Another file is refused beside its field, and nothing is lost.
    await choose("notes.png", "image/png", Buffer.from("notes"));
    await block.getByText("must be a PNG, JPEG, GIF, WebP or AVIF file").waitFor();
    expect(await block.getByLabel("Alt text").inputValue()).toBe("The stalls");
    expect(await tab.getByLabel("Title", { exact: true }).inputValue()).toBe("Summer fair");
    await tab.getByRole("button", { name: "Create page" }).first().click();
    await tab.getByText("Page created.").waitFor();

    const { items } = await readStrictly(workspace.callDeveloper("GET", "/pages"), 200, PageList);
    await tab.goto(items[0]?.url ?? "");
    expect(await tab.locator("main > p, main > a").allInnerTexts()).toEqual(["Second", "First", "Third"]);
    const image = tab.getByRole("img", { name: "The stalls" });
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1600);
    const source = await image.evaluate((img: HTMLImageElement) => img.src);
    const file = Buffer.from(await (await fetch(source)).arrayBuffer());
    expect(file.length).toBeLessThan(700 * 1024);
    expect(file.includes("GPSLatitude")).toBe(false);
    // The browser reports what was refused itself, and that the test's own look into the preview was a script there.
    expect(errors.filter((text) => !/400|^Blocked script execution/.test(text))).toEqual([]);
    await tab.context().close();
  });

  it("is put into order by a finger", async () => {
    const tab = await openTab(browser, workspace, phone);
    await tab.goto(`${workspace.service.dashboard}/pages/new`);
    for (const [i, text] of ["First", "Second", "Third"].entries()) {
      await add(tab, "blocks", "Text", i + 1);
      await fill(tab, `blocks.${i}.text`, text);
    }
    const handles = handlesOf(tab);
    await handles.nth(1).evaluate((each) => each.scrollIntoView({ block: "center" }));
    const [from, to] = await Promise.all([handles.nth(2).boundingBox(), handles.nth(0).boundingBox()]);
    if (from === null || to === null) throw new Error("a handle is not shown");
    const finger = await tab.context().newCDPSession(tab);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
      finger.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: y === undefined ? [] : [{ x: from.x + from.width / 2, y }],
      });
    await touch("touchStart", from.y + 10);
    for (let step = 1; step <= 10; step += 1) {
      await touch("touchMove", from.y + 10 + ((to.y - from.y - 20) * step) / 10);
    }
    await touch("touchEnd");
    await expect.poll(() => blocksOf(tab)).toEqual(["Third", "First", "Second"]);
    await tab.context().close();
  });

  it.each(sample([wide, phone], 2))(
    "is changed where it is seen, kept as a draft and published: %j",
    async (options) => {
      const blocks = ["First", "Second"].map((text) => ({ type: "text", text }));
      const form = { fields: [{ type: "email", name: "email", label: "Your email" }] };
      const input = {
        title: "Fair",
        blocks: [...blocks, { type: "link", label: "Third", url: "a.example" }],
        form,
      };
      const page = await readStrictly(workspace.callDeveloper("POST", "/pages", input), 201, Page);
      const errors: string[] = [];
      const tab = await openTab(browser, workspace, options, errors);
      await tab.goto(`${workspace.service.dashboard}/pages/${page.id}/edit`);
      const openParts = () =>
        tab.locator("details[data-part][open]").evaluateAll((all) => all.map((each) => each.dataset.part));
      const chosen = () =>
        previewOf(tab)
          .locator("[data-chosen]")
          .evaluateAll((all) => all.map((each) => each.getAttribute("data-part") ?? each.tagName));
      const focused = () => tab.evaluate(() => document.activeElement?.id);
      /** Presses a part in the drawn phone, which scrolls to it first. */
      const choose = async (part: string) => {
        await expect.poll(() => tab.locator("iframe").count()).toBe(1);
        const inPhone = previewOf(tab).locator(`[data-part="${part}"]`).first();
        await tab.locator("[data-screen]").evaluate((each) => each.scrollIntoView({ block: "center" }));
        const [top, height] = await inPhone.evaluate((each) => {
          const box = each.getBoundingClientRect();
          return [box.top, box.height];
        });
        await tab.locator("[data-screen]").evaluate((each, to) => each.scrollTo(0, to), top - 100);
        const box = await inPhone.boundingBox();
        if (box === null) throw new Error(`${part} is not shown`);
        await tab.mouse.click(box.x + box.width / 2, box.y + Math.min(height, 40) / 2);
      };
      expect(await openParts()).toEqual([]);
      for (const [part, field] of [
        ["blocks.1", "blocks.1.text"],
        ["texts", "title"],
        ["form.fields.0", "form.fields.0.label"],
        ["blocks.2", "blocks.2.label"],
      ] as const) {
        await choose(part);
        await expect.poll(openParts).toEqual([part]);
        expect(await focused()).toBe(field);
        expect(await chosen()).toContain(part);
      }
      await fill(tab, "blocks.2.label", "Changed");
      await previewOf(tab).getByRole("link", { name: "Changed" }).waitFor();
      expect(await tab.locator("details[data-part='blocks.2'] .part-text").textContent()).toBe("Changed");
      expect(await chosen()).toEqual(["blocks.2"]);

      // By keyboard: the list's lines are buttons.
      await tab.locator("details[data-part='blocks.0'] > summary").focus();
      await tab.keyboard.press("Enter");
      await expect.poll(openParts).toEqual(["blocks.0"]);
      await expect.poll(chosen).toEqual(["blocks.0"]);
      await tab.keyboard.press("Tab");
      expect(await focused()).toBe("blocks.0.text");

      const published = async () => (await fetch(page.url)).text();
      await tab.getByRole("button", { name: "Save draft" }).first().click();
      await tab.getByText("Draft saved.").waitFor();
      expect(await published()).toContain("Third");
      await tab.getByText("saved a draft on").waitFor();
      expect(await tab.locator("[id='blocks.2.label']").inputValue()).toBe("Changed");
      await tab.getByRole("button", { name: "Publish" }).first().click();
      await tab.getByText("Page published.").waitFor();
      expect(await published()).toContain("Changed");
      expect(errors).toEqual([]);
      await tab.context().close();
    },
  );
});
