import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

let browser: Browser;
let workspace: OwnWorkspace;
let page: Page;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("drafts"), openBrowser()]);
  page = await openTab(browser, workspace);
});
afterEach(() => page.evaluate(() => localStorage.clear()));
afterAll(() => browser?.close());

const open = (address: string, tab = page) => tab.goto(sharedService().dashboard + address);
const draftsIn = (tab: Page) => tab.evaluate(() => Object.keys(localStorage).length);
const notice = (tab = page) => tab.getByText("Your unsaved changes from");
const destination = (tab = page) => tab.getByLabel("Where should it lead?");
const saved = () => expect.poll(() => draftsIn(page)).toBe(1);
const create = () => page.getByRole("button", { name: "Create code", exact: true }).click();

/** Leaves the form by a link, which asks first. */
async function leave(answer: "Keep editing" | "Discard changes"): Promise<void> {
  await page.getByRole("link", { name: "Folders" }).click();
  await page.getByRole("dialog").getByRole("button", { name: answer }).click();
  if (answer === "Keep editing") return;
  await page.getByRole("heading", { level: 1, name: "Folders" }).waitFor();
}

it("a tile counts as an edit, and entries survive a reload and Back, with the fields that depend on them, and can be discarded", async () => {
  await open("/codes/new");
  await page.locator("label", { hasText: "Email" }).first().click();
  await saved();
  await page.getByLabel("Subject").fill("Menu of the week");
  await page.locator("button.preset").nth(2).click();
  const colour = () => page.locator("[name='colorConfig.dotsColor']").inputValue();
  const chosen = await colour();
  expect(chosen).not.toBe("#000000");
  await page.reload();
  await notice().waitFor();
  expect([await page.getByLabel("Subject").inputValue(), await colour()]).toEqual([
    "Menu of the week",
    chosen,
  ]);
  await open("/tags");
  await page.goBack();
  await notice().waitFor();
  expect(await colour()).toBe(chosen);
  await page.getByRole("button", { name: "Discard changes" }).first().click();
  await destination().waitFor();
  expect([await notice().count(), await draftsIn(page)]).toEqual([0, 0]);
});

it.each([
  ["a preset", "/codes/new", () => page.locator("button.preset").nth(2).click()],
  ["a checkbox", "/developer/keys/new", () => page.getByRole("checkbox").first().click()],
])("%s counts as an edit: one is asked before leaving", async (_, address, edit) => {
  await open(address);
  await edit();
  await saved();
  await leave("Discard changes");
  expect(await draftsIn(page)).toBe(0);
});

it("an added block of a page counts as an edit, and survives a reload with its entries", async () => {
  await open("/pages/new");
  await page.getByRole("button", { name: "Add: Link" }).click();
  await saved();
  await page.locator("[name='blocks.0.label']").fill("Book a table");
  await page.reload();
  await notice().waitFor();
  expect(await page.locator("[name='blocks.0.label']").inputValue()).toBe("Book a table");
  await leave("Discard changes");
  expect(await draftsIn(page)).toBe(0);
});

it("a plain form is filled in again, and not once its change is stored", async () => {
  await open("/folders");
  await page.getByRole("textbox", { name: "New folder" }).fill("Terraces");
  await saved();
  await page.reload();
  await notice().waitFor();
  expect(await page.getByRole("textbox", { name: "New folder" }).inputValue()).toBe("Terraces");
  await page.getByRole("button", { name: "Create folder" }).click();
  await page.getByRole("link", { name: "Terraces" }).first().waitFor();
  await page.reload();
  expect([await notice().count(), await draftsIn(page)]).toEqual([0, 0]);
});

it("a destination that someone else changed in the meantime isn't replaced unseen", async () => {
  const { service } = workspace;
  const data = { type: "url", url: "https://example.com/first" };
  const { id } = await readStrictly(service.send("POST", "/qr", { qrType: "url", data }), 201, Qr);
  await open(`/codes/${id}`);
  await page.getByLabel("Leads to").fill("example.com/mine");
  await saved();
  const theirs = { data: { type: "url", url: "https://example.com/theirs" } };
  await readStrictly(service.send("PATCH", `/qr/${id}`, theirs), 200, Qr);
  await page.reload();
  await notice().waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Someone has changed this to https://example.com/theirs").waitFor();
  await leave("Discard changes");
});

it("entries that were refused stay edited, and survive as well", async () => {
  await open("/codes/new");
  await destination().fill("not an address");
  await create();
  await page.locator("#problems").waitFor();
  await leave("Keep editing");
  expect(await destination().inputValue()).toBe("not an address");
  await page.reload();
  await notice().waitFor();
  expect(await destination().inputValue()).toBe("not an address");
  await leave("Discard changes");
});

it("a draft is forgotten after a day", async () => {
  await open("/codes/new");
  await destination().fill("example.com/old");
  await saved();
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      const draft = JSON.parse(localStorage.getItem(key) ?? "{}") as { time: number };
      const time = draft.time - 24 * 60 * 60 * 1000;
      localStorage.setItem(key, JSON.stringify({ ...draft, time }));
    }
  });
  const other = await page.context().newPage();
  await open("/codes/new", other);
  expect([await destination(other).inputValue(), await draftsIn(other)]).toEqual(["", 0]);
  await other.close();
  await leave("Discard changes");
});

it("entries survive a session that ended, for the same person only, until they sign out", async () => {
  const another = await OwnWorkspace.create("drafts-other");
  const context = page.context();
  const signInAs = async ({ cookies }: OwnWorkspace) => {
    // A page without a session would go to the sign-in by itself.
    await page.goto("about:blank");
    await context.clearCookies();
    await context.addCookies(cookies);
    await open("/codes/new");
  };
  await open("/codes/new");
  await destination().fill("example.com/kept");
  // A request for a score would lead to the sign-in by itself.
  await page.waitForLoadState("networkidle");
  await context.clearCookies();
  await create();
  await page.waitForURL(/sign-in/);
  await page.getByText("What you typed is kept.").waitFor();
  await signInAs(another);
  expect([await destination().inputValue(), await notice().count()]).toEqual(["", 0]);
  await signInAs(workspace);
  await notice().waitFor();
  expect(await destination().inputValue()).toBe("example.com/kept");
  await open("/settings/account");
  await page.locator("main").getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/dashboard/settings"));
  expect(await draftsIn(page)).toBe(0);
});
