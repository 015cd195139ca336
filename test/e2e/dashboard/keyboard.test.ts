import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const errors: string[] = [];
let browser: Browser;
let workspace: OwnWorkspace;
let page: Page;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("keyboard"), openBrowser()]);
  page = await openTab(browser, workspace, {}, errors);
});
afterAll(() => browser?.close());

const newCode = (name: string, url: string) => {
  const input = { name, qrType: "url", data: { type: "url", url } };
  return readStrictly(workspace.service.send("POST", "/qr", input), 201, Qr);
};

/** More controls than a page has before its content. */
const patience = 80;

/** Moves the focus with Tab until it is on the control of this name, where it must be seen. */
async function tabTo(name: string | RegExp): Promise<void> {
  const wanted = (label: string) => (typeof name === "string" ? label === name : name.test(label));
  const passed: string[] = [];
  for (let i = 0; i < patience; i += 1) {
    await page.keyboard.press("Tab");
    const [label, outline] = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      const labels = [...(element.labels ?? [])].map((each) => each.textContent).join(" ");
      const own = element.getAttribute("aria-label") ?? (labels || element.textContent);
      const ringed = [element, element.closest("label"), element.parentElement];
      const ring = ringed.some((each) => each !== null && getComputedStyle(each).outlineStyle === "solid");
      return [own.trim().replace(/\s+/g, " "), ring] as const;
    });
    if (wanted(label)) return expect(outline, `a ring around ${label}`).toBe(true);
    passed.push(label);
  }
  throw new Error(`Tab leads to no ${name}, but to ${passed.join(", ")}`);
}

const say = (text: string) => page.locator(".toast").getByText(text).waitFor();

it("a destination is changed and restored, and a code found by a filter, tagged, printed and tested by the keyboard alone", async () => {
  const { service } = workspace;
  const { id } = await newCode("Menu", "https://shop.example/spring");
  const destination = async () =>
    (await readStrictly(service.send("GET", `/qr/${id}`), 200, Qr)).data as { url: string };
  await page.goto(`${service.dashboard}/codes/${id}`);
  await tabTo("Leads to");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("shop.example/summer");
  await page.keyboard.press("Enter");
  await say("Every printed copy leads there now.");
  expect(await destination()).toMatchObject({ url: "https://shop.example/summer" });
  await tabTo("Undo");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await destination()).url).toBe("https://shop.example/spring");

  await page.goto(`${service.dashboard}/codes`);
  await tabTo("Filter");
  await page.keyboard.press("Enter");
  await tabTo("Status");
  await page.keyboard.type("Active");
  await tabTo("Apply");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Remove the filter Status: Active" }).waitFor();
  await tabTo("Select Menu");
  await page.keyboard.press("Space");
  await tabTo("Tag");
  await page.keyboard.press("Enter");
  await page.locator(".menu[open] input:focus").waitFor();
  await page.keyboard.type("summer");
  await page.keyboard.press("Enter");
  await say("1 code tagged summer.");

  await tabTo("Select Menu");
  await page.keyboard.press("Space");
  await tabTo("Download");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Print labels" }).waitFor();
  await tabTo("Download PDF");

  await page.goto(`${service.dashboard}/codes/${id}`);
  await tabTo("Test");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Test Menu" }).waitFor();
});

it("the palette goes to a code by typing, arrow keys and Enter, and can be closed", async () => {
  await newCode("Lunch of the day", "https://example.com/");
  await newCode("Lunch of the night", "https://example.com/");
  await page.goto(workspace.service.dashboard);
  const chosen = page.getByRole("dialog").getByRole("option", { selected: true });
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect.poll(() => field.evaluate((element) => element.matches(":focus"))).toBe(true);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/q=lunch/, async (route) => {
    await answered;
    await route.continue();
  });
  await page.keyboard.type("lunc");
  await page.getByText("2 results").waitFor();
  expect(await chosen.textContent()).toContain("Lunch of the day");
  await page.keyboard.type("h");
  await page.keyboard.press("ArrowDown");
  expect(await chosen.textContent()).toContain("Lunch of the night");
  await page.locator("#go-options").evaluate((list) => list.firstElementChild?.setAttribute("data-old", ""));
  answer();
  await page.locator("#go-options [data-old]").waitFor({ state: "detached" });
  await page.unroute(/q=lunch/);
  expect(await chosen.textContent()).toContain("Lunch of the night");
  const id = await chosen.getAttribute("id");
  expect(await field.getAttribute("aria-activedescendant")).toBe(id);
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Lunch of the night" }).waitFor();
  expect(await page.locator("dialog[open]").count()).toBe(0);
  await page.getByRole("link", { name: "Search or go to", exact: false }).first().click();
  await page.getByRole("dialog", { name: "Search or go to" }).waitFor();
  // Once is enough, whatever was typed.
  await page.keyboard.type("upload csv");
  await page.getByText("1 result", { exact: true }).waitFor();
  expect(await chosen.textContent()).toContain("Import codes");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Search or go to" }).waitFor({ state: "hidden" });
});

it("there are single-key shortcuts, which can be switched off", async () => {
  await page.goto(`${workspace.service.dashboard}/folders`);
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
  expect(errors).toEqual([]);

  // A form that is refused keeps its entries, and has the focus on its problems.
  await page.getByLabel(/^Name/).fill("Kept");
  await page.getByRole("button", { name: "Create code", exact: true }).click();
  await page.getByRole("link", { name: "Enter a destination." }).waitFor();
  expect(await page.locator("#problems").evaluate((element) => element.matches(":focus"))).toBe(true);
  expect(await page.getByLabel(/^Name/).inputValue()).toBe("Kept");

  await page.goto(`${workspace.service.dashboard}/settings/account`);
  await page.getByRole("button", { name: "Turn shortcuts off" }).click();
  await page.getByRole("button", { name: "Turn shortcuts on" }).waitFor();
  await page.locator("main").focus();
  await page.keyboard.press("c");
  await page.keyboard.press("?");
  expect(new URL(page.url()).pathname).toBe("/dashboard/settings/account");
  expect(await page.locator("dialog[open]").count()).toBe(0);
});
