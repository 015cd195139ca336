import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Opens each menu that is shown on the page. @returns those that leave the window at a side, or are covered or cut off */
async function menusOutside(page: Page): Promise<[name: string, left: number, right: number][]> {
  const outside: [string, number, number][] = [];
  for (const menu of await page.locator("details[data-menu]").all()) {
    const button = menu.locator("summary").first();
    if (!(await button.isVisible())) continue;
    await button.click();
    const panel = menu.locator(".menu-panel");
    await panel.waitFor();
    const { left, right, isWhole } = await panel.evaluate((element) => {
      const { left, right, top } = element.getBoundingClientRect();
      const isSeen = (x: number) => element.contains(document.elementFromPoint(x, Math.max(top, 0) + 10));
      const isInside = left >= 0 && right <= document.documentElement.clientWidth;
      return { left, right, isWhole: isInside && isSeen(left + 10) && isSeen(right - 10) };
    });
    if (!isWhole) outside.push([await button.innerText(), left, right]);
    await page.keyboard.press("Escape");
  }
  return outside;
}

// A window of 720 pixels is one of 1440 at 200 % zoom.
it.each([320, 390, 720, 1000, 1440])("every menu stays in a window of %d pixels", async (width) => {
  const name = `menus-${width}`;
  const { service } = await OwnWorkspace.create(name);
  const body = {
    name: "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen",
    tags: ["summer"],
    qrType: "url",
    data: { type: "url", url: "https://example.com/menu" },
  };
  const { id } = await readStrictly(service.send("POST", "/qr", body), 201, Qr);
  const page = await openTab(browser, server, name, { viewport: { width, height: 800 } });
  for (const path of ["", "/codes", `/codes/${id}`, `/codes/${id}/scans`, "/folders", "/tags", "/history"]) {
    await page.goto(`${service.dashboard}${path}`);
    expect([path, await menusOutside(page)]).toEqual([path, []]);
  }
  await page.context().close();
});

it("a message covers neither the account menu nor the bar at the bottom", async () => {
  const { service } = await OwnWorkspace.create("messages");
  const body = { name: "Menu", qrType: "url", data: { type: "url", url: "https://example.com/menu" } };
  const { id } = await readStrictly(service.send("POST", "/qr", body), 201, Qr);
  const page = await openTab(browser, server, "messages");
  for (const [width, covered] of [
    [390, ".bottom"],
    [1000, ".side .account"],
    [1440, ".side .account"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${service.dashboard}/codes/${id}/edit`);
    await page.getByRole("button", { name: "Save changes" }).click();
    const toast = await page.locator(".toast").boundingBox();
    const below = await page.locator(covered).boundingBox();
    if (toast === null || below === null) throw new Error("a message and what it could cover are shown");
    const isApart =
      toast.x >= below.x + below.width ||
      toast.y + toast.height <= below.y ||
      below.x >= toast.x + toast.width;
    expect([width, isApart]).toEqual([width, true]);
  }
  await page.context().close();
});
