import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./support/chromium.ts";
import { sharedService } from "./support/workspaces.ts";

const server = sharedService();
let browser: Browser;
let shop: Server;

beforeAll(async () => {
  browser = await launchBrowser();
  shop = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<h1>A shop</h1><script src="${server.origin}/embed.js" data-key="pk_live_${"0".repeat(32)}"></script>`,
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
  await page.getByRole("button", { name: "Make a QR code" }).click();
  const image = page.getByRole("img", { name: "QR code for example.com/käse" });
  await image.waitFor();
  await page.waitForFunction(
    (element) => (element as { naturalWidth?: number } | null)?.naturalWidth === 512,
    await image.elementHandle(),
  );
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^[0-9a-z]{8}\.png$/);
  const scan = await server.scan(((await image.getAttribute("src")) ?? "").replace(/\.svg$/, ""));
  expect(scan.headers.get("location")).toBe("https://example.com/k%C3%A4se");

  await page.getByLabel("Address").fill("nope");
  await page.getByRole("button").click();
  await page.getByText("The address must be a whole address or a hostname with a dot").waitFor();
  expect(consoleErrors.filter((text) => !text.includes("400"))).toEqual([]);
  await page.close();
});

it("shows an error on a site where its key is not accepted", async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
  await page.getByLabel("Address").fill("example.com");
  await page.getByRole("button", { name: "Make a QR code" }).click();
  await page.getByText("The service can't be reached from here").waitFor();
  expect(await page.getByRole("img").count()).toBe(0);
  await page.close();
});
