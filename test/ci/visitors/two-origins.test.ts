import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { memberCookie } from "../../../scripts/lib/seed.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { hasLoaded } from "../../e2e/support/chromium.ts";
import { LoadFixture, type LoadServer } from "../../e2e/support/load-server.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { openBrowser } from "../../e2e/support/shared-browser.ts";

const appOriginOf = (scanOrigin: string) => scanOrigin.replace("127.0.0.1", "localhost");

let fixture: LoadFixture;
/** The service, with 127.0.0.1 as the host of scans and localhost as that of the app. */
let server: LoadServer;
let browser: Browser;
/** A website that embeds the widget, with a policy that allows no more than the widget needs. */
let shop: Server;
let key = "";
const shopOrigin = () => `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;

beforeAll(async () => {
  fixture = await LoadFixture.create(0);
  server = await fixture.serve({
    variables: (origin) => ({ SCAN_ORIGIN: origin, APP_ORIGIN: appOriginOf(origin) }),
  });
  browser = await openBrowser();
  const [scans, app] = [server.origin, appOriginOf(server.origin)];
  shop = createServer((_, response) => {
    response.writeHead(200, {
      "content-type": "text/html",
      "content-security-policy": `default-src 'none'; script-src ${scans}; connect-src ${app}; img-src ${scans}`,
    });
    response.end(`<h1>A shop</h1><script src="${scans}/embed.js" data-key="${key}"></script>`);
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
});
afterAll(async () => {
  shop?.close();
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await fixture?.[Symbol.asyncDispose]();
});

/** Creates a publishable key as a page of an origin does, with a member's session cookie. */
const createKey = async (to: string, origin: string) =>
  fetch(`${to}/api/v1/developer/keys`, {
    method: "POST",
    headers: { cookie: await memberCookie(), origin, "content-type": "application/json" },
    body: JSON.stringify({ name: "Shop", type: "publishable", origins: [shopOrigin()] }),
  });

it("a session works on the app's host only", async () => {
  const [scans, app] = [server.origin, appOriginOf(server.origin)];
  expect((await createKey(scans, scans)).status).toBe(404);
  expect((await createKey(scans, app)).status).toBe(404);
  expect((await createKey(app, scans)).status).toBe(403);
  ({ key } = await readStrictly(createKey(app, app), 201, NewApiKey));
});

it("the widget, whose script is on the scans' host, creates a code on the app's host", async () => {
  const [scans, app] = [server.origin, appOriginOf(server.origin)];
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== shopOrigin()) requests.push(`${request.method()} ${origin}${pathname}`);
  });
  await page.goto(shopOrigin());
  await page.getByLabel("Address").fill("example.com/menu");
  await page.getByRole("button", { name: "Create QR code" }).click();
  const image = page.getByRole("img", { name: "QR code for example.com/menu" });
  await image.waitFor();
  expect(await hasLoaded(image, 512)).toBe(true);
  const source = (await image.getAttribute("src")) ?? "";
  expect(requests).toEqual([`GET ${scans}/embed.js`, `POST ${app}/api/v1/qr`, `GET ${source}`]);

  const scanUrl = source.replace(/\.svg$/, "");
  expect(new URL(scanUrl).origin).toBe(scans);
  const scan = await fetch(scanUrl, { redirect: "manual" });
  expect([scan.status, scan.headers.get("location")]).toEqual([302, "https://example.com/menu"]);
  const elsewhere = await fetch(app + new URL(scanUrl).pathname, { redirect: "manual" });
  expect(elsewhere.status).toBe(404);
  await page.close();
});
