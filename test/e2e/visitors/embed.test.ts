import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { plans } from "../../../src/contract/plans.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { hasLoaded } from "../support/chromium.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;
/** A website that embeds the widget, with the key in its address. */
let shop: Server;
const shopOrigin = () => `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;

beforeAll(async () => {
  browser = await openBrowser();
  shop = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", shopOrigin());
    const key = searchParams.get("key");
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><html lang="en"><title>A shop</title><style>${searchParams.get("css") ?? ""}</style><main><h1>A shop</h1><script src="${server.origin}/embed.js" data-key="${key}"></script></main>`,
    );
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
});
afterAll(async () => {
  await browser?.close();
  shop?.close();
});

it("creates a QR code for an entered address, shows it and offers it for download", async () => {
  const page = await browser.newPage();
  const consoleErrors: string[] = [];
  page.on("console", (message) => message.type() === "error" && consoleErrors.push(message.text()));
  await page.goto(`${server.origin}/embed/demo`);
  await page.getByLabel("Address").fill("example.com/käse");
  await page.getByRole("button", { name: "Create QR code" }).click();
  const image = page.getByRole("img", { name: "QR code for example.com/käse" });
  await image.waitFor();
  expect(await hasLoaded(image, 512)).toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^[0-9a-z]{8}-512\.png$/);
  const scan = await server.scan(((await image.getAttribute("src")) ?? "").replace(/\.svg$/, ""));
  expect(scan.headers.get("location")).toBe("https://example.com/k%C3%A4se");

  const link = page.getByRole("link", { name: /^[\w.:]+\/[0-9a-z]{8}$/ });
  const shortLink = ((await image.getAttribute("src")) ?? "").replace(/\.svg$/, "");
  expect([await link.getAttribute("href"), `http://${await link.textContent()}`]).toEqual([
    shortLink,
    shortLink,
  ]);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(shortLink);

  await page.getByLabel("Address").fill("  ");
  await page.getByRole("button", { name: "Create QR code" }).click();
  await page.getByText("Enter an address, such as example.com.").waitFor();
  await page.getByLabel("Address").fill("nope");
  await page.getByRole("button", { name: "Create QR code" }).click();
  await page.getByText("The address must be a complete address such as example.com/menu.").waitFor();
  expect(await page.getByLabel("Address").getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel("Address").evaluate((input) => input.matches(":focus"))).toBe(true);
  expect(consoleErrors.filter((text) => !text.includes("400"))).toEqual([]);
  await page.close();
});

it.each([
  ["no scheme of its own, on a dark device", "", "dark", "light"],
  ["a color scheme of both, on a dark device", ":root { color-scheme: light dark }", "dark", "dark"],
  ["a color scheme of both, on a light device", ":root { color-scheme: light dark }", "light", "light"],
  ["dark colors without a color scheme", "body { background: #111; color: #eee }", "light", "dark"],
] as const)("follows a page with %s", async (_, css, device, scheme) => {
  const page = await browser.newPage({ colorScheme: device });
  await page.goto(`${shopOrigin()}/?key=none&css=${encodeURIComponent(css)}`);
  const schemeOfWidget = () =>
    page
      .locator("script + div")
      .evaluate((host) => (host as unknown as { style: { colorScheme: string } }).style.colorScheme);
  expect(await schemeOfWidget()).toBe(scheme);
  for (const background of ["#fff", "#111"]) {
    const color = background === "#fff" ? "#111" : "#eee";
    await page.evaluate(`document.body.style.cssText = "background: ${background}; color: ${color}"`);
    await expect.poll(schemeOfWidget).toBe(background === "#fff" ? "light" : "dark");
    expect(await axeFaults(page)).toEqual([]);
  }
  await page.close();
});

/** Opens the shop with a key in its widget. */
async function openShop(key: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${shopOrigin()}/?key=${key}`);
  return page;
}

async function submit(page: Page, address = "example.com"): Promise<void> {
  await page.getByLabel("Address").fill(address);
  await page.getByRole("button", { name: "Create QR code" }).click();
}

/** Waits until the widget says this to its visitor, as a status that screen readers announce. */
const expectStatus = (page: Page, words: string | RegExp) =>
  page.getByRole("status").filter({ hasText: words }).waitFor();

it("says that its key isn't valid", async () => {
  for (const key of [`pk_live_${"0".repeat(32)}`, "nonsense", ""]) {
    const page = await openShop(key);
    await submit(page);
    await expectStatus(page, "This form doesn't work, because its key isn't valid.");
    await page.close();
  }
});

it("says that it is not allowed on this website", async () => {
  const demo = await (await fetch(`${server.origin}/embed/demo`)).text();
  const page = await openShop(/data-key="(\w+)"/.exec(demo)?.[1] ?? "");
  await submit(page);
  await expectStatus(page, "This form isn't allowed on this website. Tell the website's owner.");
  expect(await page.getByRole("img").count()).toBe(0);
  await page.close();
});

it("says that there were too many requests and when to try again, and that the plan's limit is reached", async () => {
  const owner = await OwnWorkspace.create("the-shop-with-a-widget");
  const created = owner.callDeveloper("POST", "/keys", {
    name: "Widget",
    type: "publishable",
    origins: [shopOrigin()],
  });
  const page = await openShop((await readStrictly(created, 201, NewApiKey)).key);
  await submit(page);
  await page.getByRole("img").waitFor();
  const items = Array.from({ length: plans.free.liveCodes }, () => ({
    qrType: "url",
    data: { type: "url", url: "example.com" },
  }));
  for (const item of items) expect((await owner.service.send("POST", "/qr", item)).status).toBe(201);
  await owner.setPlan({ plan: "free" });
  await submit(page);
  await expectStatus(page, "No more QR codes can be created here");

  await owner.setPlan({ plan: "business", requestsPerMinute: 1 });
  const tooMany = page.getByRole("status").filter({ hasText: "Too many requests" });
  await expect
    .poll(async () => {
      await submit(page);
      await page.getByRole("button", { disabled: false }).waitFor();
      return tooMany.count();
    })
    .toBe(1);
  expect(await tooMany.textContent()).toMatch(/Try again in \d+ seconds?\.$/);
  await page.close();
});

it("says that no more codes can be created today", async () => {
  const owner = await OwnWorkspace.create("the-shop-with-many-visitors");
  const { network: cap } = limits.keyCreations;
  await owner.setPlan({ plan: "business", requestsPerMinute: 10 * cap });
  const created = owner.callDeveloper("POST", "/keys", {
    name: "Widget",
    type: "publishable",
    origins: [shopOrigin()],
  });
  const { key } = await readStrictly(created, 201, NewApiKey);
  const create = () =>
    fetch(`${server.origin}/api/v1/qr`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        origin: shopOrigin(),
        "content-type": "application/json",
      },
      body: JSON.stringify({ qrType: "url", data: { type: "url", url: "example.com" } }),
    });
  const statuses = new Set<number>();
  for (let left = cap; left > 0; left -= 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    for (const { status } of answers) statuses.add(status);
  }
  expect([...statuses]).toEqual([201]);
  const page = await openShop(key);
  await submit(page);
  await expectStatus(page, "No more QR codes can be created here today. Try again tomorrow.");
  await page.close();
});

it("says that the service can't be reached", async () => {
  const page = await openShop(`pk_live_${"0".repeat(32)}`);
  await page.context().setOffline(true);
  await submit(page);
  await expectStatus(page, "The service can't be reached. Check your connection and try again.");
  await page.context().setOffline(false);
  await submit(page);
  await expectStatus(page, "its key isn't valid");
  await page.close();
});
