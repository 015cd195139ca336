import { text } from "node:stream/consumers";
import type { Browser, FrameLocator, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { sample } from "../../support/runner/runs.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
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

/** Opens or closes a part of the page in the list. */
const press = (tab: Tab, part: string) => tab.locator(`details[data-part="${part}"] > summary`).click();

/** Fills in a field of an entry of the editor. */
const fill = (tab: Tab, id: string, text: string) => tab.locator(`[id="${id}"]`).fill(text);

describe("a hosted page", () => {
  it("is made, moved into order by keyboard and pointer, previewed, scanned, filled in and read", async () => {
    await OwnWorkspace.create("page-editor");
    const errors: string[] = [];
    const tab = await openTab(browser, sharedService(), "page-editor", { acceptDownloads: true }, errors);
    await tab.getByRole("link", { name: "Pages", exact: true }).click();
    await tab.getByRole("link", { name: "New page" }).click();
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
    const handles = tab.locator('[aria-labelledby="blocks-title"] [data-handle]');
    const [from, to] = await Promise.all([handles.nth(2).boundingBox(), handles.nth(0).boundingBox()]);
    if (from === null || to === null) throw new Error("a handle is not shown");
    await tab.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await tab.mouse.down();
    await tab.mouse.move(to.x + 5, to.y - 5, { steps: 8 });
    await tab.mouse.up();
    await expect.poll(() => blocksOf(tab)).toEqual(["Second", "First", "Third"]);
    expect(await tab.locator("#live").textContent()).toBe("Link is at position 1 of 3");

    await press(tab, "look");
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
    await tab.getByRole("button", { name: "Create page" }).first().click();
    await tab.getByText("Page created.").waitFor();

    await tab.getByRole("link", { name: "Create code" }).click();
    await tab.getByRole("button", { name: "Create code" }).click();
    const scanUrl = (await tab.locator(".short-link .address").getAttribute("href")) ?? "";
    const visitors = await browser.newContext(phone);
    const visitor = await visitors.newPage();
    await visitor.goto(scanUrl);
    expect(await visitor.locator("main > p, main > a").allInnerTexts()).toEqual(["Second", "First", "Third"]);
    await visitor.getByLabel("Your name").fill("Ada Lovelace");
    // A form that is sent at once is shown again, filled in.
    await expect
      .poll(
        async () => {
          const send = visitor.getByRole("button", { name: "Send" });
          if (await send.isVisible()) await send.click();
          return visitor.url();
        },
        { timeout: 20_000 },
      )
      .toMatch(/\/sent$/);
    await visitors.close();

    await tab.getByRole("link", { name: "Pages", exact: true }).click();
    await tab.getByRole("link", { name: "1 submission" }).click();
    await tab.getByLabel("Search answers").fill("LOVE");
    await tab.getByLabel("Search answers").press("Enter");
    await tab.getByRole("cell", { name: "Ada Lovelace" }).waitFor();
    const [download] = await Promise.all([
      tab.waitForEvent("download"),
      tab.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    expect(await text(await download.createReadStream())).toContain(",Ada Lovelace");
    await tab.getByRole("link", { name: "Erase all results" }).click();
    await tab.getByRole("button", { name: "Erase", exact: true }).click();
    await tab.getByText("No submissions yet").waitFor();
    // The browser reports the refused form itself, and that the test's own look into the preview was a script there.
    expect(errors.filter((text) => !/400|^Blocked script execution/.test(text))).toEqual([]);
    await tab.context().close();
  });

  it("is put into order by a finger", async () => {
    await OwnWorkspace.create("page-editor-touch");
    const tab = await openTab(browser, sharedService(), "page-editor-touch", phone);
    await tab.goto(`${sharedService().dashboard}/pages/new`);
    await tab.getByLabel("Title", { exact: true }).fill("Touched");
    for (const [i, text] of ["First", "Second", "Third"].entries()) {
      await add(tab, "blocks", "Text", i + 1);
      await fill(tab, `blocks.${i}.text`, text);
    }
    const handles = tab.locator('[aria-labelledby="blocks-title"] [data-handle]');
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
      const name = `page-parts-${options.viewport.width}`;
      const workspace = await OwnWorkspace.create(name);
      const blocks = ["First", "Second"].map((text) => ({ type: "text", text }));
      const form = { fields: [{ type: "email", name: "email", label: "Your email" }] };
      const input = {
        title: "Fair",
        blocks: [...blocks, { type: "link", label: "Third", url: "a.example" }],
        form,
      };
      const page = await readStrictly(workspace.callDeveloper("POST", "/pages", input), 201, Page);
      const errors: string[] = [];
      const tab = await openTab(browser, sharedService(), name, options, errors);
      const address = `${sharedService().dashboard}/pages/${page.id}/edit`;
      await tab.goto(address);
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

      await tab.getByRole("button", { name: "Save draft" }).first().click();
      await tab.getByText("Draft saved.").waitFor();
      const visitor = await browser.newPage();
      await visitor.goto(page.url);
      expect(await visitor.getByRole("link", { name: "Third" }).count()).toBe(1);
      await tab.getByText("saved a draft on").waitFor();
      expect(await tab.locator("[id='blocks.2.label']").inputValue()).toBe("Changed");
      await tab.getByRole("button", { name: "Publish" }).first().click();
      await tab.getByText("Page published.").waitFor();
      await visitor.reload();
      expect(await visitor.getByRole("link", { name: "Changed" }).count()).toBe(1);
      await visitor.context().close();
      expect(errors).toEqual([]);
      await tab.context().close();
    },
  );

  it("is made without scripts, and previewed by a button", async () => {
    await OwnWorkspace.create("page-editor-plain");
    const errors: string[] = [];
    const options = { javaScriptEnabled: false };
    const tab = await openTab(browser, sharedService(), "page-editor-plain", options, errors);
    await tab.goto(`${sharedService().dashboard}/pages/new`);
    await tab.getByLabel("Title", { exact: true }).fill("Plain fair");
    await tab.getByRole("button", { name: "Add: Text" }).first().click();
    await fill(tab, "blocks.0.text", "First");
    await tab.getByRole("button", { name: "Add: Text" }).first().click();
    await fill(tab, "blocks.1.text", "Second");
    await tab.getByRole("button", { name: "Move Text 2 up" }).click();
    expect(await tab.locator('[id="blocks.0.text"]').inputValue()).toBe("Second");
    await tab.getByRole("button", { name: "Show preview" }).click();
    await previewOf(tab).getByRole("heading", { name: "Plain fair" }).waitFor();
    expect(await blocksOf(tab)).toEqual(["Second", "First"]);
    expect(await tab.getByLabel("Title", { exact: true }).inputValue()).toBe("Plain fair");
    await press(tab, "texts");
    await tab.getByLabel("Title", { exact: true }).press("Enter");
    await tab.getByText("Page created.").waitFor();
    expect(errors).toEqual([]);
    await tab.context().close();
  });
});
