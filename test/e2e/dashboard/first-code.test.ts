import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readCodeOnScreen } from "../support/read-code.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const errors: string[] = [];
let browser: Browser;
let workspace: OwnWorkspace;
let page: Page;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("newcomer"), openBrowser()]);
  page = await openTab(browser, workspace, { acceptDownloads: true }, errors);
});
afterAll(() => browser?.close());

/** Where a phone is redirected. */
const scan = async (url: string) => {
  const userAgent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
  const answer = await fetch(url, { redirect: "manual", headers: { "user-agent": userAgent } });
  return answer.headers.get("location");
};

it("the steps on the overview lead a newcomer to a code, its scan and its download, and are ticked off as these happen", async () => {
  await page.goto(workspace.service.dashboard);
  const steps = page.locator(".first-steps > ol > li");
  const done = () => steps.evaluateAll((items) => items.map((item) => item.className));
  await page.getByLabel("Destination").fill("menu,example");
  await page.getByRole("button", { name: "Create code" }).click();
  await page.getByText("One field needs a fix").waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel("Destination").fill("example.com/menu");
  await page.getByRole("button", { name: "Create code" }).click();
  const address = await readCodeOnScreen(page.getByRole("img", { name: /^QR code for/ }));
  expect(await done()).toEqual(["done", "current", "upcoming"]);
  await page.getByText("Waiting for scans").waitFor();
  expect(await scan(address ?? "")).toBe("https://example.com/menu");
  await expect.poll(done).toEqual(["done", "done", "current"]);
  expect(await axeFaults(page)).toEqual([]);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download SVG" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.svg$/);
  await page.getByRole("link", { name: "Show report" }).click();
  const scans = page.locator("dl.totals div").filter({ has: page.getByText("Scans", { exact: true }) });
  await expect.poll(() => scans.locator("dd").first().textContent()).toMatch(/^1/);
  expect(await steps.count()).toBe(0);
  expect(errors.filter((error) => !error.includes("status of 400"))).toEqual([]);
});

it("a code's page shows its first scan without being loaded again, its test page each further one, and an edit holds from the next scan on", async () => {
  const { service } = workspace;
  const data = { type: "url", url: "https://example.com/menu" };
  const body = { name: "Menu & <b>more</b>", qrType: "url", data };
  const { id, scanUrl } = await readStrictly(service.send("POST", "/qr", body), 201, Qr);
  const ready = page.waitForResponse((answer) => answer.url().includes("/scans/live"));
  await page.goto(`${service.dashboard}/codes/${id}`);
  await ready;
  await page.getByText("Not scanned yet").waitFor();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await scan(scanUrl);
  await page.getByText("Just now").waitFor();
  await page.locator("#report dl").first().getByText(/^1$/).first().waitFor();
  const live = page.getByRole("region", { name: "Live" });
  expect(await live.textContent()).toContain("1 today");
  expect(await live.getByRole("listitem").count()).toBe(1);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);

  await page.getByRole("link", { name: "Test", exact: true }).click();
  await page.getByText("Waiting for scans").waitFor();
  const count = page.locator("[data-count]");
  const before = Number(await count.textContent());
  const scans = 45;
  await Promise.all(Array.from({ length: scans }, () => scan(scanUrl)));
  await expect.poll(() => count.textContent()).toBe(String(before + scans));
  const list = page.getByRole("list", { name: "Latest scans" }).getByRole("listitem");
  expect(await list.count()).toBe(before + scans);
  const words = async () => (await list.allInnerTexts()).toSorted();
  const shownLive = await words();
  expect(shownLive[0]).toContain("iOS, Phone");
  await page.reload();
  expect(await words(), "the script shows a scan in the server's words").toEqual(shownLive);

  await page.getByRole("link", { name: "Menu & <b>more</b>" }).click();
  await page.getByLabel("Leads to").fill("example.com/dinner");
  await page.keyboard.press("Enter");
  await page.getByText("Every printed copy leads there now.").waitFor();
  expect(await scan(scanUrl)).toBe("https://example.com/dinner");
  await page.getByLabel("More actions").click();
  await page.getByRole("link", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete code" }).click();
  await page.getByText("Code deleted.").waitFor();
  expect(await scan(scanUrl)).toBeNull();
});
