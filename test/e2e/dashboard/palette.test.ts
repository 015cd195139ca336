import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFaults } from "../support/page-faults.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const signIn = (name: string, options: BrowserContextOptions = {}, errors: string[] = []): Promise<Page> =>
  openTab(browser, sharedService(), name, options, errors);

describe("the palette", () => {
  const chosen = (page: Page) => page.getByRole("dialog").getByRole("option", { selected: true });

  it("goes to a code by typing, arrow keys and Enter, and can be closed", async () => {
    const errors: string[] = [];
    const owner = await OwnWorkspace.create("palette");
    for (const name of ["Menu of the day", "Menu of the night"]) {
      const data = { type: "url", url: "https://example.com/" };
      await owner.service.send("POST", "/qr", { qrType: "url", name, data });
    }
    const page = await signIn("palette", {}, errors);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("dialog").getByRole("combobox");
    await expect.poll(() => field.evaluate((element) => element.matches(":focus"))).toBe(true);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/q=menu/, async (route) => {
      await answered;
      await route.continue();
    });
    await page.keyboard.type("men");
    await page.getByText("2 results").waitFor();
    expect(await chosen(page).textContent()).toContain("Menu of the night");
    await page.keyboard.type("u");
    await page.keyboard.press("ArrowDown");
    expect(await chosen(page).textContent()).toContain("Menu of the day");
    await page
      .locator("#go-options")
      .evaluate((list) => list.firstElementChild?.setAttribute("data-old", ""));
    answer();
    await page.locator("#go-options [data-old]").waitFor({ state: "detached" });
    await page.unroute(/q=menu/);
    expect(await chosen(page).textContent()).toContain("Menu of the day");
    const id = await chosen(page).getAttribute("id");
    expect(await field.getAttribute("aria-activedescendant")).toBe(id);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Menu of the day" }).waitFor();
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.getByRole("link", { name: "Search or go to", exact: false }).first().click();
    await page.getByRole("dialog", { name: "Search or go to" }).waitFor();
    // Once is enough, whatever was typed.
    await page.keyboard.type("upload csv");
    await page.getByText("1 result", { exact: true }).waitFor();
    expect(await chosen(page).textContent()).toContain("Import codes");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Search or go to" }).waitFor({ state: "hidden" });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("is a page without scripts", async () => {
    const page = await signIn("palette-plain", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "Search or go to", exact: false }).first().click();
    await page.locator("main").getByLabel("Search or go to").fill("settings");
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator("main").getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.context().close();
  });
});
