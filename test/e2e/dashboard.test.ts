import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { launchBrowser } from "./support/chromium.ts";
import { OwnWorkspace, sharedService } from "./support/workspaces.ts";

const server = sharedService();
const resolve = createRequire(import.meta.url).resolve;
let browser: Browser;
let axe = "";

beforeAll(async () => {
  axe = await readFile(resolve("axe-core/axe.min.js"), "utf8");
  const wasm = await readFile(resolve("zxing-wasm/reader/zxing_reader.wasm"));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A tab in which a user has signed in. @param errors receives what the browser complains of, such as its policy */
async function signIn(
  name: string,
  options: BrowserContextOptions = {},
  errors: string[] = [],
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(server.dashboard);
  await page.getByRole("textbox").first().fill(name);
  await page.getByRole("button").first().click();
  await page.waitForURL(`${server.origin}/dashboard`);
  return page;
}

/** The text of the code that is seen on the screen. */
async function readFromScreen(image: Locator): Promise<string | undefined> {
  await image.evaluate((element: HTMLImageElement) => element.decode());
  const [found] = await readBarcodes(await image.screenshot(), { formats: ["QRCode"] });
  return found?.text;
}

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
    .locator("dl.figures div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd")
    .first()
    .textContent();

it.each([true, false])(
  "leads a newcomer to the first code, its image, its scan and its edit; with scripts: %j",
  async (javaScriptEnabled) => {
    const errors: string[] = [];
    const page = await signIn(`newcomer-${javaScriptEnabled}`, { javaScriptEnabled }, errors);
    await page.getByRole("link", { name: "Create your first code" }).click();
    await page.getByLabel("Destination").fill("example.com/menu");
    await page.getByLabel("Name").fill("Menu & <b>more</b>");
    await page.getByRole("button", { name: "Create the code", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Menu & <b>more</b>" }).waitFor();
    const address = await readFromScreen(page.getByRole("img", { name: /^QR code for/ }));
    expect(address).toBe(await page.getByLabel("Address in the code").inputValue());
    expect(await scan(address ?? "")).toBe("https://example.com/menu");
    await expect
      .poll(async () => {
        await page.reload();
        return figure(page, "Scans");
      })
      .toBe("1");
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Destination").fill("example.com/dinner");
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("Scans follow them at once").waitFor();
    expect(await scan(address ?? "")).toBe("https://example.com/dinner");
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the code" }).click();
    await page.getByText("The code has been deleted.").waitFor();
    expect(await scan(address ?? "")).toBeNull();
    expect(errors).toEqual([]);
    await page.context().close();
  },
);

describe("with scripts", () => {
  it("redraws the image while a design is chosen, and says why it can't be scanned", async () => {
    const page = await signIn("designer");
    await page.goto(`${server.origin}/dashboard/codes/new`);
    const image = page.getByRole("img", { name: "The code as it will look" });
    const before = await image.getAttribute("src");
    await page.getByText("colours and shape").click();
    await page.getByLabel("Colour of the code").fill("#14532d");
    await expect.poll(() => image.getAttribute("src")).not.toBe(before);
    await page.getByLabel("Colour of the code").fill("#ffee99");
    await page.getByText("The colour of the code must be darker").waitFor();
    await page.context().close();
  });

  it("keeps what was entered beside a problem, and moves the focus to the list of problems", async () => {
    const page = await signIn("hasty");
    await page.getByRole("link", { name: "New code" }).click();
    await page.getByLabel("Name").fill("Kept");
    await page.getByRole("button", { name: "Create the code", exact: true }).click();
    await page.getByRole("link", { name: "Destination is required" }).waitFor();
    expect(await page.locator("#problems").evaluate((element) => element.matches(":focus"))).toBe(true);
    expect(await page.getByLabel("Name").inputValue()).toBe("Kept");
    await page.context().close();
  });

  it("has single-key shortcuts, which can be switched off", async () => {
    const page = await signIn("typist");
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.getByRole("heading", { level: 1, name: "Codes" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("c?");
    expect(await page.getByLabel("Search the codes").inputValue()).toBe("c?");
    await page.keyboard.press("Tab");
    await page.keyboard.press("c");
    await page.getByRole("heading", { level: 1, name: "New code" }).waitFor();
    await page.goto(`${server.origin}/dashboard/settings`);
    await page.getByRole("button", { name: "Switch shortcuts off" }).click();
    await page.getByRole("button", { name: "Switch shortcuts on" }).waitFor();
    await page.locator("main").focus();
    await page.keyboard.press("c");
    await page.keyboard.press("?");
    expect(new URL(page.url()).pathname).toBe("/dashboard/settings");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.context().close();
  });
});

describe("the palette", () => {
  const chosen = (page: Page) => page.getByRole("dialog").getByRole("option", { selected: true });

  it("goes to a code by typing, arrow keys and Enter, and can be closed", async () => {
    const errors: string[] = [];
    const owner = await OwnWorkspace.create("palette");
    for (const name of ["Menu of the day", "Menu of the night"]) {
      const data = { type: "url", url: "https://example.com/" };
      await owner.service.send("POST", "/qr", { qrType: "url", name, data });
    }
    const page = await signIn("palette", {}, errors);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("dialog").getByRole("combobox");
    await expect.poll(() => field.evaluate((element) => element.matches(":focus"))).toBe(true);
    await page.keyboard.type("menu");
    await page.getByText("2 results").waitFor();
    expect(await chosen(page).textContent()).toContain("Menu of the night");
    await page.keyboard.press("ArrowDown");
    expect(await chosen(page).textContent()).toContain("Menu of the day");
    const id = await chosen(page).getAttribute("id");
    expect(await field.getAttribute("aria-activedescendant")).toBe(id);
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    expect(violations.map((each) => [each.id, each.nodes.map(({ html }) => html)])).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Menu of the day" }).waitFor();
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.getByRole("link", { name: "Go to", exact: false }).first().click();
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Go to" }).waitFor({ state: "hidden" });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("is a page without scripts", async () => {
    const page = await signIn("palette-plain", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "Go to", exact: false }).first().click();
    await page.locator("main").getByLabel("Go to a code, folder, page or action").fill("settings");
    await page.getByRole("button", { name: "Find" }).click();
    await page.locator("main").getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.context().close();
  });
});

describe("every page", () => {
  let owner: OwnWorkspace;
  let id = "";

  beforeAll(async () => {
    owner = await OwnWorkspace.create("dashboard-pages");
    const long = "A long name of a poster in the underground passage of the station";
    const codes = Array.from({ length: 26 }, (_, i) => ({
      qrType: "url",
      name: i % 5 === 0 ? `${long} ${i}` : `Code ${i}`,
      data: { type: "url", url: `https://example.com/${i}` },
      tags: ["summer", "tables"],
      status: i % 7 === 0 ? "paused" : "active",
    }));
    for (const code of codes) {
      const created = await owner.service.send("POST", "/qr", code);
      id = ((await created.json()) as { id: string }).id;
    }
  });

  const pages = () => [
    "",
    "/codes",
    "/codes?q=tag:summer+status:paused+long",
    "/codes?q=nothing",
    "/codes/most-scanned",
    "/go?q=code",
    "/codes/new",
    "/codes/new?type=vcard",
    `/codes/${id}`,
    `/codes/${id}/edit`,
    `/codes/${id}/delete`,
    `/codes/${id}/scans`,
    `/codes/${id}/scans?device=fridge`,
    "/settings",
    "/nothing",
  ];

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 320],
    ["dark", 320],
  ] as const)(
    "is accessible, %s at %i pixels, and needs no scrolling sideways",
    async (colorScheme, width) => {
      const errors: string[] = [];
      const page = await signIn("dashboard-pages", { colorScheme, viewport: { width, height: 800 } }, errors);
      for (const path of pages()) {
        await page.goto(`${server.dashboard}${path}`);
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
        await page.evaluate(axe);
        const { violations } = await page.evaluate<AxeResults>("axe.run()");
        const found = violations.map((each) => [each.id, each.nodes.map(({ html }) => html)]);
        expect([path, found]).toEqual([path, []]);
        const wide = await page.evaluate<boolean>(
          "document.documentElement.scrollWidth > document.documentElement.clientWidth",
        );
        expect([path, wide]).toEqual([path, false]);
      }
      // The missing page and the wrong filter are the only requests that fail.
      expect(errors.filter((text) => !/40[04]/.test(text))).toEqual([]);
      await page.context().close();
    },
  );

  it("has tags, names and back links of 44 pixels where they are touched", async () => {
    const page = await signIn("dashboard-pages", {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    const sizes: number[] = [];
    for (const path of ["/codes", "/codes?q=tag:summer", `/codes/${id}`, `/codes/${id}/scans`]) {
      await page.goto(`${server.dashboard}${path}`);
      const links = await page.locator("a.tag, a.back, a.name").all();
      for (const link of links) sizes.push((await link.boundingBox())?.height ?? 0);
    }
    expect(sizes.length).toBeGreaterThan(50);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    await page.context().close();
  });

  it("is under 150 KB in all, with 25 codes", async () => {
    const page = await signIn("dashboard-pages");
    const context = await browser.newContext({
      storageState: await page.context().storageState(),
      // High, so that all images are loaded.
      viewport: { width: 1280, height: 4000 },
    });
    const fresh = await context.newPage();
    const bodies: Promise<Buffer>[] = [];
    fresh.on("response", (response) => bodies.push(response.body()));
    await fresh.goto(`${server.origin}/dashboard/codes`, { waitUntil: "networkidle" });
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
    // The page, three static files and its images.
    expect(sizes.length).toBeGreaterThanOrEqual(29);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150 * 1024);
    await context.close();
    await page.context().close();
  });
});
