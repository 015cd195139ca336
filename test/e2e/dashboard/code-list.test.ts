import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

/** Two more than a page of the list has. */
const count = 27;

const errors: string[] = [];
let browser: Browser;
let workspace: OwnWorkspace;
let page: Page;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("code-list"), openBrowser()]);
  for (let i = 1; i <= count; i += 1) {
    const status = i % 13 === 0 ? "paused" : "active";
    const data = { type: "url", url: `https://shop.example/${i}` };
    await workspace.service.send("POST", "/qr", { name: `Table ${i}`, qrType: "url", data, status });
  }
  page = await openTab(browser, workspace, { acceptDownloads: true }, errors);
});
afterAll(() => browser?.close());

const openList = (query = "") => page.goto(`${workspace.service.dashboard}/codes${query}`);

/** The workspace's codes, by name. */
async function codes() {
  const { items } = await readStrictly(workspace.service.send("GET", "/qr?limit=100"), 200, QrList);
  return new Map(items.map((qr) => [qr.name, qr]));
}

async function select(...names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check();
  await page.getByText(`${names.length} selected`, { exact: true }).waitFor();
}

const bar = () => page.locator("form.selection");
const toast = (text: string) => page.locator(".toast").getByText(text, { exact: true });
const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());

it("finds codes by page, filter, order and name", async () => {
  await openList();
  const names = page.locator("table.codes a.name");
  await page.getByRole("link", { name: "Next page" }).click();
  await expect.poll(() => names.allTextContents()).toEqual(["Table 2", "Table 1"]);
  await page.locator("main").getByText("Filter", { exact: true }).click();
  await page.getByRole("combobox", { name: "Status" }).selectOption("Paused");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => names.allTextContents()).toEqual(["Table 26", "Table 13"]);
  await page.locator("main").getByText("Newest first").first().click();
  await page.getByRole("link", { name: "Oldest first" }).click();
  await expect.poll(() => names.allTextContents()).toEqual(["Table 13", "Table 26"]);
  await page.getByRole("link", { name: "Remove the filter Status: Paused" }).click();
  await expect.poll(() => names.count()).toBe(25);
  await page.getByLabel("Search codes").fill("table 2");
  await page.getByLabel("Search codes").press("Enter");
  const found = [2, 12, 20, 21, 22, 23, 24, 25, 26, 27].map((number) => `Table ${number}`);
  await expect.poll(() => names.allTextContents()).toEqual(found);
});

it("shows the list as it was on Back, and as it was left when it is opened again", async () => {
  const names = page.locator("table.codes a.name");
  const headings = page.locator("table.codes thead th");
  const first = async () => (await names.allTextContents())[0];
  await openList("?sort=createdAt");
  await openList();
  await page.getByRole("link", { name: "Code", exact: true }).click();
  await expect.poll(first).toBe("Table 1");
  // The focus that follows a change of page closes menus.
  await expect
    .poll(async () => {
      const link = page.getByLabel("Short link");
      if (!(await link.isVisible())) await page.locator("summary.columns-menu").click();
      return link.isVisible();
    })
    .toBe(true);
  await page.getByLabel("Short link").check();
  await page.getByLabel("Codes per page").selectOption("50");
  await page.getByRole("button", { name: "Apply" }).click();
  await headings.getByText("Short link").waitFor();
  expect(await names.count()).toBe(count);
  await page.goBack();
  await headings.getByText("Short link").waitFor({ state: "detached" });
  await expect.poll(first).toBe("Table 1");
  expect(await names.count()).toBe(25);
  await page.goBack();
  await expect.poll(first).toBe(`Table ${count}`);
  await page.goForward();
  await expect.poll(first).toBe("Table 1");
  await page.goForward();
  await headings.getByText("Short link").waitFor();
  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: /^Codes/ })
    .click();
  await expect.poll(first).toBe("Table 1");
  await headings.getByText("Short link").waitFor();
  await openList("?sort=createdAt");
});

