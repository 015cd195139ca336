import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** A workspace with codes named Code 10, Code 11, …, and its list. */
async function listOf(userName: string, count: number) {
  const workspace = await OwnWorkspace.create(userName);
  for (let i = 10; i < 10 + count; i += 1) {
    const data = { type: "url", url: `https://shop.example/${i}` };
    await workspace.service.send("POST", "/qr", { qrType: "url", name: `Code ${i}`, data });
  }
  const errors: string[] = [];
  const page = await openTab(browser, workspace.service, userName, { javaScriptEnabled: true }, errors);
  await page.goto(`${workspace.service.dashboard}/codes`);
  return { workspace, page, errors };
}

/** The workspace's codes, by name. */
async function codesOf({ service }: OwnWorkspace) {
  const { items } = await readStrictly(service.send("GET", "/qr?limit=100"), 200, QrList);
  return new Map(items.map((qr) => [qr.name, qr]));
}

async function select(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByLabel(`Select ${name}`).check();
  await page.getByText(`${names.length} selected`, { exact: true }).waitFor();
}

const bar = (page: Page) => page.locator("form.selection");
const toast = (page: Page, text: string) => page.locator(".toast").getByText(text, { exact: true });

it("tags, moves, pauses, resumes and deletes in place, and undoes it", async () => {
  const { workspace, page, errors } = await listOf("selection-acts", 3);
  const folder = await workspace.service.send("POST", "/folders", { name: "Menus" });
  const { id: folderId } = (await folder.json()) as { id: string };
  await page.reload();

  await select(page, "Code 10", "Code 11");
  await bar(page).getByText("Tag", { exact: true }).click();
  await page.keyboard.type("summer");
  await page.keyboard.press("Enter");
  await toast(page, "2 codes tagged summer.").waitFor();
  const tags = async () => [...(await codesOf(workspace)).values()].map((qr) => [qr.name, ...qr.tags]);
  expect(await tags()).toEqual([["Code 12"], ["Code 11", "summer"], ["Code 10", "summer"]]);
  await page.getByRole("button", { name: "Undo" }).click();
  await toast(page, "Change undone.").waitFor();
  expect(await tags()).toEqual([["Code 12"], ["Code 11"], ["Code 10"]]);

  await select(page, "Code 12");
  await bar(page).getByText("Move", { exact: true }).click();
  await page.keyboard.type("men");
  await page.keyboard.press("Enter");
  await toast(page, "1 code moved to Menus.").waitFor();
  expect((await codesOf(workspace)).get("Code 12")?.folderId).toBe(folderId);

  await select(page, "Code 10", "Code 11");
  await bar(page).getByRole("button", { name: "Pause" }).first().click();
  await toast(page, "2 codes paused.").waitFor();
  await select(page, "Code 10");
  await bar(page).getByLabel("More actions").click();
  await bar(page).getByRole("button", { name: "Resume" }).click();
  await toast(page, "1 code resumed.").waitFor();
  const codes = await codesOf(workspace);
  expect(["Code 10", "Code 11", "Code 12"].map((name) => codes.get(name)?.status)).toEqual([
    "active",
    "paused",
    "active",
  ]);

  await select(page, "Code 10", "Code 12");
  await bar(page).getByLabel("More actions").click();
  await bar(page).getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { name: "Delete 2 codes?" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect((await codesOf(workspace)).size).toBe(3);
  await bar(page).getByLabel("More actions").click();
  await bar(page).getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete 2 codes" }).click();
  await toast(page, "2 codes deleted.").waitFor();
  expect([...(await codesOf(workspace)).keys()]).toEqual(["Code 11"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await toast(page, "Change undone.").waitFor();
  expect((await codesOf(workspace)).size).toBe(3);
  expect(errors).toEqual([]);
  await page.context().close();
});

it("selects all codes of the list, for a change, labels and a file", async () => {
  const { workspace, page, errors } = await listOf("selection-all", 28);
  await page.getByLabel("Select all codes on this page").check();
  await page.getByText("25 selected").waitFor();
  await page.getByLabel("Select all 28 codes").check();
  await page.getByText("All 28 codes selected").waitFor();
  await bar(page).getByText("Download", { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  const path = join(await mkdtemp(join(tmpdir(), "codes-")), "codes.csv");
  await download.saveAs(path);
  const rows = (await readFile(path, "utf8")).trim().split("\r\n");
  expect(rows.length).toBe(29);
  await bar(page).getByText("Tag", { exact: true }).click();
  await page.keyboard.type("summer");
  await page.getByRole("button", { name: "Tag all 28 codes" }).click();
  await toast(page, "28 codes tagged summer.").waitFor();
  const tagged = [...(await codesOf(workspace)).values()].filter(({ tags }) => tags.includes("summer"));
  expect(tagged.length).toBe(28);

  // Pausing has no field that could say how many codes it is about.
  await page.getByLabel("Select Code 37").check();
  await page.getByLabel("Select all 28 codes").check();
  await bar(page).getByRole("button", { name: "Pause" }).first().click();
  await page.getByRole("button", { name: "Edit 28 codes" }).waitFor();
  await page.goBack();
  await page.getByText("All 28 codes selected").waitFor();
  await bar(page).getByText("Download", { exact: true }).click();
  await page.getByRole("button", { name: "Labels" }).click();
  await page.getByText("28 labels").first().waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

it("keeps the selection when the list is returned to or reloaded, and not on another visit", async () => {
  const { workspace, page, errors } = await listOf("selection-back", 3);
  await select(page, "Code 10", "Code 12");
  await page.getByRole("link", { name: "Code 11", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Code 11" }).waitFor();
  await page.goBack();
  await page.getByText("2 selected", { exact: true }).waitFor();
  const selected = () => page.locator("input[name=id]:checked").count();
  expect(await selected()).toBe(2);
  await page.reload();
  await page.getByText("2 selected", { exact: true }).waitFor();
  expect(await selected()).toBe(2);
  await page.goto(`${workspace.service.dashboard}/codes`);
  await page.getByLabel("Select Code 10").waitFor();
  expect(await selected()).toBe(0);
  expect(await bar(page).isVisible()).toBe(false);
  expect(errors).toEqual([]);
  await page.context().close();
});
