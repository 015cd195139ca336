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
  [workspace, browser] = await Promise.all([OwnWorkspace.create("maker"), openBrowser()]);
  page = await openTab(browser, workspace, { acceptDownloads: true }, errors);
});
afterAll(() => browser?.close());

const openForm = () => page.goto(`${workspace.service.dashboard}/codes/new`);
const create = () => page.getByRole("button", { name: "Create code", exact: true }).click();
const destination = () => page.getByLabel("Where should it lead?");
const tagsOfCode = () => page.locator(".head-facts .tag").allTextContents();
const radio = (group: string, name: string) =>
  page.getByRole("group", { name: group, exact: true }).getByRole("radio", { name, exact: true });
const image = () => page.getByRole("img", { name: "The code as it will look" });
const drawn = async () => atob((await image().getAttribute("src"))?.split(",")[1] ?? "");

it("the type of a new code follows the text, unless a person chose one by the keyboard, and no entry is lost", async () => {
  await openForm();
  const chosen = (name: string) => page.getByRole("radio", { name, checked: true }).waitFor();
  const focused = () =>
    page.evaluate(() =>
      document.activeElement instanceof HTMLInputElement ? document.activeElement.name : "",
    );
  await page.getByLabel(/^Name/).fill("Map");
  await page.locator("summary", { hasText: /^Tags/ }).click();
  await page.getByRole("combobox", { name: /^Tags/ }).fill("lunch");
  await destination().focus();
  await page.keyboard.type("+351 912 345");
  await chosen("Text message");
  await expect.poll(focused).toBe("data.phone");
  await page.keyboard.type(" 678");
  expect(await page.getByLabel("Phone number").inputValue()).toBe("+351 912 345 678");
  await page.getByLabel("Phone number").fill("ines@harbour.example");
  await chosen("Email");
  await expect.poll(focused).toBe("data.to");

  await page.getByRole("radio", { name: "Link" }).check();
  await destination().fill("https://maps.google.com/?q=38.7,-9.1");
  await page.getByRole("radio", { name: "Link" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByLabel("All other devices").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("value"))).toBe("applink");
  await page.getByRole("radio", { name: "Contact" }).check();
  await page.getByLabel("First name").fill("Ada");
  expect(await page.getByText("No UTM parameters").count()).toBe(0);
  await page.getByRole("radio", { name: "Link" }).check();
  await expect.poll(() => destination().inputValue()).toBe("https://maps.google.com/?q=38.7,-9.1");
  await create();
  await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
  expect(await tagsOfCode()).toEqual(["lunch"]);
  expect(await page.locator(".head-facts").textContent()).toContain("Link");
});

it("a pasted link to a map fills in the place without a request", async () => {
  await page.goto(`${workspace.service.dashboard}/codes/new?type=location`);
  await page.waitForLoadState("networkidle");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.getByLabel(/^Map link/).fill("https://www.openstreetmap.org/#map=17/48.20849/16.37208");
  expect(await page.getByLabel("Latitude").inputValue()).toBe("48.20849");
  expect(await page.getByLabel("Longitude").inputValue()).toBe("16.37208");
  expect(await page.getByLabel(/^Map link/).inputValue()).toBe("");
  expect(requests).toEqual([]);
});

