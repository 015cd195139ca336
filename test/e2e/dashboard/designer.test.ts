import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { axeFaults } from "../support/page-faults.ts";
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

const radio = (page: Page, group: string, name: string) =>
  page.getByRole("group", { name: group, exact: true }).getByRole("radio", { name, exact: true });

it("image and score follow the options, by pointer and by keyboard", async () => {
  const errors: string[] = [];
  const { service } = await OwnWorkspace.create("designer");
  const page = await openTab(browser, server, "designer", {}, errors);
  await page.goto(`${server.origin}/dashboard/codes/new`);
  const image = page.getByRole("img", { name: "The code as it will look" });
  const score = page.locator("#score");
  const source = () => image.getAttribute("src");
  await score.getByText("Scans well").waitFor();
  await page.getByText("Print it at least this wide at 300 dpi").waitFor();

  // A look sets all options at once, and is the chosen one until an option changes.
  await page.getByRole("button", { name: /^Soft/ }).click();
  const soft = page.getByRole("button", { name: /^Soft/, pressed: true });
  await soft.getByText("of 100").waitFor();

  // A tile, then the one beside it by an arrow key.
  const first = await source();
  await page.locator("summary", { hasText: "Customise" }).click();
  await radio(page, "Modules", "Fluid").check();
  await expect.poll(source).not.toBe(first);
  expect(await soft.count()).toBe(0);
  const second = await source();
  await page.keyboard.press("ArrowRight");
  expect(await radio(page, "Modules", "Bars").isChecked()).toBe(true);
  await expect.poll(source).not.toBe(second);

  // Text and palette of a colour follow each other, also in the short form.
  const text = page.getByLabel("Modules", { exact: true }).and(page.locator("input[type=text]"));
  const palette = page.getByLabel("Modules, from a palette");
  await text.fill("#05a");
  expect(await palette.inputValue()).toBe("#0055aa");
  await palette.fill("#14532d");
  expect(await text.inputValue()).toBe("#14532d");
  const drawn = async () => atob((await source())?.split(",")[1] ?? "");
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
  expect(await radio(page, "Modules", "Dots").isChecked()).toBe(true);
  expect(await radio(page, "Frame", "Round").isChecked()).toBe(true);
  await expect.poll(drawn).toContain("#1e3a8a");
  expect(await axeFaults(page)).toEqual([]);

  // The Enter key saves, and presses none of the other buttons.
  await page.getByLabel("Where should it lead?").fill("example.com");
  await page.getByLabel("Where should it lead?").press("Enter");
  await page.getByText("Code created.").waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const qr = await readStrictly(service.send("GET", `/qr/${id}`), 200, Qr);
  expect(qr).toMatchObject({
    shape: "circle",
    colorConfig: { dotsColor: "#1e3a8a" },
    advanced: { eyeFrame: "circle", frame: { style: "round", text: "Scan me" } },
  });
  expect(errors).toEqual([]);
  await page.context().close();
});

it("a template fills in the options when it is chosen", async () => {
  const workspace = await OwnWorkspace.create("template-designer");
  const advanced = { modules: "diamond", eyeFrame: "cut" };
  const design = { name: "House", colorConfig: { dotsColor: "#4c1d95" }, advanced };
  expect((await workspace.callDeveloper("POST", "/templates", design)).status).toBe(201);
  const page = await openTab(browser, server, "template-designer");
  await page.goto(`${server.origin}/dashboard/codes/new`);
  await page.getByLabel("Where should it lead?").fill("example.com");
  await page.locator("summary", { hasText: "Customise" }).click();
  await page.getByLabel(/^Template/).selectOption("House");
  await expect.poll(() => radio(page, "Modules", "Diamond").isChecked()).toBe(true);
  expect(await page.getByLabel("Where should it lead?").inputValue()).toBe("example.com");
  const image = page.getByRole("img", { name: "The code as it will look" });
  await expect
    .poll(async () => atob((await image.getAttribute("src"))?.split(",")[1] ?? ""))
    .toContain("#4c1d95");
  await page.context().close();
});
