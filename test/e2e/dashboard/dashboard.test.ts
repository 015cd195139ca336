import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { sample } from "../../support/runner/runs.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readCodeOnScreen } from "../support/read-code.ts";
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

const signIn = (name: string, options: BrowserContextOptions = {}, errors: string[] = []): Promise<Page> =>
  openTab(browser, server, name, options, errors);

/** Where a phone is redirected. */
const scan = async (url: string) => {
  const userAgent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
  const answer = await fetch(url, { redirect: "manual", headers: { "user-agent": userAgent } });
  return answer.headers.get("location");
};

/** The number under a name, such as `Visitors`. */
const figure = (page: Page, name: string) =>
  page
    .locator("dl.totals div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd")
    .first()
    .textContent();

it.each(sample([true, false], 2))(
  "leads a newcomer to the first code, its image, its scan and its edit; with scripts: %j",
  async (javaScriptEnabled) => {
    const errors: string[] = [];
    const page = await signIn(`newcomer-${javaScriptEnabled}`, { javaScriptEnabled }, errors);
    await page.getByRole("link", { name: "More types and designs" }).click();
    await page.getByRole("heading", { level: 1, name: "New code" }).waitFor();
    await page.getByLabel("Where should it lead?").fill("example.com/menu");
    await page.getByLabel(/^Name/).fill("Menu & <b>more</b>");
    await page.getByRole("button", { name: "Create code", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Menu & <b>more</b>" }).waitFor();
    const address = await readCodeOnScreen(page.getByRole("img", { name: /^QR code for/ }));
    expect(address).toBe(await page.locator(".short-link .address").getAttribute("href"));

    await page.getByRole("link", { name: "Test it now" }).click();
    await page.getByRole("heading", { level: 1, name: /^Test / }).waitFor();
    const count = page.locator("[data-count]");
    expect(await count.textContent()).toBe("0");
    expect(await scan(address ?? "")).toBe("https://example.com/menu");
    await expect
      .poll(async () => {
        // Only scripts can show it on the same page.
        if (!javaScriptEnabled) await page.reload();
        return count.textContent();
      })
      .toBe("1");
    await page.getByRole("link", { name: "Menu & <b>more</b>" }).click();
    await page.getByRole("heading", { name: "Scans", exact: true }).waitFor();
    expect(await figure(page, "Scans")).toBe("1");

    await page.getByLabel("Leads to").fill("example.com/dinner");
    await page.keyboard.press("Enter");
    await page.getByText("Every printed copy leads there now.").waitFor();
    expect(await scan(address ?? "")).toBe("https://example.com/dinner");
    await page.getByLabel("More actions").click();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete code" }).click();
    await page.getByText("Code deleted.").waitFor();
    expect(await scan(address ?? "")).toBeNull();
    expect(errors).toEqual([]);
    await page.context().close();
  },
);

it.each(sample([true, false], 2))(
  "leads a newcomer through the first steps on the overview; with scripts: %j",
  async (javaScriptEnabled) => {
    const errors: string[] = [];
    const options = { javaScriptEnabled, acceptDownloads: true };
    const page = await signIn(`first-steps-${javaScriptEnabled}`, options, errors);
    const steps = page.locator(".first-steps > ol > li");
    const done = () => steps.evaluateAll((items) => items.map((item) => item.className));
    // Only scripts can tick off a step on the same page.
    const renewed = async () => {
      if (!javaScriptEnabled) await page.goto(server.dashboard);
      return done();
    };
    // The audit itself is a script.
    const expectAccessible = async () => {
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    };
    await page.getByLabel("Destination").fill("menu,example");
    await page.getByRole("button", { name: "Create code" }).click();
    await page.getByText("One field needs a fix").waitFor();
    await expectAccessible();
    await page.getByLabel("Destination").fill("example.com/menu");
    await page.getByRole("button", { name: "Create code" }).click();
    const address = await readCodeOnScreen(page.getByRole("img", { name: /^QR code for/ }));
    expect(await done()).toEqual(["done", "current", "upcoming"]);
    await expectAccessible();

    if (javaScriptEnabled) await page.getByText("Waiting for scans").waitFor();
    expect(await scan(address ?? "")).toBe("https://example.com/menu");
    await expect.poll(renewed).toEqual(["done", "done", "current"]);
    await expectAccessible();

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download SVG" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.svg$/);
    if (javaScriptEnabled) {
      await page.getByRole("link", { name: "Show report" }).click();
    } else {
      await page.goto(server.dashboard);
    }
    await expect.poll(() => figure(page, "Scans")).toMatch(/^1/);
    expect(await steps.count()).toBe(0);
    expect(errors.filter((error) => !error.includes("status of 400"))).toEqual([]);
    await page.context().close();
  },
);

it("shows each scan of a busy desk while it is watched", async () => {
  const { service } = await OwnWorkspace.create("desk");
  const data = { type: "url", url: "https://example.com/" };
  const qr = await readStrictly(service.send("POST", "/qr", { qrType: "url", data }), 201, Qr);
  const page = await signIn("desk");
  await page.goto(`${service.dashboard}/codes/${qr.id}/test`);
  await page.getByText("Waiting for scans").waitFor();
  const scans = 45;
  await Promise.all(Array.from({ length: scans }, () => scan(qr.scanUrl)));
  await expect.poll(() => page.locator("[data-count]").textContent()).toBe(String(scans));
  const list = page.locator("[data-live] ol li");
  expect(await list.count()).toBe(scans);
  const words = async () => (await list.allInnerTexts()).toSorted();
  const shownLive = await words();
  await page.reload();
  expect(await words(), "the script shows a scan in the server's words").toEqual(shownLive);
  await page.context().close();
});

it.each(sample([true, false], 2))(
  "finds codes by page, filter and name; with scripts: %j",
  async (javaScriptEnabled) => {
    const name = `collector-${javaScriptEnabled}`;
    const { service } = await OwnWorkspace.create(name);
    for (let i = 1; i <= 27; i += 1) {
      const status = i % 13 === 0 ? "paused" : "active";
      const data = { type: "url", url: `https://example.com/${i}` };
      await service.send("POST", "/qr", { name: `Table ${i}`, qrType: "url", data, status });
    }
    const page = await signIn(name, { javaScriptEnabled });
    await page.getByRole("link", { name: "Codes", exact: true }).first().click();
    const names = page.locator("table.codes a.name");
    const tables = (...numbers: number[]) => numbers.map((number) => `Table ${number}`);
    await expect.poll(() => names.allTextContents()).toEqual(tables(...countdown(27, 3)));
    await page.getByRole("link", { name: "Next page" }).click();
    await expect.poll(() => names.allTextContents()).toEqual(tables(2, 1));
    await page.getByRole("link", { name: "First page" }).click();
    await expect.poll(() => names.count()).toBe(25);

    await page.locator("main").getByText("Filter", { exact: true }).click();
    await page.getByLabel("Status").selectOption("Paused");
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => names.allTextContents()).toEqual(tables(26, 13));
    await page.locator("main").getByText("Newest first").first().click();
    await page.getByRole("link", { name: "Oldest first" }).click();
    await expect.poll(() => names.allTextContents()).toEqual(tables(13, 26));
    await page.getByRole("link", { name: "Remove the filter Status: Paused" }).click();
    await expect.poll(() => names.count()).toBe(25);
    await page.getByLabel("Search codes").fill("table 2");
    await page.getByLabel("Search codes").press("Enter");
    await expect.poll(() => names.allTextContents()).toEqual(tables(2, 12, ...countdown(27, 20).reverse()));
    await page.context().close();
  },
);

it("acts on a code in the list by the keyboard alone: from its menu, and from the bar of those that are selected", async () => {
  const { service } = await OwnWorkspace.create("menu-walk");
  for (const name of ["Menu", "Poster"]) {
    const data = { type: "url", url: "https://example.com/" };
    await service.send("POST", "/qr", { name, qrType: "url", data });
  }
  const page = await signIn("menu-walk");
  await page.goto(`${service.dashboard}/codes?order=name`);
  const button = page.getByLabel("Actions for Poster");
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  await button.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Duplicate" }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press("ArrowUp");
  expect(await focused()).toBe("Delete");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Copy short link");
  await page.keyboard.press("Escape");
  expect(await page.locator("details[data-menu][open]").count()).toBe(0);
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await focused()).toBe("Pause");
  await page.keyboard.press("Enter");
  await page.getByRole("table").getByText("Paused", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?order=name");

  const bar = page.locator("form.selection");
  expect(await bar.isVisible()).toBe(false);
  await page.getByLabel("Select Poster").focus();
  await page.keyboard.press("Space");
  await page.getByText("1 selected").waitFor();
  await bar.getByLabel("More actions").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Resume");
  await page.keyboard.press("Escape");
  await bar.getByLabel("Clear selection").focus();
  await page.keyboard.press("Enter");
  await bar.waitFor({ state: "hidden" });
  await page.context().close();
});

/** Whole numbers from one down to another. */
const countdown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe("with scripts", () => {
  it("keeps what was entered beside a problem, and moves the focus to the list of problems", async () => {
    const page = await signIn("hasty");
    await page.getByRole("link", { name: "New code" }).click();
    await page.getByLabel(/^Name/).fill("Kept");
    await page.getByRole("button", { name: "Create code", exact: true }).click();
    await page.getByRole("link", { name: "Enter a destination." }).waitFor();
    expect(await page.locator("#problems").evaluate((element) => element.matches(":focus"))).toBe(true);
    expect(await page.getByLabel(/^Name/).inputValue()).toBe("Kept");
    await page.context().close();
  });

  it("has single-key shortcuts, which can be switched off", async () => {
    const page = await signIn("typist");
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    // At once: the focus may still be in the dialog that was just closed.
    await Promise.all([page.keyboard.press("g"), page.keyboard.press("c")]);
    await page.getByRole("heading", { level: 1, name: "Codes" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("c?");
    expect(await page.getByRole("combobox", { name: "Search or go to" }).inputValue()).toBe("c?");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("c");
    await page.getByRole("heading", { level: 1, name: "New code" }).waitFor();
    await page.goto(`${server.origin}/dashboard/settings/account`);
    await page.getByRole("button", { name: "Turn shortcuts off" }).click();
    await page.getByRole("button", { name: "Turn shortcuts on" }).waitFor();
    await page.locator("main").focus();
    await page.keyboard.press("c");
    await page.keyboard.press("?");
    expect(new URL(page.url()).pathname).toBe("/dashboard/settings/account");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.context().close();
  });
});
