import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { menusOutside } from "../support/menus.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const errors: string[] = [];
let browser: Browser;
let owner: OwnWorkspace;
let page: Page;
let path: string;

beforeAll(async () => {
  browser = await openBrowser();
  owner = await OwnWorkspace.create("feedback");
  const data = { type: "url", url: "https://example.com/" };
  for (let i = 0; i < 10; i += 1)
    await owner.service.send("POST", "/qr", { qrType: "url", name: `Poster ${i}`, data });
  const created = await owner.service.send("POST", "/qr", { qrType: "url", name: "Menu", data });
  path = `/codes/${((await created.json()) as { id: string }).id}`;
  page = await openTab(browser, owner, {}, errors);
});
afterAll(() => browser?.close());

const open = (address: string) => page.goto(owner.service.dashboard + address);

/** Holds back the requests that match, until they are let go. */
async function holdBack(method: string, matching: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(matching, async (route: Route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return resolve;
}

it("a page that is slow shows the progress bar, and takes over no style that a script gave the one before", async () => {
  await open("/folders");
  const opacity = () => page.locator("#progress").evaluate((bar) => getComputedStyle(bar).opacity);
  expect(await opacity()).toBe("0");
  await page.locator("#live").evaluate((element) => {
    element.style.minHeight = "1px";
  });
  const release = await holdBack("GET", /\/dashboard\/tags$/);
  await page.getByRole("link", { name: "Tags" }).click();
  await expect.poll(opacity).toBe("1");
  release();
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
  expect(await opacity()).toBe("0");
  // Styles in a page are against its policy.
  expect(errors).toEqual([]);
});

it("a button that was clicked is busy, and can't be clicked again", async () => {
  await open("/codes/new");
  const release = await holdBack("POST", /\/codes\/new/);
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
});

it("a change is confirmed by a message that can undo it, and goes by itself or by a click", async () => {
  await open(path);
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
});

it("without a network, and where the service fails, the page stays and a message says so", async () => {
  await open("/codes/new");
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
  await page.unroute(/\/codes\/new/);
});

it("Back returns to the place on the page that was left", async () => {
  await page.setViewportSize({ width: 1280, height: 300 });
  await open("/codes");
  await page.getByRole("link", { name: "Poster 1", exact: true }).scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  expect(top).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Poster 1", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Poster 1" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Codes" }).waitFor();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
});

it("a message covers neither the account menu nor the bar at the foot", async () => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await open(`${path}/edit`);
  await page.getByRole("button", { name: "Save changes" }).click();
  // With the focus on it, it stays.
  await page.getByRole("button", { name: "Dismiss" }).focus();
  for (const [width, covered] of [
    [1440, ".side .account"],
    [1000, ".side .account"],
    [390, ".bottom"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const toast = await page.locator(".toast").boundingBox();
    const below = await page.locator(covered).boundingBox();
    if (toast === null || below === null) throw new Error("a message and what it could cover are shown");
    const isApart =
      toast.x >= below.x + below.width ||
      toast.y + toast.height <= below.y ||
      below.x >= toast.x + toast.width;
    expect([width, isApart]).toEqual([width, true]);
  }
});

it("what waits is counted beside its area, and gone once it is put off", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  // Those of earlier tests are intended.
  errors.length = 0;
  const ids = [path.replace("/codes/", ""), "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71"];
  await owner.service.send("POST", "/qr/bulk-update", { ids, change: { addTags: ["autumn"] } });
  const area = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Waiting" });
  await expect
    .poll(async () => {
      await open("/tags");
      return area.textContent();
    })
    .toBe("Waiting1");
  await area.click();
  await page.getByRole("heading", { level: 1, name: "Waiting for you" }).waitFor();
  await page.getByText("1 of 2 codes failed.").waitFor();
  await page.getByRole("button", { name: "Not now Change of 2 codes" }).click();
  await page.getByText("Put off for a week.").waitFor();
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
  expect(await area.textContent()).toBe("Waiting");
  await page.getByText("Not now: 1").click();
  await page.getByRole("button", { name: "Bring back Change of 2 codes" }).click();
  await expect.poll(() => area.textContent()).toBe("Waiting1");
  await page.getByRole("link", { name: "View job" }).click();
  await page.waitForURL(/\/jobs\//);
  expect(errors).toEqual([]);
});

it("on a phone, the content begins below one row, menus stay in the window, and the bar at the foot leads everywhere", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await openTab(browser, owner, phone);
  await page.goto(`${owner.service.dashboard}/codes`);
  const content = page.locator("main > :not(.head, #refused, script)").first();
  expect((await content.boundingBox())?.y).toBeLessThanOrEqual(72);
  const row = page.locator("body > header");
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(57);
  expect(await row.getByText("Codes").boundingBox()).toMatchObject({ x: expect.any(Number) });
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Codes");
  expect(await menusOutside(page)).toEqual([]);
  const bar = page.getByRole("navigation", { name: "Areas" });
  for (const name of ["Pages", "Overview", "Codes"]) {
    await bar.getByRole("link", { name }).click();
    await expect.poll(() => bar.getByRole("link", { name }).getAttribute("aria-current")).toBe("page");
  }
  await bar.getByText("More").click();
  await bar.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
});
