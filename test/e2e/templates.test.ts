import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./support/chromium.ts";
import { OwnWorkspace, sharedService } from "./support/workspaces.ts";

const server = sharedService();
let browser: Browser;
let axe = "";

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A tab of a new user with a workspace on the largest plan. @param errors receives what the browser complains of */
async function signIn(name: string, options: BrowserContextOptions, errors: string[]): Promise<Page> {
  await OwnWorkspace.create(name);
  const page = await (await browser.newContext(options)).newPage();
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(server.dashboard);
  await page.getByRole("textbox").first().fill(name);
  await page.getByRole("button").first().click();
  await page.waitForURL(`${server.origin}/dashboard`);
  return page;
}

const logo = {
  name: "logo.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4"/></svg>',
  ),
};
/** Larger than a form may be. */
const photo = { name: "photo.png", mimeType: "image/png", buffer: Buffer.alloc(6_000_000, 1) };

it.each([true, false])("a template gets a logo, whose limits are said; with scripts: %j", async (scripts) => {
  const errors: string[] = [];
  const page = await signIn(`designer-of-${scripts}`, { javaScriptEnabled: scripts }, errors);
  await page.getByRole("link", { name: "Templates", exact: true }).click();
  await page.getByRole("link", { name: "New template" }).click();
  await page.getByLabel("Name").fill("House style");
  await page.getByLabel("Logo file").setInputFiles(photo);
  if (scripts) await page.getByText("The logo must be at most 256 KiB.").waitFor();
  await page.getByRole("button", { name: "Create the template" }).click();
  await page.getByRole("link", { name: "Logo file must be at most 256 KiB" }).waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("House style");
  const sample = page.getByRole("img", { name: "The code as it will look" });
  const before = await sample.getAttribute("src");
  await page.getByLabel("Logo file").setInputFiles(logo);
  if (scripts) await expect.poll(() => sample.getAttribute("src")).not.toBe(before);
  await page.getByRole("button", { name: "Create the template" }).click();
  await page.getByText("The template has been created.").waitFor();
  await page.getByRole("link", { name: "House style", exact: true }).click();
  expect(await page.getByRole("radio", { name: "Logo 1" }).isChecked()).toBe(true);
  // The browser reports the refused form itself.
  expect(errors.filter((text) => !text.includes("400"))).toEqual([]);
  await page.context().close();
});

it.each([
  ["light", 1280],
  ["dark", 320],
] as const)("folders, tags and templates are accessible, %s at %i pixels", async (colorScheme, width) => {
  const errors: string[] = [];
  const page = await signIn(`areas-${width}`, { colorScheme, viewport: { width, height: 800 } }, errors);
  const check = async (path: string) => {
    await page.goto(`${server.origin}/dashboard/${path}`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    expect([path, violations.map((each) => [each.id, each.nodes.map(({ html }) => html)])]).toEqual([
      path,
      [],
    ]);
    const wide = await page.evaluate<boolean>(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    );
    expect([path, wide]).toEqual([path, false]);
  };
  for (const path of ["folders", "tags", "templates", "templates/logos", "templates/new"]) await check(path);
  await page.goto(`${server.origin}/dashboard/folders`);
  await page.getByLabel("Name").fill(`A folder with a rather long name ${"x".repeat(60)}`);
  await page.getByRole("button", { name: "Create the folder" }).click();
  await page.getByText("The folder has been created.").waitFor();
  await page.goto(`${server.origin}/dashboard/codes/new`);
  await page.getByLabel("Destination").fill("example.com");
  await page.getByLabel("Tags").fill(`summer, ${"y".repeat(90)}`);
  await page.getByRole("button", { name: "Create the code", exact: true }).click();
  await page.getByText("The code has been created.").waitFor();
  await page.goto(`${server.origin}/dashboard/templates/new`);
  await page.getByLabel("Name").fill("z".repeat(90));
  await page.getByLabel("Logo file").setInputFiles(logo);
  await page.getByRole("button", { name: "Create the template" }).click();
  await page.getByText("The template has been created.").waitFor();
  const links = async (selector: string) =>
    page.locator(selector).evaluateAll((found) => found.map((each) => each.getAttribute("href") ?? ""));
  const below = [
    ...(await links(".templates a.sample, .templates a[href$='/delete']")),
    ...(await page
      .goto(`${server.origin}/dashboard/templates/logos`)
      .then(() => links("a[href$='/remove']"))),
    ...(await page.goto(`${server.origin}/dashboard/folders`).then(() => links(".rows-of-names .button"))),
  ];
  expect(below).toHaveLength(5);
  const paths = [
    "folders",
    "tags",
    "templates",
    "templates/logos",
    ...below.map((path) => path.slice("/dashboard/".length)),
  ];
  for (const path of paths) await check(path);
  expect(errors).toEqual([]);
  await page.context().close();
});
