import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab, signInAt } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  await Promise.all(["drafts", "drafts-other"].map((name) => OwnWorkspace.create(name)));
});
afterAll(() => browser?.close());

async function open(address: string): Promise<Page> {
  const page = await openTab(browser, sharedService(), "drafts");
  // The question of the browser before it leaves.
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(sharedService().dashboard + address);
  return page;
}

const draftsIn = (page: Page) => page.evaluate(() => Object.keys(localStorage).length);
const notice = (page: Page) => page.getByText("Your unsaved changes from");
const destination = (page: Page) => page.getByLabel("Where should it lead?");
const saved = (page: Page) => expect.poll(() => draftsIn(page)).toBe(1);

it.each([
  ["a tile", "/codes/new", (page: Page) => page.locator("label", { hasText: "Contact" }).first().click()],
  ["a preset", "/codes/new", (page: Page) => page.locator("button.preset").nth(2).click()],
  ["a block", "/pages/new", (page: Page) => page.getByRole("button", { name: "Add: Link" }).click()],
  ["a checkbox", "/developer/webhooks/new", (page: Page) => page.getByRole("checkbox").first().click()],
])("%s counts as an edit: one is asked before leaving", async (_, address, edit) => {
  const page = await open(address);
  await edit(page);
  await saved(page);
  await page.getByRole("link", { name: "Folders" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Folders" }).waitFor();
  expect(await draftsIn(page)).toBe(0);
  await page.context().close();
});

it("entries survive a reload and Back, with the fields that depend on them, and can be discarded", async () => {
  const page = await open("/codes/new");
  await page.locator("label", { hasText: "Email" }).first().click();
  await page.getByLabel("Subject").fill("Menu of the week");
  await page.locator("button.preset").nth(2).click();
  await saved(page);
  await page.reload();
  await notice(page).waitFor();
  expect(await page.getByLabel("Subject").inputValue()).toBe("Menu of the week");
  const colour = await page.locator("[name='colorConfig.dotsColor']").inputValue();
  expect(colour).not.toBe("#000000");
  await page.goto(`${sharedService().dashboard}/tags`);
  await page.goBack();
  await notice(page).waitFor();
  expect(await page.locator("[name='colorConfig.dotsColor']").inputValue()).toBe(colour);
  await page.getByRole("button", { name: "Discard changes" }).first().click();
  await destination(page).waitFor();
  expect([await notice(page).count(), await draftsIn(page)]).toEqual([0, 0]);
  await page.context().close();
});

it("blocks of a page survive a reload", async () => {
  const page = await open("/pages/new");
  await page.getByRole("button", { name: "Add: Link" }).click();
  await page.locator("[name='blocks.0.label']").fill("Book a table");
  await saved(page);
  await page.reload();
  await notice(page).waitFor();
  expect(await page.locator("[name='blocks.0.label']").inputValue()).toBe("Book a table");
  await page.context().close();
});

it("a plain form is filled in again, and not once its change is stored", async () => {
  const page = await open("/folders");
  await page.getByRole("textbox", { name: "New folder" }).fill("Terraces");
  await saved(page);
  await page.reload();
  await notice(page).waitFor();
  expect(await page.getByRole("textbox", { name: "New folder" }).inputValue()).toBe("Terraces");
  await page.getByRole("button", { name: "Create folder" }).click();
  await page.getByRole("link", { name: "Terraces" }).first().waitFor();
  await page.reload();
  expect([await notice(page).count(), await draftsIn(page)]).toEqual([0, 0]);
  await page.context().close();
});

it("a destination that somebody else changed in the meantime isn't replaced unseen", async () => {
  const page = await open("/codes/new");
  await destination(page).fill("example.com/first");
  await page.getByRole("button", { name: "Create code", exact: true }).click();
  await page.getByText("Code created.").waitFor();
  await page.getByLabel("Leads to").fill("example.com/mine");
  await saved(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await notice(other).waitFor();
  await other.getByLabel("Leads to").fill("example.com/theirs");
  await other.keyboard.press("Enter");
  await other.getByText("Every printed copy leads there now.").waitFor();
  await page.getByLabel("Leads to").fill("example.com/mine-still");
  await saved(page);
  await page.reload();
  await notice(page).waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Somebody changed this to https://example.com/theirs").waitFor();
  await page.context().close();
});

it("entries that were refused stay edited, and survive as well", async () => {
  const page = await open("/codes/new");
  await destination(page).fill("not an address");
  await page.getByRole("button", { name: "Create code", exact: true }).click();
  await page.locator("#problems").waitFor();
  await page.getByRole("link", { name: "Folders" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await page.reload();
  await notice(page).waitFor();
  expect(await destination(page).inputValue()).toBe("not an address");
  await page.context().close();
});

it("entries survive a session that ended, for the same person only, until they sign out", async () => {
  const page = await open("/codes/new");
  await destination(page).fill("example.com/kept");
  // A request for a score would lead to the sign-in by itself.
  await page.waitForLoadState("networkidle");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create code", exact: true }).click();
  await page.waitForURL(/sign-in/);
  await signInAt(page, sharedService(), "drafts-other");
  await page.goto(`${sharedService().dashboard}/codes/new`);
  expect([await destination(page).inputValue(), await notice(page).count()]).toEqual(["", 0]);
  await page.context().clearCookies();
  await signInAt(page, sharedService(), "drafts");
  await page.goto(`${sharedService().dashboard}/codes/new`);
  await notice(page).waitFor();
  expect(await destination(page).inputValue()).toBe("example.com/kept");
  await page.goto(`${sharedService().dashboard}/settings/account`);
  await page.locator("main").getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/dashboard/settings"));
  expect(await draftsIn(page)).toBe(0);
  await page.context().close();
});

it("a draft is forgotten after a day", async () => {
  const page = await open("/codes/new");
  await destination(page).fill("example.com/old");
  await saved(page);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      const draft = JSON.parse(localStorage.getItem(key) ?? "{}") as { time: number };
      const time = draft.time - 24 * 60 * 60 * 1000;
      localStorage.setItem(key, JSON.stringify({ ...draft, time }));
    }
  });
  const other = await page.context().newPage();
  await other.goto(`${sharedService().dashboard}/codes/new`);
  expect([await destination(other).inputValue(), await draftsIn(other)]).toEqual(["", 0]);
  await page.context().close();
});
