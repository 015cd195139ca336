import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

let browser: Browser;
let path: string;

beforeAll(async () => {
  browser = await openBrowser();
  const owner = await OwnWorkspace.create("feedback");
  const data = { type: "url", url: "https://example.com/" };
  for (let i = 0; i < 30; i += 1)
    await owner.service.send("POST", "/qr", { qrType: "url", name: `Poster ${i}`, data });
  const created = await owner.service.send("POST", "/qr", { qrType: "url", name: "Menu", data });
  path = `/codes/${((await created.json()) as { id: string }).id}`;
});
afterAll(() => browser?.close());

const open = async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await openTab(browser, sharedService(), "feedback", options);
  await page.goto(sharedService().dashboard + address);
  return page;
};

/** Holds back the requests that match, until they are let go. */
async function holdBack(page: Page, method: string, matching: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(matching, async (route: Route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return resolve;
}

it("a page that is slow shows the progress bar", async () => {
  const page = await open("/folders");
  const opacity = () => page.locator("#progress").evaluate((bar) => getComputedStyle(bar).opacity);
  expect(await opacity()).toBe("0");
  const release = await holdBack(page, "GET", /\/dashboard\/tags$/);
  await page.getByRole("link", { name: "Tags" }).click();
  await expect.poll(opacity).toBe("1");
  release();
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
  expect(await opacity()).toBe("0");
  await page.context().close();
});

it("a page takes over no style that a script gave the one before, which its policy forbids", async () => {
  const errors: string[] = [];
  const page = await openTab(browser, sharedService(), "feedback", {}, errors);
  await page.goto(`${sharedService().dashboard}/folders`);
  await page.locator("#live").evaluate((element) => {
    element.style.minHeight = "1px";
  });
  await page.getByRole("link", { name: "Tags" }).click();
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

it("a button that was clicked is busy, and can't be clicked again", async () => {
  const page = await open("/codes/new");
  const release = await holdBack(page, "POST", /\/codes\/new/);
  await page.getByLabel("Where should it lead?").fill("example.com/busy");
  const button = page.getByRole("button", { name: "Create code", exact: true });
  const { width } = (await button.boundingBox()) ?? { width: 0 };
  await button.click();
  const busy = page.getByRole("button", { name: "Creating", exact: true });
  await busy.waitFor();
  expect(await busy.isDisabled()).toBe(true);
  expect((await busy.boundingBox())?.width).toBeCloseTo(width, 0);
  release();
  await page.getByText("Code created.").waitFor();
  await page.context().close();
});

it("a change is confirmed by a message that can undo it, and goes by itself or by a click", async () => {
  const page = await open(path);
  const status = page.locator("main").getByText("Paused", { exact: true });
  await page.locator("main summary[aria-label]").first().click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Code paused.").waitFor();
  await status.first().waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Code resumed.").waitFor();
  expect(await status.count()).toBe(0);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("Code resumed.").waitFor({ state: "detached" });
  await page.context().close();
});

it("without a network, and where the service fails, the page stays and a message says so", async () => {
  const page = await open("/codes/new");
  await page.getByLabel("Where should it lead?").fill("example.com/kept");
  const create = page.getByRole("button", { name: "Create code", exact: true });
  await page.context().setOffline(true);
  await create.click();
  await page.getByText("You're offline.").first().waitFor();
  await page.context().setOffline(false);
  await page.route(/\/codes\/new/, (route) => route.fulfill({ status: 500, body: "<h1>raw</h1>" }));
  await create.click();
  await page.getByText("Something went wrong on our side.").waitFor();
  expect(await page.getByText("raw").count()).toBe(0);
  expect(await page.getByLabel("Where should it lead?").inputValue()).toBe("example.com/kept");
  expect(await create.isEnabled()).toBe(true);
  await page.context().close();
});

it("entries that are not saved are asked about before one leaves", async () => {
  const page = await open("/codes/new");
  await page.getByLabel("Where should it lead?").fill("example.com/unsaved");
  const leave = () => page.getByRole("link", { name: "Folders" }).click();
  await leave();
  await page.getByRole("button", { name: "Keep editing" }).click();
  expect(await page.getByLabel("Where should it lead?").inputValue()).toBe("example.com/unsaved");
  await leave();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Folders" }).waitFor();
  await page.context().close();
});

it("Back returns to the place on the page that was left", async () => {
  const page = await open("/codes", { viewport: { width: 1280, height: 500 } });
  await page.getByRole("link", { name: "Poster 10", exact: true }).scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  expect(top).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Poster 10", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Poster 10" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Codes" }).waitFor();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
  await page.context().close();
});

it("a menu is walked by keys: Enter opens it, arrows move in it, Escape leads back to its button", async () => {
  const page = await open("/components");
  const button = page.locator(".scheme.light summary", { hasText: "Download" });
  await button.focus();
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toContain("SVG");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toContain("PNG");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toContain("SVG");
  await page.keyboard.press("Escape");
  expect(await focused()).toContain("Download");
  expect(await page.locator("details[data-menu][open]").count()).toBe(0);
  await button.click();
  await page.getByRole("heading", { level: 1 }).click();
  expect(await page.locator("details[data-menu][open]").count()).toBe(0);
  await page.context().close();
});

it("on a phone, the content begins below one row, and the bar at the foot leads everywhere", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await open("/codes", phone);
  const content = page.locator("main > :not(.head, #refused, script)").first();
  expect((await content.boundingBox())?.y).toBeLessThanOrEqual(72);
  const row = page.locator("body > header");
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(57);
  expect(await row.getByText("Codes").boundingBox()).toMatchObject({ x: expect.any(Number) });
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Codes");
  const bar = page.getByRole("navigation", { name: "Areas" });
  for (const name of ["Pages", "Overview", "Codes"]) {
    await bar.getByRole("link", { name }).click();
    await expect.poll(() => bar.getByRole("link", { name }).getAttribute("aria-current")).toBe("page");
  }
  await bar.getByText("More").click();
  await bar.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.context().close();
});