it("acts on a code in the list by the keyboard alone: from its menu, and from the bar of those that are selected", async () => {
  await openList("?q=table+1&order=name");
  const button = page.getByLabel("Actions for Table 1", { exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Duplicate" }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press("ArrowUp");
  expect(await focused()).toBe("Delete");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Copy short link");
  await page.keyboard.press("Escape");
  const opened = page.locator("details[data-menu][open]");
  expect(await opened.count()).toBe(0);
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await button.click();
  await page.getByRole("heading", { level: 1 }).click();
  expect(await opened.count()).toBe(0);
  await button.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await focused()).toBe("Pause");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row").filter({ has: page.getByLabel("Select Table 1", { exact: true }) });
  await row.getByText("Paused", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?q=table+1&order=name");

  expect(await bar().isVisible()).toBe(false);
  await page.getByLabel("Select Table 1", { exact: true }).focus();
  await page.keyboard.press("Space");
  await page.getByText("1 selected").waitFor();
  await bar().getByLabel("More actions").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Resume");
  await page.keyboard.press("Escape");
  await bar().getByLabel("Clear selection").focus();
  await page.keyboard.press("Enter");
  await bar().waitFor({ state: "hidden" });
});

it("tags, moves, pauses, resumes and deletes selected codes in place, and undoes it", async () => {
  const folder = await workspace.service.send("POST", "/folders", { name: "Menus" });
  const { id: folderId } = (await folder.json()) as { id: string };
  await openList();

  await select("Table 10", "Table 11");
  await bar().getByText("Tag", { exact: true }).click();
  await page.keyboard.type("summer");
  await page.keyboard.press("Enter");
  await toast("2 codes tagged summer.").waitFor();
  const tagged = async () =>
    [...(await codes()).values()].flatMap(({ name, tags }) => (tags.includes("summer") ? [name] : []));
  expect(await tagged()).toEqual(["Table 11", "Table 10"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await toast("Change undone.").waitFor();
  expect(await tagged()).toEqual([]);

  await select("Table 12");
  await bar().getByText("Move", { exact: true }).click();
  await page.keyboard.type("men");
  await page.keyboard.press("Enter");
  await toast("1 code moved to Menus.").waitFor();
  expect((await codes()).get("Table 12")?.folderId).toBe(folderId);

  await select("Table 10", "Table 11");
  await bar().getByRole("button", { name: "Pause" }).first().click();
  await toast("2 codes paused.").waitFor();
  await select("Table 10");
  await bar().getByLabel("More actions").click();
  await bar().getByRole("button", { name: "Resume" }).click();
  await toast("1 code resumed.").waitFor();
  const changed = await codes();
  const statuses = ["Table 10", "Table 11"].map((name) => changed.get(name)?.status);
  expect(statuses).toEqual(["active", "paused"]);

  const remove = async () => {
    await bar().getByLabel("More actions").click();
    await bar().getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { name: "Delete 2 codes?" }).waitFor();
  };
  await select("Table 10", "Table 12");
  await remove();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect((await codes()).size).toBe(count);
  await remove();
  await page.getByRole("button", { name: "Delete 2 codes" }).click();
  await toast("2 codes deleted.").waitFor();
  expect((await codes()).size).toBe(count - 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await toast("Change undone.").waitFor();
  expect((await codes()).size).toBe(count);
});

it("selects all codes of the list, for a change, labels and a file", async () => {
  await openList();
  const selected = () => page.locator("input[name=id]:checked").count();
  await page.getByLabel("Select all codes on this page").check();
  await page.getByText("25 selected").waitFor();
  await page.getByLabel("Select all codes on this page").uncheck();
  await bar().waitFor({ state: "hidden" });
  await page.getByLabel("Select Table 27").check();
  await page.getByLabel(`Select all ${count} codes`).check();
  await page.getByText(`All ${count} codes selected`).waitFor();
  expect(await selected()).toBe(25);
  await bar().getByText("Download", { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  const file = await text(await download.createReadStream());
  const rows = file.trim().split("\r\n");
  expect(rows.length).toBe(count + 1);

  // Pausing has no field that could say how many codes it is about. Some are paused already.
  await bar().getByRole("button", { name: "Pause" }).first().click();
  await page.getByRole("button", { name: /^Edit 2\d codes$/ }).waitFor();
  await page.goBack();
  await page.getByText(`All ${count} codes selected`).waitFor();
  await bar().getByText("Tag", { exact: true }).click();
  await page.keyboard.type("summer");
  await page.getByRole("button", { name: `Tag all ${count} codes` }).click();
  await toast(`${count} codes tagged summer.`).waitFor();
  const tagged = [...(await codes()).values()].filter(({ tags }) => tags.includes("summer"));
  expect(tagged.length).toBe(count);
  await page.getByLabel("Select Table 27").check();
  await page.getByLabel(`Select all ${count} codes`).check();
  await bar().getByText("Download", { exact: true }).click();
  await page.getByRole("button", { name: "Labels" }).click();
  await page.getByText(`${count} labels`).first().waitFor();
});

it("keeps the selection when the list is returned to or reloaded, and not on another visit", async () => {
  await openList();
  await select("Table 20", "Table 22");
  await page.getByRole("link", { name: "Table 21", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Table 21" }).waitFor();
  await page.goBack();
  await page.getByText("2 selected", { exact: true }).waitFor();
  const selected = () => page.locator("input[name=id]:checked").count();
  expect(await selected()).toBe(2);
  await page.reload();
  await page.getByText("2 selected", { exact: true }).waitFor();
  expect(await selected()).toBe(2);
  await openList();
  await page.getByLabel("Select Table 20").waitFor();
  expect(await selected()).toBe(0);
  expect(await bar().isVisible()).toBe(false);
  expect(errors).toEqual([]);
});

it("imports a file: the place on the page moves from a corrected cell to the next one with a problem", async () => {
  const csv = [
    "Title,Link,Tags",
    "Lunch,https://example.com/lunch,menu",
    "Dinner,mailto:dinner@example.com,menu",
    `${"A long name ".repeat(20)},https://example.com/long,menu`,
  ].join("\n");
  await openList();
  await page.getByRole("link", { name: "Import", exact: true }).first().click();
  const file = { name: "codes.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await page.getByLabel("Drop a file here").setInputFiles(file);
  await page.getByRole("button", { name: "Check rows" }).click();
  await page.getByRole("link", { name: "Row 2", exact: true }).click();
  const cell = page.getByLabel("Destination, row 2");
  await expect.poll(() => cell.evaluate((element) => element.matches(":focus, :target"))).toBe(true);
  expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("name");
  await cell.fill("https://example.com/dinner");
  await page.getByRole("button", { name: "Check again" }).last().click();
  await cell.waitFor({ state: "detached" });
  const next = page.getByLabel("Name, row 3");
  await expect.poll(() => next.evaluate((element) => element.matches(":focus"))).toBe(true);
  await page.getByRole("button", { name: "Create 2 codes" }).click();
  await page.waitForURL(/\/dashboard\/jobs\/[^/]+$/);
  await page.getByText("2 codes created, 1 row left out").waitFor();
  const made = await codes();
  expect(["Lunch", "Dinner"].map((name) => made.get(name)?.status)).toEqual(["active", "active"]);
  // Browsers report a page with problems as a resource that failed to load.
  expect(errors.filter((error) => !error.includes("status of 400"))).toEqual([]);
});