it("folders and tags are found and chosen by the keyboard alone", async () => {
  const { service } = workspace;
  for (const name of ["Cafés", "Bars", "Car parks"]) await service.send("POST", "/folders", { name });
  const data = { type: "url", url: "https://example.com" };
  await service.send("POST", "/qr", { qrType: "url", data, tags: ["summer", "winter"] });
  await openForm();
  await destination().fill("example.com/menu");
  const folder = page.getByRole("combobox", { name: /^Folder/ });
  const options = page.getByRole("listbox", { name: "Folder" }).getByRole("option");
  const marked = () => page.locator('[role=option][aria-selected="true"]').textContent();
  for (const line of [/^Tags/, /^Folder/]) {
    await page.locator("summary", { hasText: line }).focus();
    await page.keyboard.press("Enter");
  }
  await folder.focus();

  // The list opens with the choice marked, and the arrow keys go round.
  await page.keyboard.press("ArrowDown");
  expect(await folder.getAttribute("aria-expanded")).toBe("true");
  expect(await options.allTextContents()).toEqual(["None", "Bars", "Cafés", "Car parks"]);
  expect(await marked()).toBe("None");
  await page.keyboard.press("ArrowUp");
  expect(await marked()).toBe("Car parks");
  expect(await folder.getAttribute("aria-activedescendant")).toBe(await options.nth(3).getAttribute("id"));
  // Escape closes it and changes nothing.
  await page.keyboard.press("Escape");
  expect(await folder.getAttribute("aria-expanded")).toBe("false");
  expect(await folder.inputValue()).toBe("None");
  // Typing filters, without regard to accents; Enter chooses and does not send the form.
  await folder.press("Control+A");
  await page.keyboard.type("cafes");
  expect(await options.allTextContents()).toEqual(["Cafés"]);
  await page.keyboard.press("Enter");
  expect(await folder.inputValue()).toBe("Cafés");
  expect(await options.count()).toBe(0);
  // A text that matches nothing is taken back when the field is left.
  await folder.press("Control+A");
  await page.keyboard.type("zoo");
  await page.getByText("No results").waitFor();
  await page.keyboard.press("Tab");
  expect(await folder.inputValue()).toBe("Cafés");
  await page.locator("summary", { hasText: "Folder Cafés" }).waitFor();
  // Past the line of the tags.
  await page.keyboard.press("Tab");

  const tags = page.getByRole("combobox", { name: /^Tags/ });
  expect(await tags.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type("win");
  await page.getByRole("option", { name: "winter" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("late,sun");
  await page.keyboard.press("Enter");
  const words = page.locator(".combobox .word");
  expect(await words.allTextContents()).toEqual(["winter×", "late×", "sun×"]);
  await page.keyboard.press("Backspace");
  await page.keyboard.type("lunch");
  await page.getByRole("button", { name: "Remove late" }).press("Enter");
  await create();
  await page.getByRole("heading", { level: 1, name: "example.com/menu" }).waitFor();
  expect(await tagsOfCode()).toEqual(["winter", "lunch"]);
  expect(await page.locator(".head-facts").getByRole("link", { name: "Cafés" }).count()).toBe(1);
});

it("image and score follow the options, by pointer and by keyboard", async () => {
  const { service } = workspace;
  await openForm();
  const score = page.locator("#score");
  const source = () => image().getAttribute("src");
  await score.getByText("Scans well").waitFor();
  await page.getByText("Print it at least this wide at 300 dpi").waitFor();

  // A look sets all options at once, and is the chosen one until an option changes.
  await page.getByRole("button", { name: /^Soft/ }).click();
  const soft = page.getByRole("button", { name: /^Soft/, pressed: true });
  await soft.getByText("of 100").waitFor();

  // A tile, then the one beside it by an arrow key.
  const first = await source();
  await page.locator("summary", { hasText: "Customise" }).click();
  await radio("Modules", "Fluid").check();
  await expect.poll(source).not.toBe(first);
  expect(await soft.count()).toBe(0);
  const second = await source();
  await page.keyboard.press("ArrowRight");
  expect(await radio("Modules", "Bars").isChecked()).toBe(true);
  await expect.poll(source).not.toBe(second);

  // Text and palette of a colour follow each other, also in the short form.
  const text = page.getByLabel("Modules", { exact: true }).and(page.locator("input[type=text]"));
  const palette = page.getByLabel("Modules, from a palette");
  await text.fill("#05a");
  expect(await palette.inputValue()).toBe("#0055aa");
  await palette.fill("#14532d");
  expect(await text.inputValue()).toBe("#14532d");
  await expect.poll(drawn).toContain("#14532d");

  // A colour that is too light is made darker by a click.
  await text.fill("#ffcc00");
  await page.getByText("phones need 3:1.").waitFor();
  await score.getByText("No score").waitFor();
  await page.getByRole("button", { name: /^Use #\w+ for the code$/ }).click();
  await expect.poll(drawn).toContain(await text.inputValue());
  await score.getByText("of 100").waitFor();

  // The row of a gradient says what a preset has set, and a colour of one's own takes its place.
  const gradient = page.locator("summary", { hasText: "Gradient" });
  expect(await gradient.textContent()).toContain("None");
  await page.locator("summary", { hasText: "Start from" }).click();
  await page.getByRole("button", { name: "Sunset" }).click();
  // Until the new design is measured, no score is shown as if it were its own.
  expect(await page.locator("#score strong").first().isVisible()).toBe(false);
  await gradient.getByText("Linear across the modules").waitFor();
  await text.fill("#14532d");
  await gradient.getByText("None").waitFor();
  await score.getByText("of 100").waitFor();

  // A preset sets all options.
  await page.getByRole("button", { name: "Pill" }).click();
  expect(await radio("Modules", "Dots").isChecked()).toBe(true);
  expect(await radio("Frame", "Round").isChecked()).toBe(true);
  await expect.poll(drawn).toContain("#1e3a8a");
  expect(await axeFaults(page)).toEqual([]);

  // The Enter key saves, and presses none of the other buttons.
  await destination().fill("example.com");
  await destination().press("Enter");
  await page.getByText("Code created.").waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const qr = await readStrictly(service.send("GET", `/qr/${id}`), 200, Qr);
  expect(qr).toMatchObject({
    shape: "circle",
    colorConfig: { dotsColor: "#1e3a8a" },
    advanced: { eyeFrame: "circle", frame: { style: "round", text: "Scan me" } },
  });
});

it("a dropped logo makes a look of its own, with which the code is created and downloaded", async () => {
  await openForm();
  await destination().fill("example.com/menu");
  const buffer = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>',
  );
  await page
    .getByLabel("Drop a logo here or choose one")
    .setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer });
  await page.getByRole("button", { name: /^Your brand/, pressed: true }).waitFor();
  expect(await destination().inputValue()).toBe("example.com/menu");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Create and download" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  expect(page.url()).not.toContain("download");
  await page.getByRole("link", { name: "Download the PDF" }).waitFor();
});

it("a template fills in the options when it is chosen", async () => {
  const advanced = { modules: "diamond", eyeFrame: "cut" };
  const design = { name: "House", colorConfig: { dotsColor: "#4c1d95" }, advanced };
  expect((await workspace.callDeveloper("POST", "/templates", design)).status).toBe(201);
  await openForm();
  await destination().fill("example.com");
  await page.locator("summary", { hasText: "Customise" }).click();
  await page.getByLabel(/^Template/).selectOption("House");
  await expect.poll(() => radio("Modules", "Diamond").isChecked()).toBe(true);
  expect(await destination().inputValue()).toBe("example.com");
  await expect.poll(drawn).toContain("#4c1d95");
  expect(errors).toEqual([]);
});

it("a template's picked logo is drawn at once, or refused with its limit, and its proof is shown", async () => {
  await page.goto(`${workspace.service.dashboard}/templates/new`);
  await page.getByLabel("Name").fill("House style");
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel("Drop a logo here").setInputFiles({ name, mimeType, buffer });
  // Larger than a form may be.
  await choose("photo.png", "image/png", Buffer.alloc(6_000_000, 1));
  await page.getByText("The logo can have at most 256 KiB.").waitFor();
  await page.getByText("once the new logo is saved").waitFor();
  await page.getByRole("button", { name: "Create template" }).click();
  await page.getByRole("link", { name: "Logo file can have at most 256 KiB" }).waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("House style");
  const before = await image().getAttribute("src");
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4"/></svg>';
  await choose("logo.svg", "image/svg+xml", Buffer.from(logo));
  await expect.poll(() => image().getAttribute("src")).not.toBe(before);
  await page.getByRole("button", { name: "Create template" }).click();
  await page.getByText("Template created.").waitFor();
  await page.getByRole("link", { name: "House style", exact: true }).click();
  // The tests above may have used up what the workspace may measure in this minute.
  await page.getByRole("heading", { name: "Proof: " }).waitFor({ timeout: 90_000 });
  const picture = page.locator(".proof-pictures img").first();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
});
