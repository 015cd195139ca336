import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
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
  const widget = page.locator("script + div");
  for (const [around, scheme] of [
    ["Coloured", "dark"],
    ["Light", "light"],
  ] as const) {
    await page.getByRole("radio", { name: around }).check();
    await expect.poll(() => widget.getAttribute("style")).toContain(scheme);
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy line" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
    `<script src="${server.origin}/embed.js" data-key="pk_live_…"></script>`,
  );
  await page.reload();
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

it("follows the colors of the page around it", async () => {
  const page = await browser.newPage();
  const schemeOfWidget = () =>
    page
      .locator("script + div")
      .evaluate((host) => (host as unknown as { style: { colorScheme: string } }).style.colorScheme);
  const isAccessible = new Set<string>();
  for (const [of, css, device, scheme] of [
    ["no scheme of its own, on a dark device", "", "dark", "light"],
    ["a color scheme of both, on a dark device", ":root { color-scheme: light dark }", "dark", "dark"],
    ["a color scheme of both, on a light device", ":root { color-scheme: light dark }", "light", "light"],
    ["dark colors without a color scheme", "body { background: #111; color: #eee }", "light", "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme: device });
    await page.goto(`${shopOrigin()}/?key=none&css=${encodeURIComponent(css)}`);
    expect([of, await schemeOfWidget()]).toEqual([of, scheme]);
    for (const [background, color, changed] of [
      ["#fff", "#111", "light"],
      ["#111", "#eee", "dark"],
    ] as const) {
      await page.evaluate(`document.body.style.cssText = "background: ${background}; color: ${color}"`);
      await expect.poll(schemeOfWidget).toBe(changed);
      // The widget looks the same in all pages of a scheme.
      if (!isAccessible.has(changed)) expect(await axeFaults(page)).toEqual([]);
      isAccessible.add(changed);
    }
  }
  await page.close();
});

it("says what is wrong, and what its visitor can do", async () => {
  const page = await browser.newPage();
  const openShop = (key: string) => page.goto(`${shopOrigin()}/?key=${key}`);
  const submit = async () => {
    await page.getByLabel("Address").fill("example.com");
    await page.getByRole("button", { name: "Create QR code" }).click();
  };
  /** Waits until the widget says this to its visitor, as a status that screen readers announce. */
  const expectStatus = (words: string | RegExp) =>
    page.getByRole("status").filter({ hasText: words }).waitFor();

  for (const key of [`pk_live_${"0".repeat(32)}`, "nonsense", ""]) {
    await openShop(key);
    await submit();
    await expectStatus("This form doesn't work, because its key isn't valid.");
  }
  await page.context().setOffline(true);
  await submit();
  await expectStatus("The service can't be reached. Check your connection and try again.");
  await page.context().setOffline(false);
  await submit();
  await expectStatus("its key isn't valid");

  const demo = await (await fetch(`${server.origin}/embed/demo`)).text();
  await openShop(/data-key="(\w+)"/.exec(demo)?.[1] ?? "");
  await submit();
  await expectStatus("This form isn't allowed on this website. Tell the website's owner.");
  expect(await page.getByRole("img").count()).toBe(0);

  const owner = await OwnWorkspace.create("the-shop-with-a-widget");
  const input = { name: "Widget", type: "publishable", origins: [shopOrigin()] };
  const { key } = await readStrictly(owner.callDeveloper("POST", "/keys", input), 201, NewApiKey);
  await openShop(key);
  await submit();
  await page.getByRole("img").waitFor();
  await owner.setPlan({ plan: "business", requestsPerMinute: 1 });
  const tooMany = page.getByRole("status").filter({ hasText: "Too many requests" });
  await expect
    .poll(async () => {
      await submit();
      await page.getByRole("button", { disabled: false }).waitFor();
      return tooMany.count();
    })
    .toBe(1);
  expect(await tooMany.textContent()).toMatch(/Try again in \d+ seconds?\.$/);

  // As `daily-cap.test.ts` and `plan-caps.test.ts` show the service to answer once a cap is reached.
  for (const [status, words] of [
    [403, "No more QR codes can be created here today. Try again tomorrow."],
    [402, "No more QR codes can be created here, because the website has reached the limit of its plan."],
  ] as const) {
    const headers = { "access-control-allow-origin": shopOrigin() };
    await page.route(/\/api\/v1\/qr$/, (route) =>
      route.fulfill({ status, headers, json: { code: "plan_limit", error: "Enough." } }),
    );
    await submit();
    await expectStatus(words);
  }
  await page.close();
});
